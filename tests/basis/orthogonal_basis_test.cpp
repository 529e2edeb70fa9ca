// Polynomials of densities against moments and Hermite and Legendre polynomials in closed form.
#include "basis/orthogonal_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "basis/stored_order.hpp"
#include "core/errors.hpp"

namespace gwrm::orthogonal_basis_test {
namespace {

struct Sample {
  AxisDescription axis;
  std::function<double(int)> moment;  // E[x^k], x = (s - mean)/deviation, of beta and uniform from 0 to 1
  std::function<double(double)> variable;
};

double double_factorial(int k) {
  return k <= 1 ? 1.0 : k * double_factorial(k - 2);
}

std::vector<Sample> samples() {
  const auto of_normal = [](int k) { return k % 2 == 1 ? 0.0 : double_factorial(k - 1); };
  const auto of_beta = [](double a, double b) {
    return [a, b](int k) {
      double product = 1.0;
      for (int j = 0; j < k; ++j) product *= (a + j) / (a + b + j);
      return product;
    };
  };
  return {
      {{6, {0.5, 1.5}, MapKind::linear, "hermite(1,0.125)"}, of_normal, [](double z) { return (z - 1.0) / 0.125; }},
      {{6, {0.2, 4.0}, MapKind::log, "hermite(-0.5,0.5)"},
       of_normal,
       [](double z) { return (std::log(z) + 0.5) / 0.5; }},
      {{7, {-1.0, 3.0}, MapKind::linear, "legendre"}, of_beta(1.0, 1.0), [](double z) { return (z + 1.0) / 4.0; }},
      {{5, {0.5, 8.0}, MapKind::log, "legendre"},
       of_beta(1.0, 1.0),
       [](double z) { return std::log(z / 0.5) / std::log(16.0); }},
      {{6, {2.0, 3.0}, MapKind::linear, "jacobi(2,5)"}, of_beta(2.0, 5.0), [](double z) { return z - 2.0; }},
      {{6, {0.0, 1.0}, MapKind::linear, "jacobi(0.5,0.5)"}, of_beta(0.5, 0.5), [](double z) { return z; }},
      {{6, {0.0, 1.0}, MapKind::linear, "jacobi(0.25,1.5)"}, of_beta(0.25, 1.5), [](double z) { return z; }},
  };
}

TEST(OrthogonalBasis, GaussRulesHaveTheMomentsOfTheDensity) {
  for (const Sample& sample : samples()) {
    const auto basis = make_basis(sample.axis);
    for (Index n : {1, 2, 3, 8, 20}) {
      const Vector points = basis->grid(n).points, weights = basis->mean_weights(n);
      EXPECT_NEAR(weights.sum(), 1.0, 1e-14);
      EXPECT_GT(weights.minCoeff(), 0.0);
      for (int k = 1; k <= std::min<int>(2 * static_cast<int>(n) - 1, 20); ++k) {
        double sum = 0.0, size = 0.0;
        for (Index i = 0; i < n; ++i) {
          sum += weights(i) * std::pow(sample.variable(points(i)), k);
          size += weights(i) * std::pow(std::abs(sample.variable(points(i))), k);
        }
        // z carries the rounding of mean + deviation x, which x^k takes k times.
        EXPECT_NEAR(sum, sample.moment(k), 1e-13 * k * size) << sample.axis.basis << " n " << n << " k " << k;
      }
    }
  }
}

TEST(OrthogonalBasis, FunctionsAreOrthonormal) {
  for (const Sample& sample : samples()) {
    const auto basis = make_basis(sample.axis);
    const Index n = basis->n_per_subdomain() + 5;
    const Matrix p = basis->synthesis(n, 0).dense();
    const Matrix products = p.transpose() * basis->mean_weights(n).asDiagonal() * p;
    EXPECT_LE((products - Matrix::Identity(p.cols(), p.cols())).cwiseAbs().maxCoeff(), 1e-12) << sample.axis.basis;
    EXPECT_LE((p.col(0).array() - 1.0).abs().maxCoeff(), 1e-15);
  }
}

TEST(OrthogonalBasis, HermiteAndLegendrePolynomialsInClosedForm) {
  const auto hermite = make_basis({4, {0.5, 1.5}, MapKind::linear, "hermite(1,0.125)"});
  const auto legendre = make_basis({3, {-1.0, 3.0}, MapKind::linear, "legendre"});
  const auto lognormal = make_basis({4, {0.2, 4.0}, MapKind::log, "hermite(-0.5,0.5)"});
  for (double z : {0.6, 1.0, 1.37}) {
    const auto check = [&](const AxisBasis& basis, double x, double scale) {
      const Matrix row = basis.rows_at(0, std::span(&z, 1), 0);
      const double he4 = x * x * x * x - 6.0 * x * x + 3.0;
      EXPECT_NEAR(row(0, 3), (x * x * x - 3.0 * x) / std::sqrt(6.0), 1e-12);
      EXPECT_NEAR(row(0, 4), he4 / std::sqrt(24.0), 1e-12);
      // d He_4/dz = 4 He_3 dx/dz
      EXPECT_NEAR(basis.rows_at(0, std::span(&z, 1), 1)(0, 4), 4.0 * (x * x * x - 3.0 * x) / std::sqrt(24.0) * scale,
                  1e-10);
    };
    check(*hermite, (z - 1.0) / 0.125, 8.0);
    check(*lognormal, (std::log(z) + 0.5) / 0.5, 2.0 / z);
    const double x = (z - 1.0) / 2.0;
    EXPECT_NEAR(legendre->rows_at(0, std::span(&z, 1), 0)(0, 3), std::sqrt(7.0) * (5.0 * x * x * x - 3.0 * x) / 2.0,
                1e-14);
    // d^2/dz^2 of log z polynomials: f''/z^2 - f'/z^2 with derivatives by log z.
    const double y = (std::log(z) + 0.5) / 0.5, first = 2.0 * 2.0 * y / std::sqrt(2.0), second = 8.0 / std::sqrt(2.0);
    EXPECT_NEAR(lognormal->rows_at(0, std::span(&z, 1), 2)(0, 2), (second - first) / (z * z), 1e-11);
  }
}

TEST(OrthogonalBasis, CoefficientsFromValues) {
  for (const Sample& sample : samples()) {
    const auto basis = make_basis(sample.axis);
    for (Index n : {basis->n_per_subdomain(), basis->n_points(2)}) {
      const Matrix unit = basis->analysis(n).dense() * basis->synthesis(n, 0).dense();
      EXPECT_LE((unit - Matrix::Identity(unit.rows(), unit.cols())).cwiseAbs().maxCoeff(), 1e-12) << sample.axis.basis;
    }
    // The projection of a square is the same on n_points(2) as on more points.
    const Vector a = Vector::LinSpaced(basis->n_coefficients(), 1.0, 0.3);
    const auto square = [&](Index n) -> Vector {
      return basis->analysis(n).dense() * (basis->synthesis(n, 0).dense() * a).cwiseAbs2();
    };
    const Vector many = square(3 * basis->n_points(2));
    EXPECT_LE((square(basis->n_points(2)) - many).cwiseAbs().maxCoeff(), 1e-11 * many.cwiseAbs().maxCoeff());
  }
}

TEST(OrthogonalBasis, ConversionToAnotherDegreeKeepsCoefficients) {
  AxisDescription more{8, {0.5, 1.5}, MapKind::linear, "hermite(1,0.125)"}, less = more;
  less.degree = 5;
  EXPECT_EQ(conversion(more, less).dense(), Matrix(Matrix::Identity(6, 9)));
  AxisDescription other = less;
  other.basis = "hermite(1,0.25)";
  EXPECT_THROW(conversion(more, other), ShapeError);
}

// Over the interval, with dz: of a cubic.
TEST(OrthogonalBasis, IntegralsAreOverTheInterval) {
  for (const Sample& sample : samples()) {
    const auto basis = make_basis(sample.axis);
    const double lower = sample.axis.edges.front(), upper = sample.axis.edges.back();
    const Index n = basis->n_per_subdomain();
    const AxisGrid grid = basis->grid(n);
    EXPECT_NEAR(basis->integral_row()(0), upper - lower, 1e-12);
    EXPECT_NEAR(grid.weights.sum(), upper - lower, 1e-10);
    if (sample.axis.map == MapKind::log) continue;
    const Vector cubes = grid.points.array().cube();
    const double exact = (std::pow(upper, 4) - std::pow(lower, 4)) / 4.0;
    EXPECT_NEAR(basis->integral_row().dot(basis->analysis(n).dense() * cubes), exact, 1e-10 * exact);
    EXPECT_NEAR(grid.weights.dot(cubes), exact, 1e-10 * exact);
  }
}

TEST(OrthogonalBasis, LikelyPart) {
  const AxisDescription part = likely_part({6, {2.0, 3.0}, MapKind::linear, "jacobi(1,3)"});
  EXPECT_EQ(part.basis, kChebyshev);
  EXPECT_NEAR(part.edges.front(), 3.0 - std::cbrt(0.995), 1e-12);
  EXPECT_NEAR(part.edges.back(), 3.0 - std::cbrt(0.005), 1e-12);
  const AxisDescription chebyshev{6, {2.0, 3.0}};
  EXPECT_EQ(likely_part(chebyshev), chebyshev);
}

TEST(OrthogonalBasis, Names) {
  EXPECT_TRUE(is_basis("hermite(1,0.1)"));
  EXPECT_EQ(basis_stored_as("hermite(1,0.1)"), "hermite(1,0.1)");
  EXPECT_EQ(basis_stored_as("hermite(1,-0.1)"), "");
  EXPECT_EQ(basis_stored_as("hermite"), "");
  EXPECT_EQ(basis_stored_as("legendre"), "legendre");
  for (const char* name : {"hermite", "hermite(1,-0.1)", "jacobi(1)", "jacobi(0,2)"})
    EXPECT_THROW(make_basis({3, {0.0, 1.0}, MapKind::linear, name}), ShapeError) << name;
  EXPECT_THROW(make_basis({3, {0.0, 0.5, 1.0}, MapKind::linear, "legendre"}), ShapeError);
  EXPECT_THROW(make_basis({3, {0.5, 1.0}, MapKind::log, "jacobi(1,2)"}), ShapeError);
}

}  // namespace
}  // namespace gwrm::orthogonal_basis_test
