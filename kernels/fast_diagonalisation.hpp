// (A_slow (x) W_fast + W_slow (x) A_fast) u = b by diagonalising both one-dimensional operators.
//
// Formula  A V = W V L, V^T W V = 1 along each dimension; u = V_slow [ (V_slow^T b V_fast) / (l_j + l_i) ] V_fast^T.
// Cost     8 n^3 operations per solve (four matrix products); set-up: a symmetric eigenproblem per dimension, of two
//          halves where both ends have the same conditions (the eigenvectors are then even or odd).
// Memory   2 matrices of n_slow^2 and n_fast^2, 2 of n_slow x n_fast.
// Kernel   where l_j + l_i is zero but for rounding (pure Neumann) the component of u is set to zero.
// Error    ShapeError if an operator is not positive semidefinite.
// Source   Lynch, Rice and Thomas, Numer. Math. 6 (1964) 185.
#pragma once

#include <memory>
#include <vector>

#include "core/matrix.hpp"
#include "kernels/separable_operator.hpp"

namespace gwrm {

// Eigenvectors are columns of `vectors`; n x n, row-major.
struct LineModes {
  Matrix vectors;
  std::vector<double> values;  // ascending within a half
};
LineModes line_modes(const StencilRows& a, const std::vector<double>& weights);

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
