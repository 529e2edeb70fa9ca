// The matrices of cosine and sine transforms in quadruple precision, and errors against them: angles reduced in whole
// numbers, cosines by their series.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/transform/cosine_transform.hpp"
#include "quadruple.hpp"
#include "quadruple_angles.hpp"
#include "random_array.hpp"

namespace gwrm::test {

inline constexpr CosineKind kCosineKinds[] = {CosineKind::cosine_1, CosineKind::cosine_2, CosineKind::cosine_3,
                                              CosineKind::cosine_4, CosineKind::sine_1,   CosineKind::sine_2,
                                              CosineKind::sine_3,   CosineKind::sine_4};

// Entry (k, n) of a kind's matrix, as the header has it.
inline Quadruple cosine_entry(CosineKind kind, long long length, long long k, long long n) {
  switch (kind) {
    case CosineKind::cosine_1:
      return length == 1 ? 1 : exact_cosine(k * n, length - 1);
    case CosineKind::cosine_2:
      return exact_cosine(k * (2 * n + 1), 2 * length);
    case CosineKind::cosine_3:
      return exact_cosine(n * (2 * k + 1), 2 * length);
    case CosineKind::cosine_4:
      return exact_cosine((2 * n + 1) * (2 * k + 1), 4 * length);
    case CosineKind::sine_1:
      return exact_sine((k + 1) * (n + 1), length + 1);
    case CosineKind::sine_2:
      return exact_sine((k + 1) * (2 * n + 1), 2 * length);
    case CosineKind::sine_3:
      return exact_sine((n + 1) * (2 * k + 1), 2 * length);
    default:
      return exact_sine((2 * n + 1) * (2 * k + 1), 4 * length);
  }
}
inline Index least_length(CosineKind kind) {
  return kind == CosineKind::cosine_1 ? 2 : 1;
}

// Largest error over largest value of y, n_out rows from the n_in of x, in some rows of some lines; infinite where y is
// no number.
inline double cosine_error(CosineKind kind, Index n, Index outer, Index inner, const Array& x, const Array& y) {
  const Index n_in = x.shape[1], n_out = y.shape[1];
  double error = 0.0, largest = 0.0;
  for (const Index t : {Index{0}, outer * inner / 2, outer * inner - 1}) {
    const Index o = t / inner, i = t % inner;
    for (Index k = 0; k < n_out; k += 1 + (k > 3 && k < n - 3 ? n / 40 : 0)) {
      Quadruple sum = 0;
      for (Index j = 0; j < n_in; ++j)
        sum += cosine_entry(kind, n, k, j) * x.data[static_cast<std::size_t>((o * n_in + j) * inner + i)];
      const Quadruple value = y.data[static_cast<std::size_t>((o * n_out + k) * inner + i)];
      const double here = std::abs(static_cast<double>(value - sum));
      error = here == here ? std::max(error, here) : INFINITY;
      largest = std::max(largest, std::abs(static_cast<double>(sum)));
    }
  }
  return error / largest;
}

}  // namespace gwrm::test
