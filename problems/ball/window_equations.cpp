#include "problems/ball/window_equations.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "solver/krylov_outcome.hpp"

namespace gwrm::ball {
namespace {

constexpr double kSmallField = 1e-8;  // of the largest field: corrections of smaller ones are relative to that

using Rows = Eigen::Map<Matrix>;
using ConstRows = Eigen::Map<const Matrix>;

}  // namespace

void WindowEquations::assemble(std::span<const double> rows, const Matrix& rates, bool from_state,
                               std::span<double> y) const {
  const Index n = n_unknowns();
  Matrix diffused(n_nodes(), n), masses(n_nodes(), n);
#pragma omp parallel for
  for (Index j = 0; j < n_nodes(); ++j) {
    const double* const row = rows.data() + j * n;
    data_.space.apply_diffusion(row, diffused.row(j).data());
    if (!from_state) {
      data_.space.apply_mass(row, masses.row(j).data());
      continue;
    }
    std::vector<double> change(row, row + n);
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= data_.state[i];
    data_.space.apply_mass(change.data(), masses.row(j).data());
  }
  Rows(y.data(), n_nodes(), n).noalias() = masses + data_.half * (data_.integrals * (diffused - rates));
}

void WindowEquations::residual(std::span<const double> x, std::span<double> f) {
  const Index n = n_unknowns();
  Matrix rates(n_nodes(), n);
#pragma omp parallel for
  for (Index j = 0; j < n_nodes(); ++j) {
    std::vector<double> e(static_cast<std::size_t>(data_.space.series().size())), moments(e.size());
    data_.space.to_series(x.data() + j * n, e.data());
    data_.terms.moments(e.data(), moments.data());
    data_.evolving.add_moments(data_.evolving.on_points(e.data()), data_.times[static_cast<std::size_t>(j)],
                               moments.data());
    data_.space.test(moments.data(), rates.row(j).data());
    if (data_.sources.rows() > 0) rates.row(j) += data_.sources.row(j);
  }
  assemble(x, rates, true, f);
}

void WindowEquations::jacobian(std::span<const double>, std::span<double>) {
  throw ShapeError("the Jacobian of a window in the sphere is not formed");
}

void WindowEquations::linearise(std::span<const double> x) {
  const Index n = n_unknowns();
  at_.resize(static_cast<std::size_t>(n_nodes()));
  slopes_.resize(at_.size());
#pragma omp parallel for
  for (Index j = 0; j < n_nodes(); ++j) {
    const auto node = static_cast<std::size_t>(j);
    std::vector<double> e(static_cast<std::size_t>(data_.space.series().size()));
    data_.space.to_series(x.data() + j * n, e.data());
    at_[node] = data_.evolving.on_points(e.data());
    slopes_[node] = data_.evolving.reaction_slopes(at_[node], data_.times[node]);
  }
}

void WindowEquations::apply_jacobian(std::span<const double> w, std::span<double> y) const {
  const Index n = n_unknowns();
  Matrix rates(n_nodes(), n);
#pragma omp parallel for
  for (Index j = 0; j < n_nodes(); ++j) {
    const auto node = static_cast<std::size_t>(j);
    std::vector<double> e(static_cast<std::size_t>(data_.space.series().size())), moments(e.size());
    data_.space.to_series(w.data() + j * n, e.data());
    data_.terms.moments(e.data(), moments.data());
    data_.evolving.add_derivative(at_[node], slopes_[node], data_.evolving.on_points(e.data()), moments.data());
    data_.space.test(moments.data(), rates.row(j).data());
  }
  assemble(w, rates, false, y);
}

std::vector<double> field_sizes(const BallSpace& space, const std::vector<double>& squares,
                                const std::vector<double>& counts) {
  std::vector<double> sums, numbers, sizes;
  for (std::size_t part = 0; part < squares.size(); ++part) {
    const std::size_t field = space.parts()[part].field;
    sums.resize(field + 1, 0.0);
    numbers.resize(field + 1, 0.0);
    sums[field] += squares[part];
    numbers[field] += counts[part];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sizes.push_back(std::sqrt(sums[i] / numbers[i]));
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  for (double& size : sizes) {
    size = std::max(size, kSmallField * largest);
    if (!(size > 0.0)) size = 1.0;
  }
  return sizes;
}

void WindowEquations::weights(std::span<const double> x, std::span<double> w) const {
  const Layout& layout = data_.space.unknowns();
  const std::vector<Part>& parts = data_.space.parts();
  const ConstRows rows(x.data(), n_nodes(), n_unknowns());
  std::vector<double> squares, counts;
  const auto block = [&](std::size_t part) {
    const Index first = layout.place(part, 0);
    return std::pair{first, layout.place(part, data_.space.degrees().l + 1) - first};
  };
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto [first, n] = block(part);
    squares.push_back(rows.middleCols(first, n).squaredNorm());
    counts.push_back(static_cast<double>(n * n_nodes()));
  }
  const std::vector<double> sizes = field_sizes(data_.space, squares, counts);
  Rows all(w.data(), n_nodes(), n_unknowns());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto [first, n] = block(part);
    all.middleCols(first, n).setConstant(sizes[parts[part].field]);
  }
}

LinearOutcome WindowCorrections::linearise(std::span<const double> x, bool) {
  equations_.linearise(x);
  return {};
}

LinearOutcome WindowCorrections::solve(std::span<double> v, const KrylovTolerance& tolerance) {
  const std::vector<double> right(v.begin(), v.end());
  const LinearOperator jacobian = [&](std::span<const double> w, std::span<double> y) {
    equations_.apply_jacobian(w, y);
  };
  const LinearOperator precondition = [&](std::span<const double> w, std::span<double> y) {
    diffusion_.solve(w.data(), y.data());
  };
  GmresLimits limits(kMostNewtonIterations, cycle_, false);
  limits.interrupted = interruption();
  const GmresResult result = gmres(jacobian, precondition, right, v, tolerance, limits);
  iterations_ += result.iterations;
  return krylov_outcome(result);
}

}  // namespace gwrm::ball
