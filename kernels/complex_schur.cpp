#include "kernels/complex_schur.hpp"

#include <lapacke.h>

#include <vector>

namespace gwrm {

ComplexSchur complex_schur(const Eigen::MatrixXcd& a) {
  const auto n = static_cast<lapack_int>(a.rows());
  ComplexSchur result{Eigen::MatrixXcd(n, n), a};
  if (n == 0) return result;
  std::vector<std::complex<double>> eigenvalues(static_cast<std::size_t>(n));
  const auto raw = [](std::complex<double>* p) { return reinterpret_cast<lapack_complex_double*>(p); };
  lapack_int n_selected = 0;
  result.converged = LAPACKE_zgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, raw(result.triangle.data()), n, &n_selected,
                                   raw(eigenvalues.data()), raw(result.unitary.data()), n) == 0;
  result.triangle.triangularView<Eigen::StrictlyLower>().setZero();
  return result;
}

}  // namespace gwrm
