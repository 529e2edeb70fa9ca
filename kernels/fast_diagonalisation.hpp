// (A_slow (x) W_fast + W_slow (x) A_fast) u = b by diagonalising both one-dimensional operators.
//
// Formula  A V^T = W V^T L, V W V^T = 1 along each dimension (kernels/line_modes.hpp);
//          u = V_slow^T [ (V_slow b V_fast^T) / (l_j + l_i) ] V_fast.
// Cost     8 n^3 operations per solve (four matrix products); set-up: a symmetric eigenproblem per dimension, one for
//          both where their operators are the same, of two halves where both ends have the same conditions.
// Memory   2 matrices of n_slow^2 and n_fast^2 (one of both where the operators are the same), 2 of n_slow x n_fast.
// Kernel   where l_j + l_i is zero but for rounding (pure Neumann) the component of u is set to zero.
// Error    ShapeError if an operator is not positive semidefinite.
// Source   Lynch, Rice and Thomas, Numer. Math. 6 (1964) 185.
#pragma once

#include <memory>

#include "kernels/separable_operator.hpp"

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
std::unique_ptr<FastDiagonalisation> make_fast_diagonalisation(const SeparableOperator& a);
}

}  // namespace gwrm
