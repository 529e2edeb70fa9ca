// Schur form of a square matrix: A = U T U^H, U unitary, T upper triangular (LAPACK's zgees).
//
// A matrix without imaginary parts is brought to its real Schur form (dgees), with blocks of 2 x 2 for pairs of complex
// eigenvalues, and each block is then made triangular by one complex rotation (Golub and Van Loan, Matrix Computations,
// 7.4): less than half the time.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

struct ComplexSchur {
  Eigen::MatrixXcd unitary, triangle;  // the triangle's lower part is zero
  bool converged = true;
};

ComplexSchur complex_schur(const Eigen::MatrixXcd& a);

}  // namespace gwrm
