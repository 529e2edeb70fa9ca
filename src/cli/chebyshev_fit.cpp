#include "cli/chebyshev_fit.hpp"

#include "core/matrix_storage.hpp"
// After the storage.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace gwrm::cli {
namespace {

constexpr Index kMostFittedModes = 4097;
constexpr Index kMostFitEntries = Index{1} << 26;
constexpr int kIterations = 40;  // of the power method
constexpr int kRefinements = 2;  // each multiplies the error by about the squared condition number times 1e-16

using FitMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

FitMatrix normal_matrix(const std::vector<double>& moments, Index n) {
  FitMatrix matrix(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; ++k)
      matrix(j, k) =
          0.5 * (moments[static_cast<std::size_t>(j + k)] + moments[static_cast<std::size_t>(std::abs(j - k))]);
  return matrix;
}

FitMatrix chebyshev_values(const std::vector<double>& points, Index n) {
  FitMatrix matrix(static_cast<Index>(points.size()), n);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const double angle = std::acos(points[static_cast<std::size_t>(i)]);
    for (Index k = 0; k < n; ++k) matrix(i, k) = std::cos(static_cast<double>(k) * angle);
  }
  return matrix;
}

// The largest eigenvalue of a positive definite matrix of n rows, given as the function that applies it.
template <class Apply>
double largest_eigenvalue(Index n, Apply&& apply) {
  Eigen::VectorXd vector(n);
  for (Index i = 0; i < n; ++i) vector[i] = 1.0 + std::cos(static_cast<double>(i * i));
  double eigenvalue = 0.0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    vector.normalize();
    vector = apply(vector);
    eigenvalue = vector.norm();
  }
  return eigenvalue;
}

}  // namespace

ChebyshevFit::ChebyshevFit(std::vector<double> points) : points_(std::move(points)) {
  const auto n = static_cast<std::size_t>(2 * most_modes() - 1);
  moments_.resize(n);
  std::vector<double> last(points_.size(), 1.0), next = points_;
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double value = last[i];
      sum += value;
      last[i] = next[i];
      next[i] = 2.0 * points_[i] * last[i] - value;
    }
    moments_[k] = sum;
  }
}

Index ChebyshevFit::most_modes() const {
  return std::max<Index>(1, std::min({n_points(), kMostFittedModes, kMostFitEntries / n_points()}));
}

double ChebyshevFit::condition(Index n_modes) const {
  const FitMatrix matrix = normal_matrix(moments_, n_modes);
  const Eigen::LLT<FitMatrix> factor(matrix);
  if (factor.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  const double largest =
      largest_eigenvalue(n_modes, [&](const Eigen::VectorXd& v) -> Eigen::VectorXd { return matrix * v; });
  const double inverse =
      largest_eigenvalue(n_modes, [&](const Eigen::VectorXd& v) -> Eigen::VectorXd { return factor.solve(v); });
  return std::sqrt(largest * inverse);
}

// The condition number increases with the number of modes.
Index ChebyshevFit::well_conditioned_modes() const {
  const Index most = most_modes();
  Index good = 1, bad = most + 1;
  while (bad > most && good < most) {
    const Index tried = std::min(2 * good, most);
    (condition(tried) <= kLargestCondition ? good : bad) = tried;
  }
  while (good + 1 < bad && bad <= most) {
    const Index tried = (good + bad) / 2;
    (condition(tried) <= kLargestCondition ? good : bad) = tried;
  }
  return good;
}

std::vector<double> ChebyshevFit::coefficients(const std::vector<double>& f, Index batch, Index n_modes) const {
  const FitMatrix functions = chebyshev_values(points_, n_modes);
  const Eigen::LLT<FitMatrix> factor(normal_matrix(moments_, n_modes));
  const Eigen::Map<const FitMatrix> data(f.data(), batch, n_points());
  std::vector<double> result(static_cast<std::size_t>(batch * n_modes), 0.0);
  Eigen::Map<FitMatrix> a(result.data(), batch, n_modes);
  for (Index b = 0; b < batch; ++b) {  // one array at a time: no second copy of the data
    Eigen::VectorXd residual = data.row(b).transpose();
    for (int step = 0;; ++step) {
      a.row(b) += factor.solve(functions.transpose() * residual).transpose();
      if (step == kRefinements) break;
      residual = data.row(b).transpose() - functions * a.row(b).transpose();
    }
  }
  return result;
}

std::vector<double> ChebyshevFit::values(const std::vector<double>& a, Index batch, Index n_modes) const {
  const FitMatrix functions = chebyshev_values(points_, n_modes);
  std::vector<double> result(static_cast<std::size_t>(batch * n_points()));
  Eigen::Map<FitMatrix> f(result.data(), batch, n_points());
  f.noalias() = Eigen::Map<const FitMatrix>(a.data(), batch, n_modes) * functions.transpose();
  return result;
}

}  // namespace gwrm::cli
