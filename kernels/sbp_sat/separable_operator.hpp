// A = A_slow (x) W_fast + W_slow (x) A_fast applied without a matrix, in one pass: the SBP-SAT operator of
// -div(c grad u) with constant c on one rectangle.
//
// Formula  q[j,i] = w_fast[i] sum_k A_slow[j,k] u[k,i] + w_slow[j] sum_k A_fast[i,k] u[j,k].
// Layout   u, q: n_slow x n_fast, row-major: i (fast) counts neighbours in memory.
// Cost     16 bytes a point from memory (u read, q written); direction 24, step 40.
// Sums     one per row, then over the rows in order: the same bits with any number of threads.
// Device   kernels/sbp_sat/separable_operator_device.cuh; direction, step and the one-pass iteration are kernels of the
//          solvers there (kernels/sbp_sat/device_poisson.hpp).
#pragma once

#include <vector>

#include "core/context.hpp"
#include "kernels/linear_algebra/long_vector.hpp"
#include "kernels/sbp_sat/stencil_rows.hpp"

namespace gwrm {

struct SeparableOperator {
  StencilRows slow, fast;
  std::vector<double> slow_weights, fast_weights;

  Index size() const { return slow.n * fast.n; }
};

std::vector<double> diagonal(const SeparableOperator& a);

namespace cpu {

// q = A u.
void separable_apply(const SeparableOperator& a, const double* u, double* q);

// r = b - A u from differences of neighbours, sum_k a_k (u_k - u_i) + s u_i with the exact sums s of the rows. In A u
// itself the entries' rounding (1/12 - 4/3 + 5/2 - ... is not zero) acts on u everywhere alike, which the inverse
// raises by 1/h^2: 2e-13 of u with 256 intervals, order 4. Here it acts on the differences.
void separable_residual(const SeparableOperator& a, const double* b, const double* u, double* r);

// p = s r + beta p; returns p.A p. `s` is a diagonal matrix, the identity where null. A p is not kept: finding it anew
// in separable_step() is cheaper than memory. workspace: separable_workspace(a) doubles, for both.
double separable_direction(const SeparableOperator& a, double beta, const double* r, const double* s, double* p,
                           double* workspace);

// x += alpha p; r -= alpha A p; the sums of the new r (kernels/linear_algebra/long_vector.hpp).
ResidualSums separable_step(const SeparableOperator& a, double alpha, const double* p, const double* s, double* x,
                            double* r, double* workspace);

std::size_t separable_workspace(const SeparableOperator& a);

// A whole iteration of Chronopoulos and Gear in one pass over memory (SymmetricOperator::one_pass): A p and A z are
// found row by row behind p and r, while these are in the cache.
// Cost: 48 bytes a point from memory with x, 32 without; s 8 more. workspace: one_pass_workspace(a) doubles.
OnePassSums separable_one_pass(const SeparableOperator& a, const OnePassStep& step, const double* s, double* p,
                               double* x, double* r, double* workspace);

std::size_t one_pass_workspace(const SeparableOperator& a);

}  // namespace cpu

namespace cuda {

// q = A u by way of the device, for tests.
void separable_apply(const Context& context, const SeparableOperator& a, const double* u, double* q);

}  // namespace cuda
}  // namespace gwrm
