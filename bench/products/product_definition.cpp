#include "bench/products/product_definition.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/measure/bench_numbers.hpp"
#include "kernels/product/chebyshev_product.hpp"

namespace gwrm {
namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

// All pairs (i, j) of one dimension with i + j = k or |i - j| = k, a pair twice if both hold: T_i T_j has two terms.
Pairs pairs_of(Index n, Index k) {
  Pairs pairs;
  for (Index i = 0; i < n; ++i) {
    if (i <= k) pairs.emplace_back(i, k - i);
    if (i >= k) pairs.emplace_back(i, i - k);
    if (k > 0 && i + k < n) pairs.emplace_back(i, i + k);
  }
  return pairs;
}

// Over dimension d and those behind it; a and b point to the blocks that the outer indices have selected.
long double sum_of_products(const Shape& shape, const std::vector<Pairs>& pairs, std::size_t d, Index block,
                            const double* a, const double* b) {
  const Index inner = block / shape[d];
  long double sum = 0.0L;
  for (const auto& [i, j] : pairs[d])
    sum += d + 1 < shape.size() ? sum_of_products(shape, pairs, d + 1, inner, a + i * inner, b + j * inner)
                                : static_cast<long double>(a[i]) * static_cast<long double>(b[j]);
  return sum;
}

std::vector<Pairs> pairs_of_coefficient(const Shape& shape, Index flat) {
  std::vector<Pairs> pairs(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; flat /= shape[d]) pairs[d] = pairs_of(shape[d], flat % shape[d]);
  return pairs;
}

// So many coefficients that their sums have at most `max_terms` products: all, or every so-many-th and the last.
std::vector<Index> places_to_check(const Shape& shape, double max_terms) {
  const Index size = element_count(shape);
  const Index step = std::max<Index>(1, static_cast<Index>(std::ceil(direct_product_terms(shape) / max_terms)));
  std::vector<Index> places;
  for (Index place = 0; place < size; place += step) places.push_back(place);
  if (places.back() != size - 1) places.push_back(size - 1);
  return places;
}

}  // namespace

ProductDefinition::ProductDefinition(const Shape& shape, const double* a, const double* b, double max_terms)
    : places_(places_to_check(shape, max_terms)), coefficients_(places_.size()) {
  const long double scale = std::ldexp(1.0L, -static_cast<int>(shape.size()));
  const Index n_places = static_cast<Index>(places_.size());
#pragma omp parallel for schedule(dynamic, 8)
  for (Index p = 0; p < n_places; ++p) {
    const auto place = static_cast<std::size_t>(p);
    coefficients_[place] =
        scale * sum_of_products(shape, pairs_of_coefficient(shape, places_[place]), 0, element_count(shape), a, b);
  }
  for (long double coefficient : coefficients_) largest_ = std::max(largest_, std::abs(coefficient));
}

template <typename Real>
ProductError ProductDefinition::error_of(const Real* c) const {
  ProductError error{0.0, static_cast<Index>(places_.size())};
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const long double difference = std::abs(static_cast<long double>(c[places_[p]]) - coefficients_[p]);
    error.maximum = bench::larger_error(error.maximum, static_cast<double>(difference / largest_));
  }
  return error;
}
template ProductError ProductDefinition::error_of(const double* c) const;
template ProductError ProductDefinition::error_of(const float* c) const;

}  // namespace gwrm
