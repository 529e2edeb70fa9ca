#include "expression/trigonometric_interpolant.hpp"

#include <algorithm>
#include <utility>

namespace gwrm::expression {
namespace {

constexpr std::size_t kMostPlaces = 4000000;

}  // namespace

TrigonometricInterpolant::TrigonometricInterpolant(std::vector<const SampledAxis*> axes, AtPoints at_points)
    : axes_(std::move(axes)), at_points_(std::move(at_points)) {
  std::size_t n = 1;
  for (std::size_t i = 0; i < axes_.size(); ++i)
    if (axes_[i]->n_around() > 0) {
      any_ = true;
      n = std::min(kMostPlaces + 1, n * n_places(i));
    }
  any_ = any_ && n <= kMostPlaces;
}

double TrigonometricInterpolant::value(const Indices& index) {
  if (!any_) return at_points_(index);
  Indices others;
  std::size_t place = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (is_along(i))
      place = place * n_places(i) + index[i] % n_places(i);
    else
      others.push_back(index[i]);
  }
  auto found = known_.find(others);
  if (found == known_.end()) {
    if (n_known_ > kMostPlaces) {
      known_.clear();
      n_known_ = 0;
    }
    found = known_.emplace(others, around(index)).first;
    n_known_ += found->second.size();
  }
  return found->second[place];
}

// Cells begin at the last point, which is seen before the first one: so do places.
std::vector<double> TrigonometricInterpolant::around(const Indices& index) const {
  Indices extents(axes_.size(), 1), point = index, turn(axes_.size(), 0);
  std::size_t outer = 1;
  for (std::size_t i = 0; i < axes_.size(); ++i)
    if (is_along(i)) outer *= extents[i] = axes_[i]->n_around();
  std::vector<double> values;
  for (std::size_t count = 0; count < outer; ++count) {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (is_along(i)) point[i] = turn[i] == 0 ? extents[i] : turn[i];
    values.push_back(at_points_(point));
    for (std::size_t i = axes_.size(); i-- > 0;) {
      if (++turn[i] < extents[i]) break;
      turn[i] = 0;
    }
  }
  std::size_t inner = 1;
  for (std::size_t i = axes_.size(); i-- > 0;) {
    if (!is_along(i)) continue;
    const std::size_t n = extents[i];
    outer /= n;
    std::vector<double> next(outer * kPerCell * n * inner, 0.0);
    for (std::size_t p = 0; p < kPerCell; ++p) {
      const std::vector<double> weights =
          axes_[i]->trigonometric_weights(static_cast<double>(p) / static_cast<double>(kPerCell));
      for (std::size_t o = 0; o < outer; ++o)
        for (std::size_t k = 0; k < n; ++k)
          for (std::size_t j = 0; j < n; ++j) {
            const double weight = weights[k >= j ? k - j : k + n - j];
            if (weight == 0.0) continue;
            const double* from = values.data() + (o * n + j) * inner;
            double* to = next.data() + (o * kPerCell * n + kPerCell * k + p) * inner;
            for (std::size_t l = 0; l < inner; ++l) to[l] += weight * from[l];
          }
    }
    values = std::move(next);
    inner *= kPerCell * n;
  }
  return values;
}

}  // namespace gwrm::expression
