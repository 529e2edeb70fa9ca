// Transforms between Chebyshev coefficients and symmetric points at half their cost.
//
// T_k(-x) = (-1)^k T_k(x): on points that are symmetric about 0 the even and the odd coefficients give u(x) + u(-x) and
// u(x) - u(-x) apart, each with a matrix of a quarter of the size. The same holds for derivatives (with the sign s = -1
// if odd) and, transposed, for the projection of values on polynomials.
#pragma once

#include <memory>

#include "core/matrix.hpp"

namespace gwrm {

// synthesis  A[m-1-j, k] = s (-1)^k A[j, k]:  y_j = e_j + o_j, y_{m-1-j} = s (e_j - o_j),
//            e = even x_{0,2,..}, o = odd x_{1,3,..}.
// analysis   A[k, n-1-j] = s (-1)^k A[k, j]:  y_{0,2,..} = even p, y_{1,3,..} = odd q,
//            p_j = x_j + s x_{n-1-j}, q_j = x_j - s x_{n-1-j}; a point in the middle counts once in both.
// j runs over the first half of the points, the middle included.
struct ParitySplit {
  enum class Kind { synthesis, analysis };
  Kind kind = Kind::synthesis;
  double sign = 1.0;  // s
  Matrix even, odd;
  Matrix even_turned, odd_turned;  // transposed: for products from the right
};

// Null if the matrix has no such symmetry to round-off, or is too small to gain from it.
std::shared_ptr<const ParitySplit> split_by_parity(const Matrix& a);

}  // namespace gwrm
