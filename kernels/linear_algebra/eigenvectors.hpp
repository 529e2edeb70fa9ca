// All eigenvalues of a real square matrix with their right and left eigenvectors (LAPACK's dgeev, which balances
// first).
//
// Formula   M right.col(k) = values(k) right.col(k), left.col(k)^H M = values(k) left.col(k)^H; columns of 2-norm 1.
//           Complex values come in conjugate pairs, the one with positive imaginary part first.
// Cost      some 25 n^3 operations.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

struct Eigenvectors {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right, left;
  bool converged = true;
};

Eigenvectors eigenvectors(Eigen::MatrixXd m);

}  // namespace gwrm
