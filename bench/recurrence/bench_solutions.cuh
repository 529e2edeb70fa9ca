// Discrete solutions of what recurrence_bench.cu solves, and errors against them.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/array.hpp"
#include "core/device_handles.cuh"

namespace gwrm::cuda {

inline long double quarter_turn(Index n) {  // z
  return std::numbers::pi_v<long double> / 4.0L / static_cast<long double>(n);
}

// That of the discrete solution of P1.
inline long double discrete_amplitude(Index n) {
  const long double z = quarter_turn(n);
  return (z / std::sin(z)) * (z / std::sin(z));
}

// A problem with u'(0) = 0, u(1) = 0: half of f(0), and its discrete solution in x with n intervals.
struct Known {
  double half_at_zero;
  long double (*solution)(Index n, long double x);
};
inline const Known kP1{std::numbers::pi * std::numbers::pi / 8.0, [](Index n, long double x) {
                         return discrete_amplitude(n) * std::cos(std::numbers::pi_v<long double> / 2.0L * x);
                       }};
// f = x (1 - x): central differences of x^4 and x^3 are 12 x^2 + 2 h^2 and 6 x.
inline const Known kPolynomial{0.0, [](Index n, long double x) {
                                 const long double h = 1.0L / static_cast<long double>(n), h2 = h * h;
                                 return ((((x - 2.0L) * x - h2) * x + 2.0L * h2) * x + 1.0L - h2) / 12.0L;
                               }};

// Relative 2-norm of the difference to exact(x); every point up to 2^24, else every n / 2^24-th.
template <class Value, class Exact, class IndexOf>
double error_against(const Value* device_u, Index n, Exact exact_at, IndexOf index_of) {
  const Index stride = std::max<Index>(1, n >> 24), count = n / stride;
  std::vector<Value> u(static_cast<std::size_t>(count));
  GWRM_DEVICE(cudaMemcpy2D(u.data(), sizeof(Value), device_u, static_cast<std::size_t>(stride) * sizeof(Value),
                           sizeof(Value), static_cast<std::size_t>(count), cudaMemcpyDeviceToHost));
  const long double h = 1.0L / static_cast<long double>(n);
  long double difference = 0.0L, size = 0.0L;
  for (Index k = 0; k < count; ++k) {
    const long double exact = exact_at(static_cast<long double>(index_of(k * stride)) * h);
    difference += (exact - u[static_cast<std::size_t>(k)]) * (exact - u[static_cast<std::size_t>(k)]);
    size += exact * exact;
  }
  return static_cast<double>(std::sqrt(difference / size));
}

// The same of amplitude cos(pi/2 x).
template <class Value, class IndexOf>
double error_of(const Value* device_u, Index n, long double amplitude, IndexOf index_of) {
  return error_against(
      device_u, n, [&](long double x) { return amplitude * std::cos(std::numbers::pi_v<long double> / 2.0L * x); },
      index_of);
}

inline const auto kNatural = [](Index i) { return i; };

}  // namespace gwrm::cuda
