#include "kernels/linear_algebra/complex_schur.hpp"

#include <lapacke.h>

#include <cmath>
#include <complex>
#include <vector>

#include "kernels/linear_algebra/lapack_memory.hpp"

namespace gwrm {
namespace {

using Number = std::complex<double>;

// (x, y) <- (conj(c) x + s y, -s x + c y), s real.
void rotate(Number c, double s, Number& x, Number& y) {
  const Number first = std::conj(c) * x + s * y;
  y = c * y - s * x;
  x = first;
}

// The block of rows m - 1 and m, which LAPACK leaves as (a b; l a) with b l < 0: the rotation that makes it triangular,
// from the left and, adjoint, from the right. (i w, l), w = sqrt(-b l), is the eigenvector of a + i w.
void triangulate_block(Eigen::Index m, Eigen::MatrixXcd& t, Eigen::MatrixXcd& u) {
  const double upper = t(m - 1, m).real(), lower = t(m, m - 1).real();
  const double w = std::sqrt(std::abs(upper)) * std::sqrt(std::abs(lower)), size = std::hypot(w, lower);
  const Number c(0.0, w / size);
  const double s = lower / size;
  for (Eigen::Index j = m - 1; j < t.cols(); ++j) rotate(c, s, t(m - 1, j), t(m, j));
  for (Eigen::Index i = 0; i <= m; ++i) rotate(std::conj(c), s, t(i, m - 1), t(i, m));
  for (Eigen::Index i = 0; i < u.rows(); ++i) rotate(std::conj(c), s, u(i, m - 1), u(i, m));
  t(m, m - 1) = 0.0;
}

ComplexSchur from_real(Eigen::MatrixXd a) {
  const auto n = static_cast<lapack_int>(a.rows());
  Eigen::MatrixXd orthogonal(n, n);
  std::vector<double> re(static_cast<std::size_t>(n)), im(re.size());
  lapack_int n_selected = 0;
  ComplexSchur result;
  result.converged = with_memory(LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, a.data(), n, &n_selected,
                                               re.data(), im.data(), orthogonal.data(), n)) == 0;
  result.triangle = a.cast<Number>();
  result.unitary = orthogonal.cast<Number>();
  for (Eigen::Index m = n; m-- > 1;)
    if (result.triangle(m, m - 1) != 0.0) triangulate_block(m, result.triangle, result.unitary);
  return result;
}

}  // namespace

ComplexSchur complex_schur(const Eigen::MatrixXcd& a) {
  const auto n = static_cast<lapack_int>(a.rows());
  ComplexSchur result{Eigen::MatrixXcd(n, n), a};
  if (n == 0) return result;
  if ((a.imag().array() == 0.0).all()) {
    result = from_real(a.real());
  } else {
    std::vector<Number> eigenvalues(static_cast<std::size_t>(n));
    const auto raw = [](Number* p) { return reinterpret_cast<lapack_complex_double*>(p); };
    lapack_int n_selected = 0;
    result.converged =
        with_memory(LAPACKE_zgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, raw(result.triangle.data()), n, &n_selected,
                                  raw(eigenvalues.data()), raw(result.unitary.data()), n)) == 0;
  }
  result.triangle.triangularView<Eigen::StrictlyLower>().setZero();
  return result;
}

}  // namespace gwrm
