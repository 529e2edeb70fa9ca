#include "basis/axis_map.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/errors.hpp"

namespace gwrm {

AxisMap::AxisMap(double lower, double upper, MapKind kind) : lower_(lower), upper_(upper), kind_(kind) {
  if (!std::isfinite(lower) || !std::isfinite(upper) || !(lower < upper))
    throw ShapeError(fmt::format("axis map: [{}, {}] is no interval", lower, upper));
  if (kind == MapKind::log && !(lower > 0.0))
    throw ShapeError(fmt::format("axis map: log needs positive ends, got [{}, {}]", lower, upper));
}

long double AxisMap::half_length() const {
  const long double lower = lower_, upper = upper_;
  return kind_ == MapKind::log ? std::log(upper / lower) / 2 : (upper - lower) / 2;
}

long double AxisMap::to_reference_extended(double z) const {
  if (z == lower_) return -1.0L;
  if (z == upper_) return 1.0L;
  const long double lower = lower_, upper = upper_, value = z;
  // The difference of the two distances keeps its digits at both ends and in the middle.
  const long double difference =
      kind_ == MapKind::log ? std::log(value / lower) - std::log(upper / value) : (value - lower) - (upper - value);
  return difference / (2 * half_length());
}

double AxisMap::to_reference(double z) const {
  return static_cast<double>(to_reference_extended(z));
}

double AxisMap::from_reference(double xi) const {
  if (xi == -1.0) return lower_;
  if (xi == 1.0) return upper_;
  const long double lower = lower_, upper = upper_;
  if (kind_ == MapKind::log)
    return static_cast<double>(std::sqrt(lower) * std::sqrt(upper) * std::exp(xi * half_length()));
  return static_cast<double>((lower + upper) / 2 + xi * half_length());
}

Vector AxisMap::from_reference(const Vector& xi) const {
  return xi.unaryExpr([this](double value) { return from_reference(value); });
}

}  // namespace gwrm
