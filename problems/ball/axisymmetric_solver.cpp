#include "problems/ball/axisymmetric_solver.hpp"

#include <algorithm>
#include <complex>
#include <utility>

#include "basis/time_basis.hpp"
#include "core/blas.hpp"
#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "kernels/linear_algebra/complex_schur.hpp"

namespace gwrm::ball {
namespace {

using Number = std::complex<double>;

}  // namespace

AxisymmetricSolver::AxisymmetricSolver(const BallSpace& space, const std::vector<AxisymmetricFamily>& families,
                                       double window_length)
    : space_(space), families_(families), length_(window_length), factors_(families.size()) {
  const TimeBasis time(Weighting::radau, space.degrees().t, 0, 1, -1.0, 1.0, 2.0);  // its integrals are Q
  const ComplexSchur schur = complex_schur(time.values(1).cast<Number>());
  if (!schur.converged) throw ShapeError("no Schur form of the Radau nodes was found");
  unitary_ = schur.unitary;
  triangle_ = schur.triangle;
}

// mass + (h/2) T_kk (diffusion - A).
ComplexBandedMatrix AxisymmetricSolver::matrix(const AxisymmetricFamily& family, Index mode) const {
  const Number factor = length_ / 2.0 * triangle_(mode, mode);
  ComplexBandedMatrix result(family.size, family.width, family.width);
  for (const AxisymmetricFamily::Group& group : family.groups) {
    const auto add = [&](const SymmetricBands& bands, Number times) {
      for (std::size_t d = 0; d < bands.count; ++d)
        for (std::size_t k = 0; k + d < bands.n(); ++k) {
          const Index i = group.first + static_cast<Index>(k), j = i + static_cast<Index>(d);
          result(i, j) += times * bands.entry(d, k);
          if (d > 0) result(j, i) += times * bands.entry(d, k);
        }
    };
    add(space_.mass(group.part, group.l), 1.0);
    add(space_.diffusion(group.part, group.l), factor);
  }
  for (const AxisymmetricFamily::Coupling& coupling : family.couplings) {
    const Index row = family.groups[coupling.to].first, column = family.groups[coupling.from].first;
    for (Index j = 0; j < coupling.matrix.cols(); ++j)
      for (Index i = 0; i < coupling.matrix.rows(); ++i) result(row + i, column + j) -= factor * coupling.matrix(i, j);
  }
  return result;
}

// y += factor (diffusion - A) x.
void AxisymmetricSolver::add_generator(const AxisymmetricFamily& family, Number factor, const Eigen::VectorXcd& x,
                                       Number* y) const {
  for (const AxisymmetricFamily::Group& group : family.groups)
    add_product(space_.diffusion(group.part, group.l), factor, x.data() + group.first, y + group.first);
  for (const AxisymmetricFamily::Coupling& coupling : family.couplings) {
    const auto &to = family.groups[coupling.to], &from = family.groups[coupling.from];
    Eigen::Map<Eigen::VectorXcd>(y + to.first, to.n).noalias() -=
        factor * (coupling.matrix * x.segment(from.first, from.n));
  }
}

bool AxisymmetricSolver::make_factors(const std::vector<std::size_t>& driven) {
  const Index n_modes = space_.degrees().t;
  std::vector<std::pair<std::size_t, Index>> missing;  // family and time mode
  for (const std::size_t f : driven) {
    if (!factors_[f].of_mode.empty()) continue;
    factors_[f].of_mode.resize(static_cast<std::size_t>(n_modes));
    factors_[f].status.assign(static_cast<std::size_t>(n_modes), LuStatus::not_finite);
    for (Index k = 0; k < n_modes; ++k) missing.emplace_back(f, k);
  }
  const auto n_missing = static_cast<Index>(missing.size());
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (Index i = 0; i < n_missing; ++i)
    errors.run([&] {
      const auto [f, k] = missing[static_cast<std::size_t>(i)];
      const auto mode = static_cast<std::size_t>(k);
      factors_[f].status[mode] = factors_[f].of_mode[mode].factor(matrix(families_[f], k));
    });
  errors.rethrow();
  return std::all_of(driven.begin(), driven.end(), [&](std::size_t f) {
    const std::vector<LuStatus>& status = factors_[f].status;
    return std::all_of(status.begin(), status.end(), [](LuStatus one) { return one == LuStatus::regular; });
  });
}

bool AxisymmetricSolver::solve(const double* r, double* d) {
  const SingleThreadedBlas single;
  const Index n_nodes = space_.degrees().t, size = space_.unknowns().size();
  const auto place = [&](const AxisymmetricFamily& family, const AxisymmetricFamily::Group& group, bool of_sine) {
    return space_.unknowns().place(group.part, group.l,
                                   space_.unknowns().orders().column(of_sine ? -family.order : family.order));
  };
  // z = cosines - i sines, then W = U^H z: unknowns x nodes.
  std::vector<Eigen::MatrixXcd> modes(families_.size());
  std::vector<std::size_t> driven;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const AxisymmetricFamily& family = families_[f];
    Eigen::MatrixXcd given(family.size, n_nodes);
    for (const AxisymmetricFamily::Group& group : family.groups)
      for (Index j = 0; j < n_nodes; ++j) {
        const double* const cosines = r + j * size + place(family, group, false);
        const double* const sines = r + j * size + place(family, group, true);
        for (Index i = 0; i < group.n; ++i)
          given(group.first + i, j) = Number(cosines[i], family.order > 0 ? -sines[i] : 0.0);
      }
    if (given.isZero(0.0)) continue;
    modes[f] = given * unitary_.conjugate();
    driven.push_back(f);
  }
  if (!make_factors(driven)) return false;
  std::fill(d, d + n_nodes * size, 0.0);
  const auto n_driven = static_cast<Index>(driven.size());
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (Index i = 0; i < n_driven; ++i)
    errors.run([&] {
      const std::size_t f = driven[static_cast<std::size_t>(i)];
      const AxisymmetricFamily& family = families_[f];
      Eigen::MatrixXcd& w = modes[f];
      for (Index k = n_nodes - 1; k >= 0; --k) {
        const Index n_later = n_nodes - 1 - k;
        Number* const column = w.col(k).data();
        const Eigen::VectorXcd later = w.rightCols(n_later) * triangle_.row(k).tail(n_later).transpose();
        if (n_later > 0) add_generator(family, -length_ / 2.0, later, column);
        factors_[f].of_mode[static_cast<std::size_t>(k)].solve({column, static_cast<std::size_t>(family.size)});
      }
      const Eigen::MatrixXcd z = w * unitary_.transpose();
      for (const AxisymmetricFamily::Group& group : family.groups)
        for (Index j = 0; j < n_nodes; ++j)
          for (Index k = 0; k < group.n; ++k) {
            const Number value = z(group.first + k, j);
            d[j * size + place(family, group, false) + k] = value.real();
            if (family.order > 0) d[j * size + place(family, group, true) + k] = -value.imag();
          }
    });
  errors.rethrow();
  return true;
}

}  // namespace gwrm::ball
