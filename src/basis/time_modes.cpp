#include "basis/time_modes.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <map>
#include <mutex>

#include "basis/radau.hpp"
#include "core/errors.hpp"
#include "core/extended_precision.hpp"

namespace gwrm {
namespace {

// In long double. Eigen's iteration stops by its epsilon, which must be that of the arithmetic.
TimeModes diagonal(const Matrix& q) {
  using Real = long double;
  using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using ComplexMatrix = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::EigenSolver<RealMatrix> solver(RealMatrix(q.cast<Real>()));
  if (solver.info() != Eigen::Success)
    throw Error(ExitStatus::internal_error, fmt::format("time modes: no convergence for K = {}", q.rows()));
  const ComplexMatrix v = solver.eigenvectors();
  const ComplexMatrix inverse = v.fullPivLu().inverse();
  TimeModes modes;
  std::vector<Index> kept;
  for (Index k = 0; k < q.rows(); ++k)
    if (solver.eigenvalues()(k).imag() >= Real(0)) kept.push_back(k);
  const Index n = static_cast<Index>(kept.size());
  modes.forward.resize(2 * n, q.rows());
  modes.backward.resize(q.rows(), 2 * n);
  for (Index i = 0; i < n; ++i) {
    const Index k = kept[static_cast<std::size_t>(i)];
    const std::complex<Real> lambda = solver.eigenvalues()(k);
    modes.eigenvalues.emplace_back(static_cast<double>(lambda.real()), static_cast<double>(lambda.imag()));
    const double multiplicity = lambda.imag() > Real(0) ? 2.0 : 1.0;
    for (Index j = 0; j < q.rows(); ++j) {
      modes.forward(2 * i, j) = static_cast<double>(inverse(k, j).real());
      modes.forward(2 * i + 1, j) = static_cast<double>(inverse(k, j).imag());
      modes.backward(j, 2 * i) = multiplicity * static_cast<double>(v(j, k).real());
      modes.backward(j, 2 * i + 1) = -multiplicity * static_cast<double>(v(j, k).imag());
    }
  }
  return modes;
}

TimeModes triangular(const Matrix& q) {
  const Eigen::ComplexSchur<Eigen::MatrixXcd> schur(q.cast<std::complex<double>>());
  const Eigen::MatrixXcd& u = schur.matrixU();
  TimeModes modes;
  modes.triangle = schur.matrixT();
  const Index n = q.rows();
  modes.forward.resize(2 * n, n);
  modes.backward.resize(n, 2 * n);
  for (Index k = 0; k < n; ++k) {
    modes.eigenvalues.push_back(modes.triangle(k, k));
    for (Index j = 0; j < n; ++j) {  // y = U^H x, x = Re(U y)
      modes.forward(2 * k, j) = u(j, k).real();
      modes.forward(2 * k + 1, j) = -u(j, k).imag();
      modes.backward(j, 2 * k) = u(j, k).real();
      modes.backward(j, 2 * k + 1) = -u(j, k).imag();
    }
  }
  return modes;
}

}  // namespace

bool has_diagonal_modes(Index n_nodes) {
  static const bool extended = has_extended_precision();
  return extended && n_nodes <= kMaxDiagonal;
}

const TimeModes& time_modes(Index n_nodes) {
  static std::mutex mutex;
  static std::map<Index, TimeModes> known;
  const Matrix& q = radau(n_nodes).integration;
  const std::lock_guard lock(mutex);
  const auto found = known.find(n_nodes);
  if (found != known.end()) return found->second;
  return known.emplace(n_nodes, has_diagonal_modes(n_nodes) ? diagonal(q) : triangular(q)).first->second;
}

}  // namespace gwrm
