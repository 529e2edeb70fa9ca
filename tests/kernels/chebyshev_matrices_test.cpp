#include "kernels/transform/chebyshev_matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/errors.hpp"

namespace gwrm::chebyshev_matrices_test {
namespace {

long double exact_cosine(Index k, Index i, Index n_points) {
  return std::cos(static_cast<long double>(k) * (std::numbers::pi_v<long double> * static_cast<long double>(2 * i + 1) /
                                                 (2.0L * static_cast<long double>(n_points))));
}

TEST(GaussPoints, DescendSymmetricallyWithAnExactMiddle) {
  for (Index n : {1, 2, 3, 8, 17, 255, 256}) {
    const Vector points = gauss_points(n);
    ASSERT_EQ(points.size(), n);
    for (Index i = 0; i < n; ++i) {
      EXPECT_EQ(points(i), -points(n - 1 - i));
      if (i > 0) {
        EXPECT_LT(points(i), points(i - 1));
      }
    }
    if (n % 2 == 1) {
      EXPECT_EQ(points(n / 2), 0.0);
    }
  }
}

TEST(ChebyshevMatrices, AreCosinesToTheLastBit) {
  for (const auto& [n_points, degree] : {std::pair<Index, Index>{1, 0}, {3, 2}, {17, 24}, {256, 255}, {384, 255}}) {
    const Matrix values = values_from_coefficients(n_points, degree);
    double error = 0.0;
    for (Index i = 0; i < n_points; ++i)
      for (Index k = 0; k <= degree; ++k)
        error = std::max(error, static_cast<double>(std::abs(values(i, k) - exact_cosine(k, i, n_points))));
    // Half a unit in the last place of 1, and the oracle's own error of k theta eps in long double.
    EXPECT_LE(error, 1.2e-16) << n_points << " points, degree " << degree;
  }
}

TEST(ChebyshevMatrices, AreInverseToEachOther) {
  for (Index n : {1, 2, 3, 17, 64, 256}) {
    const Matrix product = coefficients_from_values(n - 1, n) * values_from_coefficients(n, n - 1);
    EXPECT_LE((product - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-14) << n;  // n terms of eps / n each
  }
}

TEST(ChebyshevMatrices, UseThePlainNormalisation) {
  const Index n = 9;
  const Vector coefficients = coefficients_from_values(n - 1, n) * Vector::Constant(n, 3.0);
  EXPECT_NEAR(coefficients(0), 3.0, 1e-15);  // u = a_0 T_0, not a_0 / 2
  EXPECT_LE(coefficients.tail(n - 1).cwiseAbs().maxCoeff(), 2e-15);
}

TEST(ChebyshevMatrices, RejectImpossibleSizes) {
  EXPECT_THROW(gauss_points(0), ShapeError);
  EXPECT_THROW(values_from_coefficients(0, 3), ShapeError);
  EXPECT_THROW(values_from_coefficients(3, -1), ShapeError);
  EXPECT_THROW(coefficients_from_values(4, 4), ShapeError);
}

}  // namespace
}  // namespace gwrm::chebyshev_matrices_test
