// Blocks of 2 x 2 numbers and pairs of numbers, of which a pentadiagonal matrix is block tridiagonal.
//
// Device only: the CPU eliminates pentadiagonal rows one by one.
#pragma once

#include "kernels/banded/warp_rows.cuh"

namespace gwrm::banded {

template <class Number>
struct Pair {
  Number x, y;
};
template <class Number>
struct Square {
  Number xx, xy, yx, yy;
};

template <class Number>
__device__ inline Pair<Number> operator-(const Pair<Number>& a, const Pair<Number>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class Number>
__device__ inline Square<Number> operator-(const Square<Number>& a) {
  return {-a.xx, -a.xy, -a.yx, -a.yy};
}
template <class Number>
__device__ inline Square<Number> operator-(const Square<Number>& a, const Square<Number>& b) {
  return {a.xx - b.xx, a.xy - b.xy, a.yx - b.yx, a.yy - b.yy};
}
template <class Number>
__device__ inline Pair<Number> operator*(const Square<Number>& a, const Pair<Number>& b) {
  return {a.xx * b.x + a.xy * b.y, a.yx * b.x + a.yy * b.y};
}
template <class Number>
__device__ inline Square<Number> operator*(const Square<Number>& a, const Square<Number>& b) {
  return {a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx, a.yx * b.xy + a.yy * b.yy};
}
template <class Number>
__device__ inline Square<Number> zero_square() {
  const Number zero = number<Number>(0.0);
  return {zero, zero, zero, zero};
}
template <class Number>
__device__ inline Square<Number> unit_square() {
  const Number zero = number<Number>(0.0), one = number<Number>(1.0);
  return {one, zero, zero, one};
}
template <class Number>
__device__ inline Pair<Number> zero_pair() {
  return {number<Number>(0.0), number<Number>(0.0)};
}

// a b - c d; of doubles to two units in the last place, whatever cancels (Kahan).
__device__ inline double difference_of_products(double a, double b, double c, double d) {
  const double product = c * d, error = fma(-c, d, product);
  return fma(a, b, -product) + error;
}
__device__ inline DoubleDouble difference_of_products(DoubleDouble a, DoubleDouble b, DoubleDouble c, DoubleDouble d) {
  return a * b - c * d;
}
__device__ inline Complex difference_of_products(Complex a, Complex b, Complex c, Complex d) {
  return a * b - c * d;
}

// Adjugate over determinant: with a determinant that is right, so are the entries of the inverse. Zero, and not sound,
// where there is none.
template <class Number>
__device__ inline Square<Number> inverse_of(const Square<Number>& a, bool& sound) {
  const Number determinant = difference_of_products(a.xx, a.yy, a.xy, a.yx);
  const bool usable = is_pivot(determinant);
  sound = sound && usable;
  const Number r = usable ? number<Number>(1.0) / determinant : number<Number>(0.0);
  return {a.yy * r, -(a.xy * r), -(a.yx * r), a.xx * r};
}

template <class Number>
__device__ inline Pair<Number> shuffled(const Pair<Number>& a, int lane) {
  return {shuffled(a.x, lane), shuffled(a.y, lane)};
}
template <class Number>
__device__ inline Pair<Number> shuffled_up(const Pair<Number>& a, int distance) {
  return {shuffled_up(a.x, distance), shuffled_up(a.y, distance)};
}
template <class Number>
__device__ inline Pair<Number> shuffled_down(const Pair<Number>& a, int distance) {
  return {shuffled_down(a.x, distance), shuffled_down(a.y, distance)};
}
template <class Number>
__device__ inline Square<Number> shuffled(const Square<Number>& a, int lane) {
  return {shuffled(a.xx, lane), shuffled(a.xy, lane), shuffled(a.yx, lane), shuffled(a.yy, lane)};
}
template <class Number>
__device__ inline Square<Number> shuffled_up(const Square<Number>& a, int distance) {
  return {shuffled_up(a.xx, distance), shuffled_up(a.xy, distance), shuffled_up(a.yx, distance),
          shuffled_up(a.yy, distance)};
}
template <class Number>
__device__ inline Square<Number> shuffled_down(const Square<Number>& a, int distance) {
  return {shuffled_down(a.xx, distance), shuffled_down(a.xy, distance), shuffled_down(a.yx, distance),
          shuffled_down(a.yy, distance)};
}

}  // namespace gwrm::banded
