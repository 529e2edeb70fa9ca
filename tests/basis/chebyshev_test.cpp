#include "basis/chebyshev.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/errors.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm::chebyshev_test {
namespace {

using Function = std::function<double(double)>;

// Coefficients of f by interpolation in the Gauss points of the axis.
Vector series(const AxisMap& map, Index degree, const Function& f) {
  const Vector points = map.from_reference(gauss_points(degree + 1));
  return coefficients_from_values(degree, degree + 1) * points.unaryExpr(f);
}

// T_k^(n)(xi), [n][k], by differentiating T_{k+1} = 2 xi T_k - T_{k-1} n times: no angles, no ultraspherical
// polynomials.
std::vector<std::vector<long double>> by_recurrence(int order, Index degree, long double xi) {
  std::vector<std::vector<long double>> T(static_cast<std::size_t>(order) + 1,
                                          std::vector<long double>(static_cast<std::size_t>(degree) + 2, 0.0L));
  T[0][0] = 1.0L;
  T[0][1] = xi;
  if (order >= 1) T[1][1] = 1.0L;
  for (std::size_t k = 1; k <= static_cast<std::size_t>(degree); ++k)
    for (std::size_t n = 0; n <= static_cast<std::size_t>(order); ++n)
      T[n][k + 1] =
          2.0L * xi * T[n][k] + (n > 0 ? 2.0L * static_cast<long double>(n) * T[n - 1][k] : 0.0L) - T[n][k - 1];
  return T;
}

TEST(ChebyshevSeries, UsesThePlainNormalisation) {
  const Vector a = series(AxisMap(-1.0, 1.0), 4, [](double x) { return 5.0 + 2.0 * x * x; });  // = 6 T_0 + T_2
  EXPECT_NEAR(a(0), 6.0, 2e-15);
  EXPECT_NEAR(a(2), 1.0, 2e-15);
  const std::vector<double> coefficients = {6.0, 0.0, 1.0};
  EXPECT_DOUBLE_EQ(clenshaw(coefficients, 0.5), 5.5);
  EXPECT_DOUBLE_EQ(basis_row(2, 0.5) * Eigen::Map<const Vector>(coefficients.data(), 3), 5.5);
}

TEST(ChebyshevBasis, IsAccurateUpToDegree500AndAtTheEnds) {
  const Index degree = 500;
  for (double xi :
       {-1.0, -1.0 + 1e-12, -0.999, -0.6, -0.5, -1e-9, 0.0, 0.3, 0.5, 0.77, 0.99999, std::nextafter(1.0, 0.0), 1.0}) {
    const RowVector row = basis_row(degree, xi);
    const std::vector<long double> exact = by_recurrence(0, degree, xi)[0];
    for (Index k = 0; k <= degree;
         ++k)  // the long double recurrence itself loses up to k^2 eps_ld = 3e-14 at the very ends
      EXPECT_NEAR(row(k), static_cast<double>(exact[static_cast<std::size_t>(k)]),
                  std::abs(xi) > 0.9999 ? 3e-14 : 4e-16)
          << xi << " " << k;
  }
  // Close to the end by its expansion T_k(1 - s) = 1 - k^2 s + k^2 (k^2 - 1) s^2 / 6 - ...; the next term, (k^2 s)^3 /
  // 90, is below 2e-23 here.
  for (const double s : {0x1p-53, 0x1p-50, 0x1p-45}) {
    const RowVector row = basis_row(2000, 1.0 - s);
    for (Index k = 0; k <= 2000; ++k) {
      const long double k2 = static_cast<long double>(k) * static_cast<long double>(k), ks = k2 * s;
      EXPECT_NEAR(row(k), static_cast<double>(1.0L - ks + ks * (k2 - 1.0L) * s / 6.0L), 3e-16) << s << " " << k;
    }
  }
  for (Index k = 0; k <= degree; ++k) {
    EXPECT_EQ(basis_row(degree, 1.0)(k), 1.0);
    EXPECT_EQ(basis_row(degree, -1.0)(k), k % 2 == 0 ? 1.0 : -1.0);
    EXPECT_EQ(basis_row(degree, 0.0)(k), k % 2 == 1 ? 0.0 : k % 4 == 0 ? 1.0 : -1.0);
  }
  EXPECT_NEAR(basis_row(3, 1.5)(3), 4 * 1.5 * 1.5 * 1.5 - 3 * 1.5, 1e-14);  // outside the interval
  EXPECT_NEAR(basis_row(3, -1.5)(3), -(4 * 1.5 * 1.5 * 1.5 - 3 * 1.5), 1e-14);
}

TEST(DerivativeMatrix, DifferentiatesPolynomialsExactly) {
  EXPECT_EQ(derivative_matrix(0)(0, 0), 0.0);
  const Matrix D = derivative_matrix(3);  // T_3' = 12 x^2 - 3 = 3 T_0 + 6 T_2
  EXPECT_EQ(D.col(3), (Vector(4) << 3.0, 0.0, 6.0, 0.0).finished());
  EXPECT_EQ(D.col(2), (Vector(4) << 0.0, 4.0, 0.0, 0.0).finished());
  const Index degree = 40;
  const Matrix D40 = derivative_matrix(degree);
  for (double xi : {-0.9, -0.2, 0.45, 0.8}) {
    const auto exact = by_recurrence(2, degree, xi);
    const RowVector T = basis_row(degree, xi), first = T * D40, second = first * D40;
    for (std::size_t k = 0; k <= 40; ++k) {
      const double k2 = static_cast<double>(k * k);  // the maxima of T_k' and T_k'' are k^2 and about k^4 / 3
      EXPECT_NEAR(first(static_cast<Index>(k)), static_cast<double>(exact[1][k]), 1e-14 * (1.0 + k2));
      EXPECT_NEAR(second(static_cast<Index>(k)), static_cast<double>(exact[2][k]), 1e-14 * (1.0 + k2 * k2));
    }
  }
}

TEST(IntegralMatrix, IsZeroAtTheLeftEndAndInvertsTheDerivative) {
  for (Index degree : {0, 1, 2, 7, 30}) {
    const Matrix J = integral_matrix(degree);
    ASSERT_EQ(J.rows(), degree + 2);
    EXPECT_LE((basis_row(degree + 1, -1.0) * J).cwiseAbs().maxCoeff(), 1e-16 * static_cast<double>(degree + 1));
    const Matrix identity = (derivative_matrix(degree + 1) * J).topRows(degree + 1);
    EXPECT_LE((identity - Matrix::Identity(degree + 1, degree + 1)).cwiseAbs().maxCoeff(), 2e-15);
  }
  // int_{-1}^x (2 s^2 - 1) ds = 2 x^3 / 3 - x - 1/3
  EXPECT_NEAR(basis_row(3, 0.5) * integral_matrix(2).col(2), 2.0 * 0.125 / 3.0 - 0.5 - 1.0 / 3.0, 1e-16 * 4);
}

TEST(PointRow, HoldsTheDerivativesOfThePolynomialsInsideALinearAxis) {
  const Index degree = 64;
  const AxisMap map(1.0, 3.0);  // d xi / dz = 1, and xi = z - 2 is exact
  for (double z : {1.0 + 0x1p-40, 1.01, 1.5, 2.0, 2.3, 2.96875, 3.0 - 0x1p-30}) {
    const auto exact = by_recurrence(4, degree, static_cast<long double>(z) - 2.0L);
    for (int order = 0; order <= 4; ++order) {
      const RowVector row = point_row(map, degree, z, order);
      double scale = 0.0, error = 0.0;
      for (std::size_t k = 0; k <= 64; ++k) {
        scale = std::max(scale, static_cast<double>(std::abs(exact[static_cast<std::size_t>(order)][k])));
        error = std::max(error, std::abs(row(static_cast<Index>(k)) -
                                         static_cast<double>(exact[static_cast<std::size_t>(order)][k])));
      }
      EXPECT_LE(error, 4e-16 * scale) << "z = " << z << ", order " << order;
    }
  }
}

TEST(PointRow, HasTheClosedFormAtTheEnds) {
  const Index degree = 100;
  const AxisMap map(-0.5, 0.5);  // d xi / dz = 2
  const RowVector left = point_row(map, degree, -0.5, 2), right = point_row(map, degree, 0.5, 2);
  const RowVector slope = point_row(map, degree, -0.5, 1);
  for (Index k = 0; k <= degree; ++k) {
    const double k2 = static_cast<double>(k * k), sign = k % 2 == 0 ? 1.0 : -1.0;
    EXPECT_DOUBLE_EQ(right(k), 4.0 * k2 * (k2 - 1.0) / 3.0);
    EXPECT_DOUBLE_EQ(left(k), sign * 4.0 * k2 * (k2 - 1.0) / 3.0);
    EXPECT_DOUBLE_EQ(slope(k), -sign * 2.0 * k2);
  }
}

TEST(PointRow, DifferentiatesAnalyticFunctionsOnBothMaps) {
  struct Sample {
    AxisMap map;
    Index degree;
    std::vector<Function> derivatives;
  };
  const Function e = [](double z) { return std::exp(-2.0 * z); };
  std::vector<Function> exponential, powers;
  for (int n = 0; n <= 4; ++n) {
    exponential.push_back([n, e](double z) { return std::pow(-2.0, n) * e(z); });
    powers.push_back([n](double z) {  // z^1.5
      double factor = 1.0;
      for (int i = 0; i < n; ++i) factor *= 1.5 - i;
      return factor * std::pow(z, 1.5 - n);
    });
  }
  const std::vector<Sample> samples = {{AxisMap(-0.3, 1.2), 20, exponential},
                                       {AxisMap(0.5, 4.0, MapKind::log), 22, powers},
                                       {AxisMap(0.5, 4.0, MapKind::log), 26, exponential}};
  for (const Sample& sample : samples) {
    const Vector a = series(sample.map, sample.degree, sample.derivatives[0]);
    const double largest = a.cwiseAbs().sum();
    const Vector inside = sample.map.from_reference(Vector::LinSpaced(9, -1.0, 1.0));
    for (int order = 0; order <= 4; ++order) {
      const Matrix rows = point_matrix(sample.map, sample.degree, {inside.data(), 9}, order);
      for (Index i = 0; i < inside.size(); ++i) {
        const double exact = sample.derivatives[static_cast<std::size_t>(order)](inside(i));
        // Coefficients are off by a few eps |u|; the row multiplies that by the sum of its entries.
        EXPECT_NEAR(rows.row(i) * a, exact, 1e-15 * largest * rows.row(i).cwiseAbs().sum())
            << order << " at " << inside(i);
      }
    }
  }
}

TEST(GaussMatrix, IsThePointMatrixOnTheGaussPoints) {
  for (const AxisMap& map : {AxisMap(2.0, 3.0), AxisMap(0.1, 5.0, MapKind::log)}) {
    const Index degree = 12, n = 17;
    const Vector points = map.from_reference(gauss_points(n));
    for (int order = 0; order <= 3; ++order) {
      const Matrix exact = point_matrix(map, degree, {points.data(), static_cast<std::size_t>(n)}, order);
      // The points are rounded in z: their derivatives differ by up to eps k^2 of the largest entry.
      EXPECT_LE((gauss_matrix(map, degree, n, order) - exact).cwiseAbs().maxCoeff(),
                1e-13 * exact.cwiseAbs().maxCoeff());
    }
  }
}

TEST(IntegralRow, IntegratesOverTheAxis) {
  const AxisMap linear(-1.0, 2.0), log(0.01, 3.0, MapKind::log);
  const Function cubic = [](double z) { return 4.0 * z * z * z - z + 2.0; };
  EXPECT_NEAR(integral_row(linear, 3) * series(linear, 3, cubic), 15.0 - 1.5 + 6.0, 2e-14);
  EXPECT_EQ(integral_row(linear, 0)(0), 3.0);

  const Function root = [](double z) { return std::sqrt(z); };
  const double exact = 2.0 / 3.0 * (std::pow(3.0, 1.5) - std::pow(0.01, 1.5));
  EXPECT_NEAR(integral_row(log, 24) * series(log, 24, root), exact, 1e-14 * exact * 4);
  EXPECT_NEAR(integral_row(log, 0)(0), 2.99, 1e-14);  // the length in z, not in log z
}

TEST(IntegralRow, KeepsItsAccuracyOnAWideLogAxis) {
  const AxisMap map(1e-8, 1.0, MapKind::log);
  EXPECT_NEAR(integral_row(map, 3)(0), 1.0 - 1e-8, 1e-14);
  // T_1 = (log z - log 1e-4) / log 1e4; the integral of log z over [a, 1] is -1 + a - a log a.
  const double a = 1e-8, exact = (-1.0 + a - a * std::log(a) + std::log(1e4) * (1.0 - a)) / std::log(1e4);
  EXPECT_NEAR(integral_row(map, 3)(1), exact, 1e-14);
}

TEST(QuadratureWeights, AreExactBelowTheirNumberOfPoints) {
  const AxisMap map(-1.0, 1.0);
  for (Index n : {1, 2, 3, 8, 33}) {
    const Vector w = quadrature_weights(map, n), points = gauss_points(n);
    EXPECT_GT(w.minCoeff(), 0.0);
    for (Index power = 0; power < n; ++power) {
      const double exact = power % 2 == 0 ? 2.0 / static_cast<double>(power + 1) : 0.0;
      EXPECT_NEAR((w.array() * points.array().pow(static_cast<double>(power))).sum(), exact, 1e-15 * 4)
          << n << " " << power;
    }
  }
}

TEST(QuadratureWeights, IncludeTheMap) {
  const AxisMap linear(0.0, 2.0), log(0.5, 2.0, MapKind::log);
  const auto integral = [](const AxisMap& map, Index n, const Function& f) {
    return quadrature_weights(map, n).dot(Vector(map.from_reference(gauss_points(n)).unaryExpr(f)));
  };
  EXPECT_NEAR(integral(linear, 20, [](double z) { return std::exp(z); }), std::exp(2.0) - 1.0, 1e-14);
  EXPECT_NEAR(integral(log, 24, [](double z) { return 1.0 / z; }), std::log(4.0), 1e-14);
}

TEST(QuadratureRule, ServesManyIntervals) {
  const QuadratureRule rule(24);
  double length = 0.0, root = 0.0;
  for (const AxisMap& map : {AxisMap(0.25, 1.0), AxisMap(1.0, 4.0, MapKind::log), AxisMap(4.0, 9.0)}) {
    const Vector z = rule.points(map), w = rule.weights(map);
    length += w.sum();
    root += w.dot(Vector(z.array().sqrt()));
    EXPECT_GT(z(0), z(1));
  }
  EXPECT_NEAR(length, 8.75, 1e-14);
  EXPECT_NEAR(root, 2.0 / 3.0 * (27.0 - 0.125), 4e-14);
}

TEST(Clenshaw, SumsTheSeries) {
  EXPECT_EQ(clenshaw({}, 0.3), 0.0);
  std::vector<double> a;
  for (int k = 0; k <= 255; ++k) a.push_back(std::sin(k + 1.0));
  for (double xi : {-1.0, -0.99999, -0.3, 0.0, 0.62, 1.0 - 1e-9, 1.0}) {
    const auto T = by_recurrence(0, 255, xi)[0];
    long double exact = 0.0L;
    for (std::size_t k = 0; k <= 255; ++k) exact += a[k] * T[k];
    EXPECT_NEAR(clenshaw(a, xi), static_cast<double>(exact), 1e-13) << xi;  // 256 terms, k^2 eps_ld each at the ends
    EXPECT_NEAR(basis_row(255, xi) * Eigen::Map<const Vector>(a.data(), 256), static_cast<double>(exact), 1e-13) << xi;
  }
}

TEST(ChebyshevSeries, RejectsNegativeDegreesAndOrders) {
  const AxisMap map(0.0, 1.0);
  EXPECT_THROW(derivative_matrix(-1), ShapeError);
  EXPECT_THROW(integral_matrix(-1), ShapeError);
  EXPECT_THROW(basis_row(-1, 0.0), ShapeError);
  EXPECT_THROW(point_row(map, 3, 0.5, -1), ShapeError);
  EXPECT_THROW(gauss_matrix(map, 3, 0, 1), ShapeError);
  EXPECT_THROW(quadrature_weights(map, 0), ShapeError);
}

}  // namespace
}  // namespace gwrm::chebyshev_test
