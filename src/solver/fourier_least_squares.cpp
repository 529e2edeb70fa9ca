#include "solver/fourier_least_squares.hpp"

#include "core/matrix_storage.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

// In the order of the numbers.
double square(const Numbers& x) {
  double sum = 0.0;
  for (const Complex& z : x) sum += std::norm(z);
  return sum;
}

double weighted_square(const Numbers& x, std::span<const double> weights) {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += (weights.empty() ? 1.0 : weights[j]) * std::norm(x[j]);
  return sum;
}

// E and E* W.
class Sums {
 public:
  Sums(std::span<const Index> modes, std::span<const std::span<const double>> coordinates,
       const FourierFitOptions& options)
      : options_(options), plan_(modes, options.transform_tolerance) {
    plan_.set_points(coordinates, options.n_threads);
    workspace_.resize(cpu::nonuniform_workspace(plan_, options.n_threads));
    weighted_.resize(static_cast<std::size_t>(plan_.n_points()));
  }
  std::size_t n_modes() const { return static_cast<std::size_t>(plan_.geometry().n_modes()); }
  void at_points(const Numbers& F, Numbers& values) {
    cpu::nonuniform_type2(plan_, 1, F.data(), values.data(), workspace_.data(), options_.n_threads);
  }
  void adjoint(const Numbers& values, Numbers& F) {
    const std::span<const double> weights = options_.weights;
    for (std::size_t j = 0; j < values.size(); ++j) weighted_[j] = weights.empty() ? values[j] : weights[j] * values[j];
    cpu::nonuniform_type1(plan_, -1, weighted_.data(), F.data(), workspace_.data(), options_.n_threads);
  }

 private:
  const FourierFitOptions& options_;
  NonuniformPlan plan_;
  Numbers workspace_, weighted_;
};

// The steps alpha_j and beta_j of conjugate gradients are the entries of Lanczos' tridiagonal matrix, whose eigenvalues
// lie between those of E* W E: 1/alpha_j + beta_(j-1)/alpha_(j-1) on the diagonal, sqrt(beta_j)/alpha_j beside it.
double condition_of(const std::vector<double>& alpha, const std::vector<double>& beta) {
  const auto n = static_cast<Index>(alpha.size());
  if (n == 0) return 1.0;
  Vector diagonal(n), beside(n - 1);
  for (Index j = 0; j < n; ++j) {
    const auto i = static_cast<std::size_t>(j);
    diagonal(j) = 1.0 / alpha[i] + (i > 0 ? beta[i - 1] / alpha[i - 1] : 0.0);
    if (j + 1 < n) beside(j) = std::sqrt(beta[i]) / alpha[i];
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
  const auto& eigenvalues = solver.eigenvalues();
  return std::sqrt(eigenvalues(n - 1) / std::max(eigenvalues(0), 0.0));
}

void check(std::span<const std::span<const double>> coordinates, std::span<const Complex> values,
           const FourierFitOptions& options) {
  if (coordinates.empty() || coordinates.front().size() != values.size())
    throw ShapeError("a fit of a Fourier series needs a value for each point, and a point at least");
  if (!options.weights.empty() && options.weights.size() != values.size())
    throw ShapeError("a fit of a Fourier series: " + std::to_string(options.weights.size()) + " weights for " +
                     std::to_string(values.size()) + " points");
  bool has_positive = options.weights.empty() && !values.empty();
  for (double w : options.weights) {
    if (!(w >= 0.0) || !std::isfinite(w))
      throw ShapeError("a fit of a Fourier series: weights have to be finite and not negative");
    has_positive = has_positive || w > 0.0;
  }
  if (!has_positive) throw ShapeError("a fit of a Fourier series needs a point of positive weight");
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0))
    throw ShapeError("a fit of a Fourier series: the tolerance has to lie between 0 and 1");
}

}  // namespace

FourierFit fit_fourier_series(std::span<const Index> modes, std::span<const std::span<const double>> coordinates,
                              std::span<const Complex> values, const FourierFitOptions& options) {
  check(coordinates, values, options);
  const std::span<const double> weights = options.weights;
  Sums sums(modes, coordinates, options);
  const std::size_t n_points = values.size(), n_modes = sums.n_modes();

  FourierFit fit;
  fit.modes.assign(n_modes, 0.0);
  Numbers r(values.begin(), values.end()), q(n_points), s(n_modes);
  sums.adjoint(r, s);
  Numbers p = s;
  double gamma = square(s);
  const double first = gamma;
  std::vector<double> alphas, betas;
  const auto is_small = [&] { return gamma <= options.tolerance * options.tolerance * first; };
  while (std::isfinite(gamma) && !is_small() && fit.iterations < options.max_iterations) {
    sums.at_points(p, q);
    const double alpha = gamma / weighted_square(q, weights);
    for (std::size_t n = 0; n < n_modes; ++n) fit.modes[n] += alpha * p[n];
    for (std::size_t j = 0; j < n_points; ++j) r[j] -= alpha * q[j];
    sums.adjoint(r, s);
    const double before = gamma;
    gamma = square(s);
    alphas.push_back(alpha);
    betas.push_back(gamma / before);
    for (std::size_t n = 0; n < n_modes; ++n) p[n] = s[n] + betas.back() * p[n];
    ++fit.iterations;
    if (options.watch && !options.watch(fit.iterations, std::sqrt(gamma / first))) {
      fit.status = FitStatus::interrupted;
      break;
    }
  }

  fit.gradient = first > 0.0 ? std::sqrt(gamma / first) : 0.0;
  const double sum_of_weights =
      weights.empty() ? static_cast<double>(n_points) : std::accumulate(weights.begin(), weights.end(), 0.0);
  fit.residual = std::sqrt(weighted_square(r, weights) / sum_of_weights);
  const auto n_used = weights.empty() ? static_cast<std::ptrdiff_t>(n_points)
                                      : std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0.0; });
  if (!std::isfinite(gamma)) {
    fit.status = FitStatus::not_finite;
    return fit;
  }
  fit.condition = condition_of(alphas, betas);
  if (fit.status != FitStatus::interrupted && is_small())
    fit.status = n_used < static_cast<std::ptrdiff_t>(n_modes) ? FitStatus::underdetermined : FitStatus::converged;
  return fit;
}

}  // namespace gwrm
