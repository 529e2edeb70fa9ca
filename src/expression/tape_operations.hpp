// The loops of the tape: pointwise operations on tensors that broadcast, and weighted sums along a dimension.
//
// Tensors are row-major with the last dimension fastest. The inner loops are plain enough for the compiler to
// vectorise: operands run with stride 1 or stand still, and the output never overlaps an operand.
#pragma once

#include <algorithm>
#include <vector>

#include "core/array.hpp"

namespace gwrm::expression {

// One loop over the output, the last of a list innermost; steps of the operands per iteration, in elements.
struct BroadcastLoop {
  Index extent = 1;
  Index step_a = 0;
  Index step_b = 0;
};

// The loops that run over `out`, neighbours merged wherever both operands allow it: tensors of equal shape, and a
// tensor with a scalar, become one long loop. Each extent of a and b is that of out or 1. Never empty.
inline std::vector<BroadcastLoop> broadcast_loops(const Shape& a, const Shape& b, const Shape& out) {
  std::vector<BroadcastLoop> loops;  // innermost first while they are made
  Index stride_a = 1;
  Index stride_b = 1;
  for (std::size_t i = out.size(); i-- > 0;) {
    const BroadcastLoop loop{out[i], a[i] == 1 ? 0 : stride_a, b[i] == 1 ? 0 : stride_b};
    stride_a *= a[i];
    stride_b *= b[i];
    if (loop.extent == 1) continue;
    if (!loops.empty() && loop.step_a == loops.back().step_a * loops.back().extent &&
        loop.step_b == loops.back().step_b * loops.back().extent)
      loops.back().extent *= loop.extent;
    else
      loops.push_back(loop);
  }
  if (loops.empty()) loops.push_back({});
  std::reverse(loops.begin(), loops.end());
  return loops;
}

template <class Operation>
void unary_loop(const double* a, double* out, Index n, Operation f) {
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) out[i] = f(a[i]);
}

template <class Operation>
void binary_loop(const BroadcastLoop& loop, const double* a, const double* b, double* out, Operation f) {
  const Index n = loop.extent;
  if (loop.step_a == 1 && loop.step_b == 1) {
#pragma GCC ivdep
    for (Index i = 0; i < n; ++i) out[i] = f(a[i], b[i]);
  } else if (loop.step_a == 0) {
    const double fixed = a[0];
#pragma GCC ivdep
    for (Index i = 0; i < n; ++i) out[i] = f(fixed, b[i * loop.step_b]);
  } else {
    const double fixed = b[0];  // the innermost steps are 0 or 1, and not both 1
#pragma GCC ivdep
    for (Index i = 0; i < n; ++i) out[i] = f(a[i], fixed);
  }
}

// out = f(a, b) over the loops, depth first.
template <class Operation>
double* broadcast(const BroadcastLoop* loop, std::size_t n_loops, const double* a, const double* b, double* out,
                  Operation f) {
  if (n_loops == 1) {
    binary_loop(*loop, a, b, out, f);
    return out + loop->extent;
  }
  for (Index i = 0; i < loop->extent; ++i)
    out = broadcast(loop + 1, n_loops - 1, a + i * loop->step_a, b + i * loop->step_b, out, f);
  return out;
}

}  // namespace gwrm::expression
