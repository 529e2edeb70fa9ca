#include "solver/hessenberg.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace gwrm {

constexpr double kSingularRoundOff = 1e-14;

double Hessenberg::add(std::vector<double> h, bool last) {
  const std::size_t j = columns_.size();
  for (std::size_t i = 0; i < j; ++i) {
    const double a = h[i], b = h[i + 1];
    h[i] = cosines_[i] * a + sines_[i] * b;
    h[i + 1] = cosines_[i] * b - sines_[i] * a;
  }
  double whole = 0.0;
  for (double value : h) whole += value * value;
  const double size = std::hypot(h[j], h[j + 1]);
  if (last && size <= kSingularRoundOff * std::sqrt(whole)) {  // a singular system: this direction changes nothing
    h[j] = 0.0;
    columns_.push_back(std::move(h));
    return std::abs(right_[j]);
  }
  cosines_.push_back(h[j] / size);
  sines_.push_back(h[j + 1] / size);
  h[j] = size;
  right_.push_back(-sines_[j] * right_[j]);
  right_[j] *= cosines_[j];
  columns_.push_back(std::move(h));
  return std::abs(right_.back());
}

std::vector<double> Hessenberg::solve() const {
  const std::size_t n = columns_.size();
  std::vector<double> y(n);
  for (std::size_t i = n; i-- > 0;) {
    double sum = right_[i];
    for (std::size_t j = i + 1; j < n; ++j) sum -= columns_[j][i] * y[j];
    y[i] = columns_[i][i] != 0.0 ? sum / columns_[i][i] : 0.0;
  }
  return y;
}

}  // namespace gwrm
