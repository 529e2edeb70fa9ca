#include "problems/ball/window_solver.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "problems/ball/window_equations.hpp"
#include "solver/gmres.hpp"
#include "solver/newton.hpp"

namespace gwrm::ball {
namespace {

constexpr double kLinearTolerance = 1e-13;
constexpr double kLinearLoosest = 1e-10;  // what rounding may leave of it
constexpr int kMaxIterations = 120;
constexpr double kLongestWindow = 3.0;  // sqrt(h / kappa) max |u|: 13 to 23 iterations of the linear solver
constexpr double kHopeless = 100.0;     // tail of the first iterate over the tolerance: the window is not begun
constexpr int kPatience = 10;           // steps of Newton's method where windows may be shortened
constexpr double kNoField = 1e-10;      // of the largest field: rounding
constexpr double kNewtonShare = 0.01;   // of ball.tolerance: corrections below need no further step

// Coefficients from the values at -1 and the Radau nodes.
Matrix coefficients_from_values(const Vector& nodes) {
  const Index n_nodes = nodes.size();
  Matrix rows(n_nodes + 1, n_nodes + 1);
  rows.row(0) = chebyshev_row(n_nodes, -1.0);
  for (Index j = 0; j < n_nodes; ++j) rows.row(j + 1) = chebyshev_row(n_nodes, nodes(j));
  return rows.partialPivLu().inverse();
}

}  // namespace

RowVector chebyshev_row(Index degree, double s) {
  RowVector row(degree + 1);
  for (Index k = 0; k <= degree; ++k) row(k) = k == 0 ? 1.0 : k == 1 ? s : 2.0 * s * row(k - 1) - row(k - 2);
  return row;
}

WindowSolver::WindowSolver(const BallModel& model, const BallSpace& space, int n_alike, WindowDevice* device)
    : model_(model),
      space_(space),
      n_nodes_(space.degrees().t),
      time_(Weighting::radau, n_nodes_, 0, 1, -1.0, 1.0, 2.0),
      to_coefficients_(coefficients_from_values(time_.points())),
      terms_(model, space),
      direct_(model, space, terms_, n_alike),
      evolving_(model, space),
      memory_(space, terms_, evolving_) {
  if (device != nullptr && device_refusal(space, terms_, evolving_).empty())
    device_ = device->windows(model, space, terms_, evolving_);
}

double WindowSolver::prepare(double h) {
  if (length_ > 0.0 && std::abs(length_ - h) <= 1e-14 * h) return length_;
  length_ = h;
  ++n_factorisations_;
  if (device_ == nullptr) solver_ = std::make_unique<DiffusionSolver>(space_, h);
  return length_;
}

double WindowSolver::longest_window(const std::vector<double>& state) const {
  std::vector<double> e(static_cast<std::size_t>(space_.series().size()));
  space_.to_series(state.data(), e.data());
  double longest = std::numeric_limits<double>::infinity();
  const auto limit = [&](double speed, const std::vector<std::size_t>& parts) {
    const double u = speed / model_.section().radius;
    for (const std::size_t part : parts)
      if (u > 0.0)
        longest =
            std::min(longest, kLongestWindow * kLongestWindow * space_.parts()[part].like_diffusivity() / (u * u));
  };
  limit(terms_.largest_speed(), terms_.carried());
  limit(evolving_.largest_speed(e.data()), evolving_.carried());
  return longest;
}

// <phi, source> at the nodes; no rows without sources.
Matrix WindowSolver::sources(double start, double h) {
  if (!model_.has_source()) return {};
  Matrix rows(n_nodes_, space_.unknowns().size());
  for (Index j = 0; j < n_nodes_; ++j) {
    if (source_.empty() || model_.source_depends_on_time())
      source_ = model_.source(space_, start + h / 2.0 * (1.0 + time_.points()(j)));
    rows.row(j) = Eigen::Map<const RowVector>(source_.data(), rows.cols());
  }
  return rows;
}

WindowValues WindowSolver::solve_nonlinear(const std::vector<double>& state, double start, double end,
                                           double tolerance) {
  const double h = end - start;
  const Index size = space_.unknowns().size();
  const RowVector first = Eigen::Map<const RowVector>(state.data(), size);
  std::vector<double> times;
  for (Index j = 0; j < n_nodes_; ++j) times.push_back(start + h / 2.0 * (1.0 + time_.points()(j)));
  const Matrix of_source = sources(start, h), integrals = time_.values(1);
  std::optional<WindowEquations> equations;
  std::optional<WindowCorrections> corrections;
  if (device_ == nullptr) {
    equations.emplace(WindowData{space_, terms_, evolving_, *solver_, integrals, state, times, of_source, h / 2.0});
    corrections.emplace(*equations, *solver_, memory_.cycle());
  }
  const DeviceWindowData on_device{length_, state, of_source};

  WindowValues result;
  result.rows.resize(n_nodes_ + 1, size);
  result.rows.row(0) = first;
  const auto set_rows = [&](const std::vector<double>& x) {
    result.rows.bottomRows(n_nodes_) = Eigen::Map<const Matrix>(x.data(), n_nodes_, size);
  };
  // -M^-1 f(x), Newton's correction as the preconditioner has it.
  const auto first_correction = [&](const std::vector<double>& x) {
    if (device_ != nullptr) return device_->first_correction(on_device, x);
    std::vector<double> f(x.size());
    equations->residual(x, f);
    solver_->solve(f.data(), f.data());
    return Vector(-Eigen::Map<const Vector>(f.data(), static_cast<Index>(f.size())));
  };
  const Matrix constant = first.replicate(n_nodes_, 1);
  std::vector<double> x(constant.data(), constant.data() + constant.size());
  const Vector from_constant = first_correction(x);
  if (tolerance > 0.0) {
    std::vector<double> estimate = x;
    for (std::size_t i = 0; i < estimate.size(); ++i) estimate[i] += from_constant(static_cast<Index>(i));
    set_rows(estimate);
    if (!(tail(coefficients(result.rows)) <= kHopeless * tolerance)) {
      result.failure = fmt::format("the window from t = {:.6g} of length {:.3g} is too long for its degree", start, h);
      return result;
    }
  }
  // From the constant, or from the polynomial of the window before: from what has the smaller correction.
  if (last_.rows() > 0 && last_end_ == start) {
    std::vector<double> extrapolated(x.size());
    for (Index j = 0; j < n_nodes_; ++j) {
      const double s = (2.0 * times[static_cast<std::size_t>(j)] - last_start_ - last_end_) / (last_end_ - last_start_);
      Eigen::Map<RowVector>(extrapolated.data() + j * size, size) = chebyshev_row(n_nodes_, s) * last_;
    }
    if (first_correction(extrapolated).norm() < from_constant.norm()) x = std::move(extrapolated);
  }
  NewtonOptions options;
  const Case::Solver::Newton& wanted = model_.of_case().solver.newton;
  options.tolerance = std::max(wanted.tolerance, kNewtonShare * model_.section().tolerance);
  options.max_iterations = tolerance > 0.0 ? std::min(wanted.max_iterations, kPatience) : wanted.max_iterations;
  const NewtonResult newton_result = device_ != nullptr
                                         ? device_->newton(on_device, x, options, interrupted_, result.iterations)
                                         : newton(*equations, x, options, *corrections, interrupted_);
  if (corrections) result.iterations = corrections->iterations();
  if (!succeeded(newton_result.status))
    result.failure = fmt::format(
        "Newton's method did not converge in the window from t = {:.6g} of length {:.3g}: {}{}", start, h,
        to_string(newton_result.status), newton_result.detail.empty() ? "" : " (" + newton_result.detail + ")");
  set_rows(x);
  if (result.failure.empty()) follow(start, end, result.rows);
  return result;
}

GmresResult WindowSolver::iterate(double length, const Matrix& right, Matrix& change) const {
  if (device_ != nullptr) return device_->solve(length, right.data(), change.data(), kLinearTolerance, kMaxIterations);
  const Index size = space_.unknowns().size();
  const auto all = static_cast<std::size_t>(n_nodes_ * size);
  Matrix images(n_nodes_, size), diffused(n_nodes_, size), masses(n_nodes_, size);
  const LinearOperator matrix = [&](std::span<const double> v, std::span<double> y) {
#pragma omp parallel for
    for (Index j = 0; j < n_nodes_; ++j) {
      const double* const at_node = v.data() + j * size;
      terms_.apply(at_node, images.row(j).data());
      space_.apply_diffusion(at_node, diffused.row(j).data());
      space_.apply_mass(at_node, masses.row(j).data());
    }
    Eigen::Map<Matrix>(y.data(), n_nodes_, size).noalias() =
        masses + length / 2.0 * (time_.values(1) * (diffused - images));
  };
  const LinearOperator precondition = [&](std::span<const double> v, std::span<double> y) {
    solver_->solve(v.data(), y.data());
  };
  return gmres(matrix, precondition, {right.data(), all}, {change.data(), all}, kLinearTolerance,
               {kMaxIterations, memory_.cycle(), false});
}

WindowValues WindowSolver::solve(const std::vector<double>& state, double start, double end, bool homogeneous,
                                 double tolerance) {
  const double h = end - start;
  const Index size = space_.unknowns().size();
  const double length = prepare(h);
  if (evolving_.any()) return solve_nonlinear(state, start, end, tolerance);
  RowVector rate(size), coupled = RowVector::Zero(size);
  space_.apply_diffusion(state.data(), rate.data());
  if (terms_.any()) terms_.apply(state.data(), coupled.data());
  Matrix rates = (coupled - rate).replicate(n_nodes_, 1);
  if (!homogeneous)
    if (const Matrix of_source = sources(start, h); of_source.rows() > 0) rates += of_source;
  const Matrix right = h / 2.0 * (time_.values(1) * rates);
  Matrix change = Matrix::Zero(n_nodes_, size);
  WindowValues result;
  if (!terms_.any()) {
    solver_->solve(right.data(), change.data());
  } else if (!direct_.is_due(length) || !direct_.solve(length, right.data(), change.data())) {
    const GmresResult gmres_result = iterate(length, right, change);
    result.iterations = gmres_result.iterations;
    const bool failed = !gmres_result.finite || !(gmres_result.relative_residual <= kLinearLoosest);
    // Iterations on a device cost less than the factors.
    direct_.count(length, device_ == nullptr ? gmres_result.iterations : 0, failed);
    if (failed && !(direct_.is_due(length) && direct_.solve(length, right.data(), change.data())))
      result.failure = fmt::format(
          "the linear solver did not converge in the window from t = {:.6g} of length {:.3g}: {} iterations left "
          "{:.1e}",
          start, h, gmres_result.iterations, gmres_result.relative_residual);
  }
  result.rows.resize(n_nodes_ + 1, size);
  result.rows.row(0) = Eigen::Map<const RowVector>(state.data(), size);
  for (Index j = 0; j < n_nodes_; ++j) result.rows.row(j + 1) = result.rows.row(0) + change.row(j);
  return result;
}

double WindowSolver::tail(const Matrix& coefficients) const {
  const Index last = std::min<Index>(2, coefficients.rows() - 1);
  const Layout& series = space_.series();
  std::vector<double> all, of_last;
  for (std::size_t part = 0; part < space_.parts().size(); ++part) {
    const Index first = series.place(part, 0), n = series.place(part, space_.degrees().l + 1) - first;
    all.resize(space_.parts()[part].field + 1, 0.0);
    of_last.resize(all.size(), 0.0);
    all[space_.parts()[part].field] += coefficients.middleCols(first, n).squaredNorm();
    of_last[space_.parts()[part].field] += coefficients.middleCols(first, n).bottomRows(last).squaredNorm();
  }
  const double largest = *std::max_element(all.begin(), all.end());
  double worst = 0.0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (of_last[i] > 0.0) worst = std::max(worst, of_last[i] / std::max(all[i], kNoField * kNoField * largest));
  return std::isfinite(largest) ? std::sqrt(worst) : largest;
}

Matrix WindowSolver::coefficients(const Matrix& rows) const {
  Matrix series(n_nodes_ + 1, space_.series().size());
  const Matrix in_time = to_coefficients_ * rows;
  for (Index k = 0; k <= n_nodes_; ++k) space_.to_series(in_time.row(k).data(), series.row(k).data());
  return series;
}

}  // namespace gwrm::ball
