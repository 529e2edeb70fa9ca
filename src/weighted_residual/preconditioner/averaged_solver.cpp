#include "weighted_residual/preconditioner/averaged_solver.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel_loop.hpp"
#include "core/thread_errors.hpp"
#include "kernels/transform/time_mode_transform.hpp"
#include "solver/gmres.hpp"
#include "solver/krylov_outcome.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

constexpr Index kMaxSingle = 12;            // nodes up to which single-precision factors serve
constexpr Index kUnknownsForThreads = 500;  // unknowns in space: below, waking a thread takes as long as a solve

}  // namespace

AveragedSolver::AveragedSolver(const WindowSystem& system, SpatialMethod method)
    : system_(system), method_(method), layout_(system) {
  if (const TimeBasis* time = system.discretisation().time()) {
    modes_ = &time_modes(time->n_unknowns());
    half_ = time->length() / 2.0;
  }
  precision_ = averaged_precision(modes_);
}

// Eigenvectors in time amplify the round-off of the factors by their condition, 1e6 for 12 nodes and 3e8 for 16.
Precision averaged_precision(const TimeModes* modes) {
  const bool amplified = modes != nullptr && modes->triangle.size() == 0 && modes->forward.cols() > kMaxSingle;
  return amplified ? Precision::double_complex : Precision::single_complex;
}

FactorResult AveragedSolver::factor(const std::vector<Array>& averages, const std::vector<Complex>& z) const {
  switch (method_) {
    case SpatialMethod::condensed:
      return static_condensation(system_, layout_, averages, z, precision_);
    case SpatialMethod::tensor:
      return tensor_factors(system_, layout_, averages, z, precision_);
    case SpatialMethod::wavenumber:
      return wavenumber_factors(system_, layout_, averages, z, precision_);
    case SpatialMethod::saddle:
      return saddle_factors(system_, layout_, averages, z, precision_);
    case SpatialMethod::dense:
      break;
  }
  return dense_factors(system_, layout_, averages, z, precision_);
}

LinearOutcome AveragedSolver::linearise(std::span<const double> x, bool fresh) {
  const bool first = at_x_.coefficients.empty();
  if (first || !system_.is_linear()) system_.linearise(x, at_x_);
  if (factors_ != nullptr && (borrowed_ ? first || !fresh : !fresh || system_.is_linear())) return {};
  return factor_anew();
}

LinearOutcome AveragedSolver::factor_anew() {
  borrowed_ = stale_ = false;
  // z_k = lambda_k h/2; a steady problem is S(0) = B_0.
  std::vector<Complex> z{0.0};
  if (modes_ != nullptr) {
    z = modes_->eigenvalues;
    for (Complex& value : z) value *= half_;
  }
  const std::vector<Array> averages = time_averages(system_, at_x_);
  FactorResult result = factor(averages, z);
  ++n_factorisations_;
  factors_ = std::move(result.factors);
  return factorisation_outcome(result.status, [] { return kSingularAverage; });
}

void AveragedSolver::solve_diagonal(std::span<const double> v, std::span<double> result) const {
  // V^-1 r for all rows, S(z_k) y_k = (V^-1 r)_k mode by mode and part by part, x = sum_k m Re(V_k y_k).
  const Index n = layout_.size, n_modes = modes_->forward.rows() / 2, n_times = layout_.n_times;
  const int n_threads = system_.context().n_threads();
  Complex *b = right_.reserve(n_modes * n), *x = solution_.reserve(n_modes * n);
  for (std::size_t block = 0; block + 1 < layout_.rows.size(); ++block) {
    const Index first = layout_.rows[block];
    to_time_modes(modes_->forward, v.data() + n_times * first, layout_.rows[block + 1] - first, b + first, n,
                  n_threads);
  }
  const Index n_parts = static_cast<Index>(factors_->n_parts());
  for_each_index_dynamically(n_modes * n_parts, n_threads > 1 && n > kUnknownsForThreads, n_threads, [&](Index task) {
    const Index k = task / n_parts;
    factors_->solve_part(static_cast<std::size_t>(task % n_parts), static_cast<std::size_t>(k),
                         {b + k * n, static_cast<std::size_t>(n)}, {x + k * n, static_cast<std::size_t>(n)});
  });
  for (std::size_t field = 0; field + 1 < layout_.fields.size(); ++field) {
    const Index first = layout_.fields[field];
    from_time_modes(modes_->backward, x + first, n, layout_.fields[field + 1] - first, result.data() + n_times * first,
                    n_threads);
  }
}

// sum_p (h/2)^p T^p (x) B_p is block upper triangular: from the last mode up.
void AveragedSolver::solve_triangular(const Matrix& right, Matrix& solution) const {
  const Index n = layout_.size, n_modes = right.rows() / 2;
  const int n_powers = highest_power(system_);
  // S(z_k) y_k = (U^H r)_k - sum_p sum_{j > k} ((h/2)^p T^p)_kj B_p y_j.
  std::vector<Eigen::MatrixXcd> powers{};  // (h/2)^p T^p, p = 1, 2, ..
  Eigen::MatrixXcd power = Eigen::MatrixXcd::Identity(n_modes, n_modes);
  for (int p = 1; p <= n_powers; ++p) powers.push_back(power = half_ * modes_->triangle * power);
  std::vector<ComplexMatrix> applied(powers.size(), ComplexMatrix(n_modes, n));  // row k of [p-1]: B_p x_k
  solution.resize(right.rows(), n);
  ComplexVector b(n), x(n), y(n);
  for (Index k = n_modes; k-- > 0;) {
    b.real() = right.row(2 * k);
    b.imag() = right.row(2 * k + 1);
    for (std::size_t p = 0; p < powers.size(); ++p)
      for (Index j = k + 1; j < n_modes; ++j) b -= powers[p](k, j) * applied[p].row(j).transpose();
    factors_->solve(static_cast<std::size_t>(k), {b.data(), static_cast<std::size_t>(n)},
                    {x.data(), static_cast<std::size_t>(n)});
    for (std::size_t p = 0; p < powers.size(); ++p) {
      factors_->apply(static_cast<int>(p) + 1, {x.data(), static_cast<std::size_t>(n)},
                      {y.data(), static_cast<std::size_t>(n)});
      applied[p].row(k) = y.transpose();
    }
    solution.row(2 * k) = x.real().transpose();
    solution.row(2 * k + 1) = x.imag().transpose();
  }
}

void AveragedSolver::precondition(std::span<const double> v, std::span<double> result) const {
  if (modes_ == nullptr) {
    std::vector<Complex> b(v.begin(), v.end()), x(v.size());
    const auto n_parts = static_cast<Index>(factors_->n_parts());
    ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads( \
    system_.context().n_threads()) if (method_ == SpatialMethod::wavenumber && layout_.size > kUnknownsForThreads)
    for (Index part = 0; part < n_parts; ++part)
      errors.run([&] { factors_->solve_part(static_cast<std::size_t>(part), 0, b, x); });
    errors.rethrow();
    std::transform(x.begin(), x.end(), result.begin(), [](Complex value) { return value.real(); });
    return;
  }
  if (modes_->triangle.size() == 0) {
    solve_diagonal(v, result);
    return;
  }
  Matrix solution;
  solve_triangular(modes_->forward * layout_.gather(v, layout_.rows), solution);
  layout_.scatter(modes_->backward * solution, layout_.fields, result);
}

void AveragedSolver::apply_preconditioner(std::span<double> v) {
  std::vector<double> right(v.begin(), v.end());
  precondition(right, v);
}

LinearOutcome AveragedSolver::solve(std::span<double> v, const KrylovTolerance& tolerance) {
  const std::vector<double> right(v.begin(), v.end());
  LinearOutcome outcome = iterate(right, v, tolerance);
  const bool is_rough = method_ == SpatialMethod::condensed && precision_ == Precision::single_complex;
  if (!borrowed_ && !is_rough) return outcome;
  stale_ |= borrowed_ && outcome.iterations > kBorrowUpTo;
  if (outcome.status == LinearStatus::solved || outcome.status == LinearStatus::interrupted) return outcome;
  if (is_rough) precision_ = Precision::double_complex;
  if (LinearOutcome factored = factor_anew(); factored.status != LinearStatus::solved) return factored;
  const int in_vain = outcome.iterations;
  outcome = iterate(right, v, tolerance);
  outcome.iterations += in_vain;
  return outcome;
}

int AveragedSolver::max_iterations() const {
  if (method_ != SpatialMethod::saddle) return kMaxKrylovIterations;
  return modes_ == nullptr ? kMaxSteadySaddleIterations : kMaxSaddleIterations;
}

LinearOutcome AveragedSolver::iterate(std::span<const double> right, std::span<double> v,
                                      const KrylovTolerance& tolerance) const {
  return krylov_outcome(
      gmres([&](std::span<const double> a, std::span<double> b) { system_.apply_jacobian(at_x_, a, b); },
            [&](std::span<const double> a, std::span<double> b) { precondition(a, b); }, right, v, tolerance,
            {max_iterations(), interruption()}, system_.context().n_threads()));
}

}  // namespace gwrm
