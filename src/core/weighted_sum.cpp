#include "core/weighted_sum.hpp"

#include <algorithm>

#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

GWRM_VECTOR_CLONES double eight_sums(const double* a, const double* b, Index n) {
  constexpr int kSums = 8;
  double sums[kSums] = {};
  Index j = 0;
  for (; j + kSums <= n; j += kSums)
    for (int k = 0; k < kSums; ++k) sums[k] += a[j + k] * b[j + k];
  for (int k = 0; j + k < n; ++k) sums[k] += a[j + k] * b[j + k];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

GWRM_VECTOR_CLONES void add_scaled(double factor, const double* a, Index n, double* sum) {
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) sum[i] += factor * a[i];
}

}  // namespace

double sum_of_products(const double* a, const double* b, Index n) {
  return eight_sums(a, b, n);
}

void weighted_sum(const double* a, const double* weights, Index outer, Index n, Index inner, double* out) {
  if (inner == 1) {
    for (Index o = 0; o < outer; ++o) out[o] = eight_sums(a + o * n, weights, n);
    return;
  }
  for (Index o = 0; o < outer; ++o, out += inner) {
    std::fill_n(out, inner, 0.0);
    for (Index j = 0; j < n; ++j, a += inner) add_scaled(weights[j], a, inner, out);
  }
}

}  // namespace gwrm
