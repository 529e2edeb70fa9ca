// Schur form of a square matrix: A = U T U^H, U unitary, T upper triangular (LAPACK's zgees).
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

struct ComplexSchur {
  Eigen::MatrixXcd unitary, triangle;  // the triangle's lower part is zero
  bool converged = true;
};

ComplexSchur complex_schur(const Eigen::MatrixXcd& a);

}  // namespace gwrm
