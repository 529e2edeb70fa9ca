// Linear recurrences of order 1 and 2 with constant coefficients, and tridiagonal Toeplitz systems by them.
//
// Formula   y_i = a1 y_{i-1} + a2 y_{i-2} + d_i, i = 0 .. n-1, from y_{-1} and y_{-2}.
// Method    as block_recurrence.hpp: weighted sums of every block in double, from block to block the 2 x 2 state in
//           double-double, then each block from its state. Where a root of z^2 = a1 z + a2 is nearer to 1 than 1/2 the
//           state is (y, y_i - y_{i-1}): powers of the companion matrix would cancel there.
// Accuracy  within a block of 128 plain double: about 1e-15 of the largest |y| for roots inside or on the unit circle.
// Stability a root beyond the unit circle multiplies errors like y itself; |root|^n > 1e6 is refused.
// Memory    host pointers, n values each; d and y may be the same array. The same bits for any number of threads.
#pragma once

#include <span>
#include <string>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/recurrence/block_recurrence.hpp"

namespace gwrm {

struct LinearRecurrence {
  double a1 = 0.0;
  double a2 = 0.0;  // 0: order 1
};

// The larger modulus of the two roots.
double largest_root(const LinearRecurrence& recurrence);

// Empty, or why n steps would not give a single right digit.
std::string why_unstable(const LinearRecurrence& recurrence, Index n);

// `workspace`: recurrence_workspace_size(n) states. Error (singular) with why_unstable() as its text; ShapeError for
// arrays that do not fit together.
void linear_recurrence(const Context& context, const LinearRecurrence& recurrence, double before_first,
                       double before_that, std::span<const double> d, std::span<RecurrenceState> workspace,
                       std::span<double> y);

// lower u_{i-1} + diagonal u_i + upper u_{i+1} = d_i for i = 1 .. n-2, and in the first and last row
//   first_diagonal u_0 + first_upper u_1 = d_0,   last_lower u_{n-2} + last_diagonal u_{n-1} = d_{n-1}.
struct AlmostToeplitz {
  double lower = -1.0, diagonal = 2.0, upper = -1.0;
  double first_diagonal = 2.0, first_upper = -1.0, last_lower = -1.0, last_diagonal = 2.0;
};

// Solved by the two-sided recurrence; needs |diagonal| > |lower| + |upper| (all roots off the unit circle, one on
// either side), else Error (singular) that says so; n >= 4. d and u may be the same array. One rounding, times 1/(n
// decay) where the roots 1 - decay are so near to 1 that this is more than 1: a Poisson matrix is no case for this
// function.
void solve_almost_toeplitz(const Context& context, const AlmostToeplitz& matrix, std::span<const double> d,
                           std::span<RecurrenceState> workspace, std::span<double> u);

}  // namespace gwrm
