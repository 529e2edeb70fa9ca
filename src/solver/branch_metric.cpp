#include "solver/branch_metric.hpp"

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

// Fields below this part of the largest do not stretch the arc: they may be nothing but round-off.
constexpr double kMinSize = 1e-3;

// Gauss-Legendre on [0, 1], five points: the speed along the cubic is nearly constant.
constexpr double kNodes[] = {0.046910077030668004, 0.23076534494715846, 0.5, 0.76923465505284154, 0.953089922969332};
constexpr double kWeights[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                               0.11846344252809454};

}  // namespace

BranchMetric::BranchMetric(const BranchUnknowns& unknowns, std::span<const double> x, std::span<const double> slope,
                           double range) {
  const auto parameter = static_cast<std::size_t>(unknowns.parameter);
  const int n_fields =
      unknowns.fields.empty() ? 0 : *std::max_element(unknowns.fields.begin(), unknowns.fields.end()) + 1;
  std::vector<double> value(at(n_fields), 0.0), change(at(n_fields), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i == parameter) continue;
    value[unknowns.fields[i]] += unknowns.shares[i] * x[i] * x[i];
    change[unknowns.fields[i]] += unknowns.shares[i] * slope[i] * slope[i];
  }
  std::vector<double> sizes;
  double largest = 0.0;
  for (int g = 0; g < n_fields; ++g) {
    sizes.push_back(std::max(std::sqrt(value[g]), range * std::sqrt(change[g])));
    largest = std::max(largest, sizes.back());
  }
  // Round-off of a trivial branch u = 0 is not a size.
  if (largest <= 1e-12 * (std::abs(x[parameter]) + range)) largest = 1.0;
  for (double& size : sizes)
    if (size < kMinSize * largest) size = size <= 1e-12 * largest ? largest : kMinSize * largest;

  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = i == parameter ? range : sizes[unknowns.fields[i]];
    sizes_.push_back(size);
    metric_.push_back((i == parameter ? 1.0 : unknowns.shares[i]) / (size * size));
  }
}

double BranchMetric::dot(std::span<const double> a, std::span<const double> b) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < metric_.size(); ++i) sum += metric_[i] * a[i] * b[i];
  return sum;
}

double BranchMetric::norm(std::span<const double> v) const {
  return std::sqrt(dot(v, v));
}

std::vector<double> BranchMetric::applied(std::span<const double> v) const {
  std::vector<double> result(v.begin(), v.end());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] *= metric_[i];
  return result;
}

std::vector<double> between(const BranchPoint& a, const BranchPoint& b, double length, double theta) {
  const double r = 1.0 - theta;
  const double value_a = r * r * (1.0 + 2.0 * theta), value_b = theta * theta * (1.0 + 2.0 * r);
  const double slope_a = length * theta * r * r, slope_b = -length * theta * theta * r;
  std::vector<double> x(a.x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = value_a * a.x[i] + value_b * b.x[i] + slope_a * a.tangent[i] + slope_b * b.tangent[i];
  return x;
}

double arc_length(const BranchMetric& metric, const BranchPoint& a, const BranchPoint& b) {
  std::vector<double> chord(a.x.size()), speed(a.x.size());
  for (std::size_t i = 0; i < chord.size(); ++i) chord[i] = b.x[i] - a.x[i];
  double length = metric.norm(chord);
  // The end slopes hold the length themselves; each round gains two orders in it.
  for (int round = 0; round < 3; ++round) {
    double sum = 0.0;
    for (std::size_t k = 0; k < std::size(kNodes); ++k) {
      const double z = kNodes[k], r = 1.0 - z;
      for (std::size_t i = 0; i < speed.size(); ++i)
        speed[i] =
            6.0 * z * r * chord[i] + length * (r * (1.0 - 3.0 * z) * a.tangent[i] + z * (3.0 * z - 2.0) * b.tangent[i]);
      sum += kWeights[k] * metric.norm(speed);
    }
    length = sum;
  }
  return length;
}

}  // namespace gwrm
