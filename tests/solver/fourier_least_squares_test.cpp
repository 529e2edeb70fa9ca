// Fourier series through scattered numbers against dense factorisations of exp(i n.x_j) made in extended precision: QR
// where the minimiser is unique, the complete orthogonal one where it is not, singular values for the condition number.
#include "solver/fourier_least_squares.hpp"

#include <gtest/gtest.h>

#include "core/matrix_storage.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "core/errors.hpp"

namespace gwrm::fourier_least_squares_test {
namespace {

using Complex = std::complex<double>;
using DenseMatrix = Eigen::MatrixXcd;
using DenseVector = Eigen::VectorXcd;

constexpr double kPi = std::numbers::pi;

struct Data {
  std::vector<Index> modes;
  std::vector<std::vector<double>> x;
  std::vector<Complex> y;
  std::vector<double> weights;

  // Angles of all turns between `from` and `to`; y any numbers.
  Data(std::vector<Index> n, std::size_t n_points, double from = -3.0, double to = 9.0) : modes(std::move(n)) {
    std::uniform_real_distribution<double> angle(from, to), number(-1.0, 1.0);
    for (std::size_t d = 0; d < modes.size(); ++d) {
      x.emplace_back();
      for (std::size_t j = 0; j < n_points; ++j) x.back().push_back(angle(random));
    }
    for (std::size_t j = 0; j < n_points; ++j) y.emplace_back(number(random), number(random));
  }

  Index n_modes() const {
    Index product = 1;
    for (Index n : modes) product *= n;
    return product;
  }
  // W^(1/2) E and W^(1/2) y.
  DenseMatrix matrix() const {
    DenseMatrix result(static_cast<Index>(y.size()), n_modes());
    for (std::size_t j = 0; j < y.size(); ++j)
      for (Index k = 0; k < n_modes(); ++k) {
        long double phase = 0.0L;
        Index rest = k;
        for (std::size_t d = modes.size(); d-- > 0; rest /= modes[d])
          phase += static_cast<long double>(rest % modes[d] - modes[d] / 2) * x[d][j];
        result(static_cast<Index>(j), k) =
            root(j) * Complex(static_cast<double>(std::cos(phase)), static_cast<double>(std::sin(phase)));
      }
    return result;
  }
  DenseVector right() const {
    DenseVector result(static_cast<Index>(y.size()));
    for (std::size_t j = 0; j < y.size(); ++j) result(static_cast<Index>(j)) = root(j) * y[j];
    return result;
  }
  double root(std::size_t j) const { return weights.empty() ? 1.0 : std::sqrt(weights[j]); }

  FourierFit fit(FourierFitOptions options = {}) const {
    const std::vector<std::span<const double>> lists(x.begin(), x.end());
    options.weights = weights;
    return fit_fourier_series(modes, lists, y, options);
  }
  // Relative to the 2-norm of the exact one.
  static double error(const FourierFit& fit, const DenseVector& exact) {
    return (Eigen::Map<const DenseVector>(fit.modes.data(), exact.size()) - exact).norm() / exact.norm();
  }

  std::mt19937_64 random{31};
};

DenseVector by_householder(const Data& data) {
  return Eigen::HouseholderQR<DenseMatrix>(data.matrix()).solve(data.right());
}

// Numbers that no series fits: the residual is large. The gradient falls to 1e-12 of its first value; the error is that
// times the square of the condition number, which is below 2.5.
TEST(FourierLeastSquares, AgreesWithADenseQr) {
  for (const auto& [modes, count] : std::vector<std::pair<std::vector<Index>, std::size_t>>{
           {{1}, 3}, {{2}, 15}, {{21}, 150}, {{22}, 150}, {{7, 9}, 400}, {{4, 5, 3}, 500}, {{1, 6}, 60}}) {
    const Data data(modes, count);
    const FourierFit fit = data.fit();
    EXPECT_EQ(fit.status, FitStatus::converged) << fit.gradient;
    EXPECT_LE(Data::error(fit, by_householder(data)), 1e-11) << modes.size() << " " << fit.condition;
    EXPECT_LT(fit.iterations, 60);
    const DenseVector rest =
        data.right() - data.matrix() * Eigen::Map<const DenseVector>(fit.modes.data(), data.n_modes());
    EXPECT_NEAR(fit.residual, rest.norm() / std::sqrt(static_cast<double>(count)), 1e-12);
  }
}

TEST(FourierLeastSquares, WeightsCount) {
  Data data({13, 5}, 400);
  std::uniform_real_distribution<double> uniform(0.1, 3.0);
  for (std::size_t j = 0; j < data.y.size(); ++j) data.weights.push_back(j % 9 == 0 ? 0.0 : uniform(data.random));
  const FourierFit fit = data.fit();
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_LE(Data::error(fit, by_householder(data)), 1e-11);
  Data other = data;  // what has no weight does not matter
  other.y[0] = 1e3;
  EXPECT_LE(Data::error(other.fit(), by_householder(data)), 1e-11);
}

// Points that crowd: weights of half the distance between neighbours even them out.
TEST(FourierLeastSquares, WeightsOfAreaSaveIterations) {
  Data data({41}, 400, 0.0, 1.0);
  for (double& x : data.x[0]) x = 2 * kPi * x * x;  // dense at 0
  std::sort(data.x[0].begin(), data.x[0].end());
  const int plain = data.fit().iterations;
  const std::size_t n = data.y.size();
  for (std::size_t j = 0; j < n; ++j) {
    const double before = j > 0 ? data.x[0][j - 1] : data.x[0][n - 1] - 2 * kPi;
    const double after = j + 1 < n ? data.x[0][j + 1] : data.x[0][0] + 2 * kPi;
    data.weights.push_back((after - before) / 2);
  }
  const FourierFit fit = data.fit();
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_LE(Data::error(fit, by_householder(data)), 1e-11);
  EXPECT_LT(2 * fit.iterations, plain);
}

// A real series with noise of known size at many points: what comes back differs from it by sigma sqrt(modes / points)
// in the 2-norm, times 1 to condition; four times that is far beyond chance. Real values give conjugate modes.
TEST(FourierLeastSquares, NoiseIsAveraged) {
  Data data({31}, 3000);
  const double sigma = 1e-3;
  std::normal_distribution<double> noise(0.0, sigma);
  DenseVector exact = DenseVector::Zero(31);
  for (Index k = 1; k <= 15; ++k) {
    exact(15 + k) = Complex(std::exp(-0.3 * static_cast<double>(k)), 0.2 / static_cast<double>(k));
    exact(15 - k) = std::conj(exact(15 + k));
  }
  exact(15) = 0.7;
  const DenseVector values = data.matrix() * exact;
  for (std::size_t j = 0; j < data.y.size(); ++j) data.y[j] = values(static_cast<Index>(j)).real();
  EXPECT_LE(Data::error(data.fit(), exact), 1e-12);
  for (Complex& y : data.y) y += noise(data.random);
  const FourierFit fit = data.fit();
  const double error = Data::error(fit, exact) * exact.norm();
  const double expected = sigma * std::sqrt(31.0 / 3000.0);
  EXPECT_LT(error, 4 * expected);
  EXPECT_GT(error, expected / 4);
  EXPECT_NEAR(fit.residual, sigma, 0.1 * sigma);
  for (std::size_t k = 1; k <= 15; ++k) EXPECT_LE(std::abs(fit.modes[15 + k] - std::conj(fit.modes[15 - k])), 1e-14);
}

// Fewer numbers than modes: all are met, by the series of least norm.
TEST(FourierLeastSquares, TooFewPointsGiveTheLeastNorm) {
  const Data data({41}, 12);
  const FourierFit fit = data.fit();
  EXPECT_EQ(fit.status, FitStatus::underdetermined);
  EXPECT_LE(fit.residual, 1e-10);
  const DenseVector least = Eigen::CompleteOrthogonalDecomposition<DenseMatrix>(data.matrix()).solve(data.right());
  EXPECT_LE(Data::error(fit, least), 1e-9);
}

// A gap makes the least eigenvalues small: the condition number is told, and with it the iteration stalls.
TEST(FourierLeastSquares, GapsAreTold) {
  const auto singular_values = [](const Data& data) {
    return Eigen::JacobiSVD<DenseMatrix>(data.matrix()).singularValues().eval();
  };
  const Data narrow({21}, 300, 0.0, 5.6);
  const FourierFit fit = narrow.fit();
  EXPECT_EQ(fit.status, FitStatus::converged);
  const auto s = singular_values(narrow);
  const double condition = s(0) / s(s.size() - 1);
  EXPECT_GT(condition, 10.0);
  EXPECT_NEAR(fit.condition, condition, 0.01 * condition);
  EXPECT_LE(Data::error(fit, by_householder(narrow)), 1e-13 * condition * condition);

  const Data wide({41}, 300, 0.0, 3.5);
  const FourierFit stalled = wide.fit();
  EXPECT_EQ(stalled.status, FitStatus::stalled);
  EXPECT_EQ(stalled.iterations, 200);
  EXPECT_GT(stalled.condition, 1e4);
  for (const Complex& f : stalled.modes) EXPECT_TRUE(std::isfinite(f.real()));
}

TEST(FourierLeastSquares, ThreadsChangeNoBit) {
  const Data data({17, 15}, 2000);
  FourierFitOptions three;
  three.n_threads = 3;
  EXPECT_EQ(data.fit().modes, data.fit(three).modes);
}

TEST(FourierLeastSquares, IsWatched) {
  const Data data({21}, 150);
  FourierFitOptions options;
  std::vector<double> gradients;
  options.watch = [&](int iteration, double gradient) {
    gradients.push_back(gradient);
    return iteration < 5;
  };
  const FourierFit fit = data.fit(options);
  EXPECT_EQ(fit.status, FitStatus::interrupted);
  EXPECT_EQ(fit.iterations, 5);
  EXPECT_EQ(fit.gradient, gradients.back());
  EXPECT_LT(gradients.back(), 0.1);
}

TEST(FourierLeastSquares, NothingToFit) {
  Data data({5}, 20);
  data.y.assign(20, 0.0);
  const FourierFit fit = data.fit();
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_EQ(fit.iterations, 0);
  EXPECT_EQ(fit.modes, std::vector<Complex>(5, 0.0));
  data.y[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(data.fit().status, FitStatus::not_finite);
}

TEST(FourierLeastSquares, ShapesAreChecked) {
  Data data({5}, 20);
  FourierFitOptions options;
  options.tolerance = 0.0;
  EXPECT_THROW(data.fit(options), ShapeError);
  data.weights.assign(19, 1.0);
  EXPECT_THROW(data.fit(), ShapeError);
  data.weights.assign(20, 0.0);
  EXPECT_THROW(data.fit(), ShapeError);
  data.weights[3] = -1.0;
  EXPECT_THROW(data.fit(), ShapeError);
  data.weights.clear();
  data.y.pop_back();
  EXPECT_THROW(data.fit(), ShapeError);
}

}  // namespace
}  // namespace gwrm::fourier_least_squares_test
