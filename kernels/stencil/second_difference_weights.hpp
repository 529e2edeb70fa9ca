// Weights of the second derivative on equidistant points, times h^2, of orders 2 and 4: a row for points inside and one
// for each of the first points; those of the last points are their mirror images.
//
// All rows of order p are exact for polynomials of degree p + 1, the inner ones by symmetry, those at the ends by one
// point more. Source: Taylor's expansion (inner rows: method/spectral-transforms, section 5).
#pragma once

#ifndef GWRM_BOTH_SIDES  // device code says __device__ before it includes this
#define GWRM_BOTH_SIDES
#endif

namespace gwrm {

template <int Order>
struct SecondDifference;

template <>
struct SecondDifference<2> {
  static constexpr int kRadius = 1;                       // of the inner row
  static constexpr int kEndRows = 1;                      // points at each end that have rows of their own
  static constexpr int kWidth = 4;                        // of these
  GWRM_BOTH_SIDES static constexpr double inner(int k) {  // k = -kRadius .. kRadius
    return k == 0 ? -2.0 : 1.0;
  }
  GWRM_BOTH_SIDES static constexpr double end(int, int k) {  // row, point from the end
    return k == 0 ? 2.0 : k == 1 ? -5.0 : k == 2 ? 4.0 : -1.0;
  }
};

template <>
struct SecondDifference<4> {
  static constexpr int kRadius = 2;
  static constexpr int kEndRows = 2;
  static constexpr int kWidth = 6;
  GWRM_BOTH_SIDES static constexpr double inner(int k) {
    return k == 0 ? -5.0 / 2.0 : k == 1 || k == -1 ? 4.0 / 3.0 : -1.0 / 12.0;
  }
  GWRM_BOTH_SIDES static constexpr double end(int row, int k) {
    const bool is_first = row == 0;  // numbers in the code, no table: the loops around this are unrolled
    switch (k) {
      case 0:
        return is_first ? 15.0 / 4.0 : 5.0 / 6.0;
      case 1:
        return is_first ? -77.0 / 6.0 : -5.0 / 4.0;
      case 2:
        return is_first ? 107.0 / 6.0 : -1.0 / 3.0;
      case 3:
        return is_first ? -13.0 : 7.0 / 6.0;
      case 4:
        return is_first ? 61.0 / 12.0 : -1.0 / 2.0;
      default:
        return is_first ? -5.0 / 6.0 : 1.0 / 12.0;
    }
  }
};

// sum_j weight_j value(j) of the row of point i among n; value takes a number from 0 to n - 1.
template <int Order, bool Periodic, class Value>
GWRM_BOTH_SIDES double second_difference(int i, int n, Value value) {
  using Weights = SecondDifference<Order>;
  double sum = 0.0;
  if (Periodic || (i >= Weights::kEndRows && i < n - Weights::kEndRows)) {
    for (int k = -Weights::kRadius; k <= Weights::kRadius; ++k) {
      const int j = i + k;
      sum += Weights::inner(k) * value(Periodic ? (j % n + n) % n : j);
    }
    return sum;
  }
  const bool is_last = i >= Weights::kEndRows;
  for (int k = 0; k < Weights::kWidth; ++k)
    sum += Weights::end(is_last ? n - 1 - i : i, k) * value(is_last ? n - 1 - k : k);
  return sum;
}

}  // namespace gwrm
