// The banded factorisation against Eigen's full-pivoting LU of the same matrix in dense storage.
#include "kernels/linear_algebra/banded_lu.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>

#include "core/errors.hpp"

namespace gwrm::banded_lu_test {
namespace {

template <class Number>
struct SampleOf {
  BasicBandedMatrix<Number> band;
  Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic> dense;
};
using Sample = SampleOf<double>;

// Random entries without a dominant diagonal: rows must be exchanged.
template <class Number = double>
SampleOf<Number> random_band(Index n, Index lower, Index upper, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  SampleOf<Number> sample{BasicBandedMatrix<Number>(n, lower, upper), {}};
  sample.dense.setZero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (!sample.band.contains(i, j)) continue;
      Number entry(uniform(generator));
      if constexpr (!std::is_same_v<Number, double>) entry.imag(uniform(generator));
      sample.dense(i, j) = sample.band(i, j) = entry;
    }
  return sample;
}

template <class Number>
void expect_dense_solutions(Index n, Index lower, Index upper) {
  const SampleOf<Number> sample = random_band<Number>(n, lower, upper, 17u + static_cast<unsigned>(n));
  const Eigen::FullPivLU<decltype(sample.dense)> oracle(sample.dense);
  BasicBandedLu<Number> lu;
  ASSERT_EQ(lu.factor(sample.band), LuStatus::regular);
  Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic> right = sample.dense.Random(n, 3);
  const auto expected = oracle.solve(right).eval();
  lu.solve({right.data(), static_cast<std::size_t>(right.size())});
  // Two stable solutions differ by eps times the condition, times a growth of the order of n.
  const double eps = std::numeric_limits<double>::epsilon();
  EXPECT_LE((right - expected).norm(), 100.0 * static_cast<double>(n) * eps / oracle.rcond() * expected.norm());
  // Of the scaled matrix, estimated from below: within the scaling and a factor of three of the other.
  EXPECT_GT(lu.reciprocal_condition(), oracle.rcond() / 10.0);
  EXPECT_LE(lu.reciprocal_condition(), 1.0 + 1e-12);
}

class BandedLus : public testing::TestWithParam<std::tuple<int, int, int>> {};
INSTANTIATE_TEST_SUITE_P(Sizes, BandedLus,
                         testing::Values(std::tuple(1, 0, 0), std::tuple(2, 1, 0), std::tuple(31, 0, 3),
                                         std::tuple(32, 3, 0), std::tuple(33, 2, 5), std::tuple(255, 40, 7),
                                         std::tuple(257, 9, 70), std::tuple(5, 4, 4), std::tuple(3, 6, 9)));

TEST_P(BandedLus, SolveAsDenseOnes) {
  const auto [n, lower, upper] = GetParam();
  expect_dense_solutions<double>(n, lower, upper);
  expect_dense_solutions<std::complex<double>>(n, lower, upper);
}

TEST(BandedLu, RowsAndColumnsOfVeryDifferentSizeDoNotMatter) {
  Sample sample = random_band(40, 3, 4, 5);
  BandedMatrix scaled(40, 3, 4);
  const auto row = [](Index i) { return std::ldexp(1.0, static_cast<int>(i * 13 % 80) - 40); };
  const auto column = [](Index j) { return std::ldexp(1.0, static_cast<int>(j * 29 % 60) - 30); };
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j)
      if (scaled.contains(i, j)) scaled(i, j) = row(i) * sample.band(i, j) * column(j);
  BandedLu plain, lu;
  ASSERT_EQ(plain.factor(sample.band), LuStatus::regular);
  ASSERT_EQ(lu.factor(scaled), LuStatus::regular);
  Eigen::VectorXd expected = Eigen::VectorXd::Random(40), right = expected;
  for (Index i = 0; i < 40; ++i) right(i) *= row(i);
  plain.solve({expected.data(), 40});
  lu.solve({right.data(), 40});
  for (Index j = 0; j < 40; ++j) EXPECT_NEAR(right(j) * column(j), expected(j), 1e-11 * expected.norm());
}

TEST(BandedLu, NamesSingularAndNotFiniteMatrices) {
  BandedMatrix zero_row(6, 1, 1);
  for (Index i = 0; i < 6; ++i) zero_row(i, i) = i == 3 ? 0.0 : 1.0;
  BandedLu lu;
  EXPECT_EQ(lu.factor(zero_row), LuStatus::singular);
  std::vector<double> right(6, 1.0);
  EXPECT_THROW(lu.solve(right), ShapeError);

  // The second difference with free ends has the constants as its null space.
  BandedMatrix neumann(50, 1, 1);
  for (Index i = 0; i < 50; ++i) {
    neumann(i, i) = i == 0 || i == 49 ? 1.0 : 2.0;
    if (i > 0) neumann(i, i - 1) = neumann(i - 1, i) = -1.0;
  }
  EXPECT_EQ(lu.factor(neumann), LuStatus::singular);

  zero_row(2, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(lu.factor(zero_row), LuStatus::not_finite);
}

TEST(BandedLu, ChecksShapes) {
  EXPECT_THROW(BandedMatrix(-1, 0, 0), ShapeError);
  EXPECT_THROW(BandedMatrix(3, -1, 0), ShapeError);
  BandedLu lu;
  EXPECT_EQ(lu.factor(BandedMatrix(0, 0, 0)), LuStatus::regular);
  lu.solve({});
  BandedMatrix one(2, 0, 0);
  one(0, 0) = one(1, 1) = 2.0;
  ASSERT_EQ(lu.factor(one), LuStatus::regular);
  std::vector<double> right(3, 1.0);
  EXPECT_THROW(lu.solve(right), ShapeError);
}

TEST(BandedLu, BytesAreThoseOfTheStorage) {
  EXPECT_EQ(banded_lu_bytes(100, 3, 5), 8u * 100u * 12u);
}

}  // namespace
}  // namespace gwrm::banded_lu_test
