// Parallel cyclic reduction of block tridiagonal rows with blocks of 2 x 2 in the registers of a warp: block row
// r 32 + t in register r of lane t.
//
// Contract: kernels/banded/pentadiagonal.hpp
//
//   rows multiplied by the inverse of their diagonal, A X_{q-d} + X_q + C X_{q+d} = Y:
//     P = 1 - A_q C_{q-d} - C_q A_{q+d},  Y = P^-1 (Y_q - A_q Y_{q-d} - C_q Y_{q+d}),
//     A = -P^-1 A_q A_{q-d},  C = -P^-1 C_q C_{q+d};  d *= 2
// About 35 multiply-adds a row and step. Rows outside the system are A = C = Y = 0.
#pragma once

#include "kernels/banded/cyclic_reduction.cuh"
#include "kernels/banded/square_blocks.cuh"

namespace gwrm::banded {

// shifted_rows of all numbers of the blocks.
template <int kShift, int kBlocks, class Number>
__device__ inline void shifted_blocks(const Square<Number> (&rows)[kBlocks], Square<Number> (&values)[kBlocks]) {
  Number from[kBlocks], to[kBlocks];
  const auto shift = [&](auto entry) {
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) from[r] = rows[r].*entry;
    shifted_rows<kShift>(from, to);
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) values[r].*entry = to[r];
  };
  shift(&Square<Number>::xx);
  shift(&Square<Number>::xy);
  shift(&Square<Number>::yx);
  shift(&Square<Number>::yy);
}
template <int kShift, int kBlocks, class Number>
__device__ inline void shifted_blocks(const Pair<Number> (&rows)[kBlocks], Pair<Number> (&values)[kBlocks]) {
  Number from[kBlocks], to[kBlocks];
  const auto shift = [&](auto entry) {
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) from[r] = rows[r].*entry;
    shifted_rows<kShift>(from, to);
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) values[r].*entry = to[r];
  };
  shift(&Pair<Number>::x);
  shift(&Pair<Number>::y);
}

// Steps d = kDistance, 2 kDistance, .. below n block rows. False in a lane that meets no pivot; its row becomes zero.
template <int kDistance, int kBlocks, class Number>
__device__ inline bool reduce_blocks(Square<Number> (&a)[kBlocks], Square<Number> (&c)[kBlocks],
                                     Pair<Number> (&y)[kBlocks], int n) {
  bool sound = true;
  if constexpr (kDistance < kLanes * kBlocks) {
    if (kDistance >= n) return true;
    Square<Number> other[kBlocks], inverse[kBlocks], next[kBlocks];
    Pair<Number> its_right[kBlocks], right[kBlocks];
    shifted_blocks<kDistance>(c, other);
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) inverse[r] = unit_square<Number>() - a[r] * other[r];
    shifted_blocks<-kDistance>(a, other);
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) inverse[r] = inverse_of(inverse[r] - c[r] * other[r], sound);
    shifted_blocks<kDistance>(y, its_right);
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) right[r] = y[r] - a[r] * its_right[r];
    shifted_blocks<-kDistance>(y, its_right);
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) y[r] = inverse[r] * (right[r] - c[r] * its_right[r]);
    shifted_blocks<kDistance>(a, next);
    shifted_blocks<-kDistance>(c, other);
#pragma unroll
    for (int r = 0; r < kBlocks; ++r) {
      a[r] = -(inverse[r] * (a[r] * next[r]));
      c[r] = -(inverse[r] * (c[r] * other[r]));
    }
    sound = reduce_blocks<2 * kDistance>(a, c, y, n) && sound;
  }
  return sound;
}

}  // namespace gwrm::banded
