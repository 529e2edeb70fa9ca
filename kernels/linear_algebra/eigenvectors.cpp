#include "kernels/linear_algebra/eigenvectors.hpp"

#include <lapacke.h>

#include <complex>

#include "kernels/linear_algebra/lapack_memory.hpp"

namespace gwrm {
namespace {

// LAPACK's real form: of a pair the columns hold the real and the imaginary part of the first's vector.
Eigen::MatrixXcd complex_columns(const Eigen::MatrixXd& packed, const Eigen::VectorXd& imaginary) {
  const std::complex<double> i(0.0, 1.0);
  Eigen::MatrixXcd vectors = packed.cast<std::complex<double>>();
  for (Eigen::Index k = 0; k + 1 < packed.cols(); ++k) {
    if (imaginary(k) <= 0.0) continue;
    vectors.col(k) = packed.col(k) + i * packed.col(k + 1);
    vectors.col(k + 1) = vectors.col(k).conjugate();
    ++k;
  }
  return vectors;
}

}  // namespace

Eigenvectors eigenvectors(Eigen::MatrixXd m) {
  const auto n = static_cast<lapack_int>(m.rows());
  Eigen::VectorXd re(n), im(n);
  Eigen::MatrixXd left(n, n), right(n, n);
  Eigenvectors result;
  if (n == 0) return result;
  result.converged = with_memory(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', n, m.data(), n, re.data(), im.data(),
                                               left.data(), n, right.data(), n)) == 0;
  result.values = re + std::complex<double>(0.0, 1.0) * im;
  result.right = complex_columns(right, im);
  result.left = complex_columns(left, im);
  return result;
}

}  // namespace gwrm
