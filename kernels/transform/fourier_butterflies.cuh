// Discrete Fourier transforms of a few complex numbers in the registers of one thread,
//   X_k = sum_n x_n exp(2 pi i n k / R),   in place and in natural order.
//
// R = 2, 3, 4, 5 are written out; 6 and 10 are products of coprime lengths (Good's mapping: no factors between the two
// transforms), 8 is 2 x 4 with roots of unity between them.
//
// Device only: the CPU's are those of vectors (kernels/transform/fourier_butterflies.hpp).
#pragma once

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

namespace gwrm::cuda {

__device__ inline double2 operator+(double2 p, double2 q) {
  return {p.x + q.x, p.y + q.y};
}
__device__ inline double2 operator-(double2 p, double2 q) {
  return {p.x - q.x, p.y - q.y};
}
__device__ inline double2 operator*(double s, double2 p) {
  return {s * p.x, s * p.y};
}
__device__ inline double2 times(double2 p, double2 q) {
  return {p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x};
}
__device__ inline double2 times_i(double2 p) {
  return {-p.y, p.x};
}
__device__ inline double2 conjugate(double2 p) {
  return {p.x, -p.y};
}

template <int R>
__device__ inline void butterfly(double2 (&x)[R]);

template <>
__device__ inline void butterfly<2>(double2 (&x)[2]) {
  const double2 sum = x[0] + x[1];
  x[1] = x[0] - x[1];
  x[0] = sum;
}

template <>
__device__ inline void butterfly<3>(double2 (&x)[3]) {
  constexpr double kSin60 = 0.86602540378443864676;
  const double2 sum = x[1] + x[2], turned = times_i(kSin60 * (x[1] - x[2]));
  const double2 middle = x[0] - 0.5 * sum;
  x[0] = x[0] + sum;
  x[1] = middle + turned;
  x[2] = middle - turned;
}

template <>
__device__ inline void butterfly<4>(double2 (&x)[4]) {
  const double2 p = x[0] + x[2], q = x[1] + x[3], r = x[0] - x[2], s = times_i(x[1] - x[3]);
  x[0] = p + q;
  x[1] = r + s;
  x[2] = p - q;
  x[3] = r - s;
}

template <>
__device__ inline void butterfly<5>(double2 (&x)[5]) {
  constexpr double kCos72 = 0.30901699437494742410, kCos144 = -0.80901699437494742410;
  constexpr double kSin72 = 0.95105651629515357212, kSin144 = 0.58778525229247312917;
  const double2 p = x[1] + x[4], q = x[2] + x[3], r = x[1] - x[4], s = x[2] - x[3];
  const double2 first = x[0] + kCos72 * p + kCos144 * q, second = x[0] + kCos144 * p + kCos72 * q;
  const double2 of_first = times_i(kSin72 * r + kSin144 * s), of_second = times_i(kSin144 * r - kSin72 * s);
  x[0] = x[0] + p + q;
  x[1] = first + of_first;
  x[2] = second + of_second;
  x[3] = second - of_second;
  x[4] = first - of_first;
}

// R = A B, coprime: n = B n1 + A n2 (mod R); k = k1 (mod A) = k2 (mod B).
template <int A, int B>
__device__ inline void coprime_butterfly(double2 (&x)[A * B]) {
  constexpr int R = A * B;
  double2 sums[B][A];
#pragma unroll
  for (int n2 = 0; n2 < B; ++n2) {
#pragma unroll
    for (int n1 = 0; n1 < A; ++n1) sums[n2][n1] = x[(B * n1 + A * n2) % R];
    butterfly<A>(sums[n2]);
  }
#pragma unroll
  for (int k1 = 0; k1 < A; ++k1) {
    double2 line[B];
#pragma unroll
    for (int n2 = 0; n2 < B; ++n2) line[n2] = sums[n2][k1];
    butterfly<B>(line);
#pragma unroll
    for (int k = k1; k < R; k += A) x[k] = line[k % B];
  }
}

template <>
__device__ inline void butterfly<6>(double2 (&x)[6]) {
  coprime_butterfly<2, 3>(x);
}
// n = 4 n1 + n2, k = k1 + 2 k2, exp(2 pi i n2 k1 / 8) between the sums over n1 and n2.
template <>
__device__ inline void butterfly<8>(double2 (&x)[8]) {
  constexpr double kSin45 = 0.70710678118654752440;
  double2 even[4], odd[4];
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    even[n] = x[n] + x[n + 4];
    odd[n] = x[n] - x[n + 4];
  }
  odd[1] = kSin45 * (odd[1] + times_i(odd[1]));
  odd[2] = times_i(odd[2]);
  odd[3] = kSin45 * (times_i(odd[3]) - odd[3]);
  butterfly(even);
  butterfly(odd);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    x[2 * k] = even[k];
    x[2 * k + 1] = odd[k];
  }
}
template <>
__device__ inline void butterfly<10>(double2 (&x)[10]) {
  coprime_butterfly<2, 5>(x);
}

}  // namespace gwrm::cuda
