#include "basis/low_degree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm::low_degree_test {
namespace {

template <class Function>
RowVector at_points(Index n, Function f) {
  const Vector xi = gauss_points(n);
  RowVector values(n);
  for (Index i = 0; i < n; ++i) values(i) = f(xi(i));
  return values;
}

TEST(LowDegree, FindsThePolynomialAndItsDegree) {
  Matrix values(2, 100);
  values.row(0) = at_points(100, [](double x) { return 3.0 + x; });
  values.row(1) = at_points(100, [](double x) { return 4.0 * x * x * x - x; });  // 2 T_1 + T_3
  const Matrix series = low_degree_series(values, 24);
  ASSERT_EQ(series.cols(), 4);
  Matrix expected(2, 4);
  expected << 3, 1, 0, 0, 0, 2, 0, 1;
  EXPECT_LE((series - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(LowDegree, AConstantHasDegreeZeroAndZeroToo) {
  EXPECT_EQ(low_degree_series(Matrix::Constant(1, 50, 7.0), 24).cols(), 1);
  const Matrix zero = low_degree_series(Matrix::Zero(1, 50), 24);
  ASSERT_EQ(zero.cols(), 1);
  EXPECT_EQ(zero(0, 0), 0.0);
}

// The coefficients of exp fall like 1/(2^k k!): 1e-15 at k = 14.
TEST(LowDegree, AcceptsEntireFunctionsAndRefusesPolesAndFronts) {
  const Index n = low_degree_series(Matrix(at_points(97, [](double x) { return std::exp(x); })), 24).cols();
  EXPECT_GE(n, 13);
  EXPECT_LE(n, 17);
  EXPECT_EQ(low_degree_series(Matrix(at_points(97, [](double x) { return 1.0 / (1.2 + x); })), 24).cols(), 0);
  EXPECT_EQ(low_degree_series(Matrix(at_points(97, [](double x) { return std::abs(x); })), 24).cols(), 0);
  EXPECT_EQ(low_degree_series(Matrix(at_points(97, [](double x) { return std::cos(90.0 * x); })), 24).cols(), 0);
}

TEST(LowDegree, RefusesNaN) {
  EXPECT_EQ(low_degree_series(Matrix::Constant(1, 9, std::numeric_limits<double>::quiet_NaN()), 24).cols(), 0);
}

}  // namespace
}  // namespace gwrm::low_degree_test
