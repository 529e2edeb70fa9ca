#include "problems/finer_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gwrm {

Index finer_intervals(Index intervals, double factor, Index divisor) {
  const auto least =
      static_cast<Index>(std::ceil(factor * static_cast<double>(intervals) / static_cast<double>(divisor)));
  // Within so many an odd number without a factor of `intervals` is found, but for numbers with very many factors.
  constexpr Index kTried = 16;
  Index best = least;
  for (Index m = least; m < least + kTried; ++m)
    if (std::gcd(m * divisor, intervals) < std::gcd(best * divisor, intervals)) best = m;
  return best * divisor;
}

double share_of_error(double ratio, int order) {
  return 1.0 - std::pow(ratio, -order);
}

GridInterpolation::GridInterpolation(Index from, Index to, int width)
    : from_(from), to_(to), width_(std::min<Index>(width, from + 1)) {
  for (Index k = 0; k < width_; ++k) {
    double product = 1.0;
    for (Index m = 0; m < width_; ++m)
      if (m != k) product *= static_cast<double>(k - m);
    scale_.push_back(1.0 / product);
  }
}

Index GridInterpolation::stencil(Index i, double* weights) const {
  // In long double the place within an interval is right to 1e-9 for 2^30 of them.
  const long double place =
      static_cast<long double>(i) * static_cast<long double>(from_) / static_cast<long double>(to_);
  const Index first = std::clamp<Index>(static_cast<Index>(place) - (width_ - 1) / 2, 0, from_ + 1 - width_);
  const auto s = static_cast<double>(place - static_cast<long double>(first));
  const auto nearest = static_cast<Index>(std::lround(s));
  std::fill_n(weights, width_, 0.0);
  if (s == static_cast<double>(nearest)) {  // a point of both grids
    weights[nearest] = 1.0;
    return first;
  }
  double product = 1.0;
  for (Index k = 0; k < width_; ++k) product *= s - static_cast<double>(k);
  for (Index k = 0; k < width_; ++k)
    weights[k] = product * scale_[static_cast<std::size_t>(k)] / (s - static_cast<double>(k));
  return first;
}

ErrorEstimate no_estimate(const std::string& why) {
  ErrorEstimate estimate;
  estimate.status = ErrorEstimate::Status::missing;
  estimate.reason = why;
  return estimate;
}

ErrorEstimate no_finer_solution(const std::string& field, const std::string& why) {
  FieldError error;
  error.field = field;
  error.largest = error.at_end = std::numeric_limits<double>::infinity();
  ErrorEstimate estimate;
  estimate.status = ErrorEstimate::Status::made;
  estimate.reason = "on a finer grid: " + why;
  estimate.fields.push_back(std::move(error));
  return estimate;
}

}  // namespace gwrm
