// Parallel cyclic reduction throughout, in the registers of a warp: row r 32 + t in register r of lane t, so that
// memory is read in its order, distances below 32 are exchanges between lanes and longer ones changes of the register.
//
// Contract: kernels/banded/bidiagonal.hpp, kernels/banded/tridiagonal.hpp; the variant cyclic_reduction
//
//   bidiagonal    y_i -= s_i y_{i-d};  s_i = -s_i s_{i-d};  d *= 2                     ceil(log2(n / d)) steps
//   tridiagonal   rows divided by their diagonal, a x_{i-d} + x_i + c x_{i+d} = y:
//                   b = 1 - a_i c_{i-d} - c_i a_{i+d},  y = (y_i - a_i y_{i-d} - c_i y_{i+d}) / b,
//                   a = -a_i a_{i-d} / b,  c = -c_i c_{i+d} / b;  d *= 2               one division a row and step
// Rows outside the system are a = c = y = 0.
#pragma once

#include "kernels/banded/substitution_steps.cuh"

namespace gwrm::banded {

// values[r] <- the value d rows before (d > 0) or behind (d < 0), zero outside the 32 kRows rows.
template <int kShift, int kRows, class Number>
__device__ inline void shifted_rows(const Number (&rows)[kRows], Number (&values)[kRows]) {
  constexpr int kDistance = kShift < 0 ? -kShift : kShift;
  if constexpr (kDistance >= kLanes) {
    constexpr int kRegisters = kShift / kLanes;
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      values[r] =
          r - kRegisters >= 0 && r - kRegisters < kRows ? rows[(r - kRegisters + kRows) % kRows] : number<Number>(0.0);
  } else {
    // Rotated within the register; lanes at the end take the neighbouring register's.
    const int lane = lane_of_warp(), from = (lane - kShift + kLanes) % kLanes;
    const bool own = kShift > 0 ? lane >= kDistance : lane + kDistance < kLanes;
    Number last = number<Number>(0.0);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const int r = kShift > 0 ? k : kRows - 1 - k;
      const Number rotated = shuffled(rows[r], from);
      values[r] = own ? rotated : last;
      last = rotated;
    }
  }
}

template <int kRows, class Number>
__device__ inline void load_strided(Piece<const Number> piece, Number missing, Number (&rows)[kRows]) {
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = r * kLanes + lane_of_warp();
    rows[r] = row < piece.count ? piece.first[static_cast<long long>(row) * piece.step] : missing;
  }
}
template <int kRows, class Number>
__device__ inline void store_strided(const Number (&rows)[kRows], Piece<Number> piece) {
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = r * kLanes + lane_of_warp();
    if (row < piece.count) piece.first[static_cast<long long>(row) * piece.step] = rows[r];
  }
}

// Steps d = kDistance, 2 kDistance, .. below n with stored multipliers, those of a step 32 kRows behind those of the
// last.
template <int kDistance, int kRows, class Number>
__device__ inline void reduce_bidiagonal(Number (&rows)[kRows], const Number* multipliers, int n) {
  if constexpr (kDistance < kLanes * kRows) {
    if (kDistance >= n) return;
    Number before[kRows];
    shifted_rows<kDistance>(rows, before);
#pragma unroll
    for (int r = 0; r < kRows; ++r) rows[r] = rows[r] - multipliers[r * kLanes + lane_of_warp()] * before[r];
    reduce_bidiagonal<2 * kDistance>(rows, multipliers + kLanes * kRows, n);
  }
}

template <int kRows, int kDistance, int kWarps, class Number>
__device__ void reduce_batch(const BatchOfRows<Number>& batch, bool upward, const Number* scale,
                             const Number* multipliers) {
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / kLanes;
  if (system >= batch.batch) return;
  Number rows[kRows];
  load_strided<kRows, Number>(piece_of<kRows>(batch.y + system * batch.n, batch.n, 0, upward), number<Number>(0.0),
                              rows);
  if (scale != nullptr) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) rows[r] = scale[r * kLanes + lane_of_warp()] * rows[r];
  }
  reduce_bidiagonal<kDistance>(rows, multipliers, static_cast<int>(batch.n));
  store_strided<kRows, Number>(rows, piece_of<kRows>(batch.x + system * batch.n, batch.n, 0, upward));
}

// Of rows with unit diagonal. False in a lane that meets no pivot; its row becomes zero.
template <int kDistance, int kRows, class Number>
__device__ inline bool reduce_tridiagonal(Number (&a)[kRows], Number (&c)[kRows], Number (&y)[kRows], int n) {
  bool sound = true;
  if constexpr (kDistance < kLanes * kRows) {
    if (kDistance >= n) return true;
    Number other[kRows], next_a[kRows], next_c[kRows], pivot[kRows];
    shifted_rows<kDistance>(c, other);
#pragma unroll
    for (int r = 0; r < kRows; ++r) pivot[r] = number<Number>(1.0) - a[r] * other[r];
    shifted_rows<-kDistance>(a, other);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      pivot[r] = pivot[r] - c[r] * other[r];
      const bool usable = is_pivot(pivot[r]);
      sound = sound && usable;
      pivot[r] = usable ? number<Number>(1.0) / pivot[r] : number<Number>(0.0);
    }
    shifted_rows<kDistance>(a, other);
#pragma unroll
    for (int r = 0; r < kRows; ++r) next_a[r] = -(a[r] * other[r]) * pivot[r];
    shifted_rows<-kDistance>(c, other);
#pragma unroll
    for (int r = 0; r < kRows; ++r) next_c[r] = -(c[r] * other[r]) * pivot[r];
    Number before[kRows];
    shifted_rows<kDistance>(y, before);
    shifted_rows<-kDistance>(y, other);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      y[r] = (y[r] - a[r] * before[r] - c[r] * other[r]) * pivot[r];
      a[r] = next_a[r];
      c[r] = next_c[r];
    }
    sound = reduce_tridiagonal<2 * kDistance>(a, c, y, n) && sound;
  }
  return sound;
}

}  // namespace gwrm::banded
