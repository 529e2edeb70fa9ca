// (A_slow (x) W_fast + W_slow (x) A_fast) u = b by diagonalising both one-dimensional operators.
//
// Formula  A V^T = W V^T L, V W V^T = 1 along each dimension (kernels/sbp_sat/line_modes.hpp);
//          u = V_slow^T [ (V_slow b V_fast^T) / (l_j + l_i) ] V_fast.
// Cost     8 n^3 operations per solve (four matrix products); half of those along a dimension whose ends have the same
//          conditions: b is folded into even and odd parts once, u unfolded once (kernels/sbp_sat/even_odd_split.hpp).
//          Set-up: a symmetric eigenproblem per dimension, one for both where their operators are the same, of two
//          halves where both ends have the same conditions.
// Memory   Modes: n^2 per dimension, n^2/2 in halves, once for both where the operators are the same; 2 arrays like u;
//          for the set-up twice the largest eigenproblem's n^2.
// Kernel   where l_j + l_i is zero but for rounding (pure Neumann) the component of u is set to zero.
// Error    ShapeError if an operator is not positive semidefinite.
// Device   cuda::solve_by_fast_diagonalisation() of kernels/sbp_sat/device_poisson.hpp: the same formula with the
//          refinements that callers of solve() make by themselves, so that modes and residuals stay there.
// Source   Lynch, Rice and Thomas, Numer. Math. 6 (1964) 185.
#pragma once

#include <memory>

#include "kernels/sbp_sat/line_modes.hpp"
#include "kernels/sbp_sat/separable_operator.hpp"

namespace gwrm {

// Whether both dimensions have the same modes: solved once then.
inline bool has_equal_lines(const SeparableOperator& a) {
  return a.slow == a.fast && a.slow_weights == a.fast_weights;
}

class FastDiagonalisation {
 public:
  virtual ~FastDiagonalisation() = default;
  virtual void solve(const double* b, double* u) = 0;       // host vectors
  double smallest_eigenvalue() const { return smallest_; }  // of A v = lambda (W_slow (x) W_fast) v, zero left out

 protected:
  double smallest_ = 0.0;
};

namespace cpu {

// `split`: whether symmetries are used.
std::unique_ptr<FastDiagonalisation> make_fast_diagonalisation(const SeparableOperator& a,
                                                               LineSplit split = LineSplit::automatic);

// Bytes that it takes at most, an estimate.
double fast_diagonalisation_memory(const SeparableOperator& a);

}  // namespace cpu

}  // namespace gwrm
