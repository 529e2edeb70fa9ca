// The banded products against the way over the points: values of the derivative times the coefficient, projected.
#include "basis/ultraspherical_band.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "basis/chebyshev.hpp"
#include "basis/ultraspherical.hpp"
#include "core/errors.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm::ultraspherical_band_test {
namespace {

std::vector<double> random_series(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> c(static_cast<std::size_t>(n));
  for (double& value : c) value = uniform(generator);
  return c;
}

Matrix over_points(const std::vector<double>& c, Index degree, int order, int basis) {
  const Index d = static_cast<Index>(c.size()) - 1, n_points = 2 * (degree + d) + 3;  // no product is folded back
  const Matrix values = gauss_matrix(AxisMap(-1.0, 1.0), degree, n_points, order);
  const Vector coefficient =
      values_from_coefficients(n_points, d) * Eigen::Map<const Vector>(c.data(), static_cast<Index>(c.size()));
  return ultraspherical_conversion(coefficients_from_values(degree, n_points) * coefficient.asDiagonal() * values, 0,
                                   basis);
}

TEST(UltrasphericalProduct, IsTheProjectedProduct) {
  for (Index degree : {9, 24})
    for (int order : {0, 1, 2, 3, 4})
      for (int basis = order; basis <= 4; ++basis)
        for (Index d : {0, 1, 2, 3, 5, 8}) {
          const std::vector<double> c =
              random_series(d + 1, 5u * static_cast<unsigned>(order) + static_cast<unsigned>(d));
          const BandRows band = ultraspherical_product(c, degree, order, basis, degree + 1);
          const Matrix expected = over_points(c, degree, order, basis);
          Matrix dense(degree + 1, degree + 1);
          for (Index r = 0; r <= degree; ++r)
            for (Index k = 0; k <= degree; ++k) dense(r, k) = band(r, k);
          // The points lose digits: entries of the fourth derivative of T_24 reach 1e8 before they cancel.
          const double size = gauss_matrix(AxisMap(-1.0, 1.0), degree, 3 * degree, order).cwiseAbs().maxCoeff();
          EXPECT_LE((dense - expected).cwiseAbs().maxCoeff(), 1e-12 * size)
              << "degree " << degree << " order " << order << " basis " << basis << " d " << d;
          EXPECT_EQ(band.first_offset, order - d);
          EXPECT_EQ(band.last_offset(), 2 * basis - order + d);
        }
}

TEST(UltrasphericalProduct, WithAConstantIsTheOperatorItself) {
  const std::vector<double> one{1.0};
  for (int order : {0, 1, 2, 3}) {
    const Matrix expected = ultraspherical_conversion(ultraspherical_derivative(300, order), order, 3);
    const BandRows band = ultraspherical_product(one, 300, order, 3, 298);
    ASSERT_EQ(band.n_rows(), 298);
    for (Index r = 0; r < 298; ++r)
      for (Index k = 0; k <= 300; ++k)
        EXPECT_NEAR(band(r, k), expected(r, k), 1e-13 * (1.0 + std::abs(expected(r, k))));
  }
}

TEST(UltrasphericalProduct, ChecksShapes) {
  const std::vector<double> one{1.0}, none;
  EXPECT_THROW(ultraspherical_product(none, 8, 1, 1, 8), ShapeError);
  EXPECT_THROW(ultraspherical_product(one, 8, 2, 1, 8), ShapeError);
  EXPECT_THROW(ultraspherical_product(one, 8, 1, 1, 10), ShapeError);
}

}  // namespace
}  // namespace gwrm::ultraspherical_band_test
