// All solutions of wide complex systems, in both precisions.
#include "kernels/linear_algebra/wide_lu.hpp"
#include "kernels/linear_algebra/flush_subnormals.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "random_array.hpp"

namespace gwrm::wide_lu_test {
namespace {

using test::Random;
using Complex = std::complex<double>;

ComplexVector solve(const WideLu& lu, const ComplexVector& b) {
  ComplexVector x = ComplexVector::Constant(lu.n_columns(), Complex(7.0, 7.0));
  lu.solve({b.data(), static_cast<std::size_t>(b.size())}, {x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

class WideSystem : public ::testing::TestWithParam<Precision> {
 protected:
  ComplexMatrix matrix(Index rows, Index cols) {
    return ComplexMatrix::NullaryExpr(rows, cols, [this] { return Complex(random_.number(), random_.number()); });
  }
  ComplexVector vector(Index n) {
    return ComplexVector::NullaryExpr(n, [this] { return Complex(random_.number(), random_.number()); });
  }
  double eps() const {
    return GetParam() == Precision::single_complex ? std::numeric_limits<float>::epsilon()
                                                   : std::numeric_limits<double>::epsilon();
  }
  Random random_{31};
};
INSTANTIATE_TEST_SUITE_P(Precisions, WideSystem,
                         ::testing::Values(Precision::single_complex, Precision::double_complex), [](const auto& what) {
                           return what.param == Precision::single_complex ? "Single" : "Double";
                         });

const std::vector<std::pair<Index, Index>> kShapes = {{1, 1},   {1, 4},   {5, 5},   {6, 7},   {10, 14},
                                                      {40, 42}, {33, 66}, {16, 18}, {64, 64}, {300, 301}};

TEST_P(WideSystem, ParticularSolutionHasTheRightHandSide) {
  for (const auto& [rows, cols] : kShapes) {
    const ComplexMatrix a = matrix(rows, cols);
    WideLu lu;
    ASSERT_EQ(lu.factor(a, GetParam()), LuStatus::regular);
    EXPECT_EQ(lu.n_rows(), rows);
    EXPECT_EQ(lu.n_columns(), cols);
    const ComplexVector b = vector(rows), x = solve(lu, b);
    // Backward stable: round-off of the size of the products, times their number.
    EXPECT_LE((a * x - b).norm(), 10.0 * static_cast<double>(cols) * eps() * a.norm() * x.norm())
        << rows << " " << cols;
    Index n_zero = 0;
    for (Index j = 0; j < cols; ++j) n_zero += x(j) == 0.0 ? 1 : 0;
    EXPECT_EQ(n_zero, cols - rows) << "zero in the columns that were not picked";
  }
}

TEST_P(WideSystem, NullSpaceIsWholeAndOnlyThat) {
  for (const auto& [rows, cols] : kShapes) {
    const ComplexMatrix a = matrix(rows, cols);
    WideLu lu;
    ASSERT_EQ(lu.factor(a, GetParam()), LuStatus::regular);
    const ComplexMatrix n = lu.null_space();
    ASSERT_EQ(n.rows(), cols);
    ASSERT_EQ(n.cols(), cols - rows);
    if (n.cols() == 0) continue;
    EXPECT_LE((a * n).norm(), 10.0 * static_cast<double>(cols) * eps() * a.norm() * n.norm());
    const auto sizes = Eigen::JacobiSVD<Eigen::MatrixXcd>(Eigen::MatrixXcd(n)).singularValues();
    EXPECT_GT(sizes.minCoeff(), 0.5) << "it contains a unit matrix (times column scales of 1/2 to 1)";
    // Any solution: the particular one and a combination of the null space.
    const ComplexVector any = vector(cols), b = a * any, rest = any - solve(lu, b);
    const ComplexVector combination =
        Eigen::MatrixXcd(n).jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV).solve(rest);
    EXPECT_LE((n * combination - rest).norm(), 1e4 * static_cast<double>(cols) * eps() * rest.norm());
  }
}

// Rows and columns of sizes 1e-30 to 1e30: exact powers of two bring them back, and the answer loses nothing.
TEST_P(WideSystem, BadlyScaledRowsAndColumns) {
  const Index rows = 12, cols = 15;
  const ComplexMatrix a = matrix(rows, cols);
  Eigen::VectorXd row_scale(rows), column_scale(cols);
  for (Index i = 0; i < rows; ++i) row_scale(i) = std::exp2(static_cast<double>((i * 37) % 201 - 100));
  for (Index j = 0; j < cols; ++j) column_scale(j) = std::exp2(static_cast<double>((j * 53) % 201 - 100));
  const ComplexMatrix scaled = row_scale.asDiagonal() * a * column_scale.asDiagonal();
  WideLu lu;
  ASSERT_EQ(lu.factor(scaled, GetParam()), LuStatus::regular);
  const ComplexVector b = vector(rows);
  const ComplexVector x = solve(lu, row_scale.asDiagonal() * b);
  const ComplexVector unscaled = column_scale.asDiagonal() * x;
  EXPECT_LE((a * unscaled - b).norm(), 1e3 * eps() * a.norm() * unscaled.norm());
}

// A column of nothing but round-off, scaled by itself, would be picked like any other, and a null vector would have
// entries of 1e13 in its place.
TEST_P(WideSystem, ColumnsOfRoundOffAreNotPicked) {
  ComplexMatrix a = matrix(4, 6);
  a.col(1) *= 1e-14;
  WideLu lu;
  ASSERT_EQ(lu.factor(a, GetParam(), 3), LuStatus::regular);  // columns of two unknowns
  const ComplexMatrix n = lu.null_space();
  ASSERT_EQ(n.cols(), 2);
  Eigen::MatrixXcd normalised(n);
  for (Index c = 0; c < n.cols(); ++c) normalised.col(c).normalize();
  EXPECT_GT(Eigen::JacobiSVD<Eigen::MatrixXcd>(normalised).singularValues().minCoeff(), 1e-3);
  EXPECT_LE((a * normalised).norm(), 100.0 * eps() * a.norm());
}

TEST_P(WideSystem, TinyRightHandSidesDoNotUnderflow) {
  const ComplexMatrix a = matrix(9, 9);
  WideLu lu;
  ASSERT_EQ(lu.factor(a, GetParam()), LuStatus::regular);
  const ComplexVector b = 1e-100 * vector(9), x = solve(lu, b);
  EXPECT_LE((a * x - b).norm(), 1e3 * eps() * a.norm() * x.norm());
  EXPECT_GT(x.norm(), 0.0);
  EXPECT_EQ(solve(lu, ComplexVector::Zero(9)), ComplexVector(ComplexVector::Zero(9)));
}

TEST_P(WideSystem, EmptyRowsAndColumnsAreSingular) {
  WideLu lu;
  ComplexMatrix zero = matrix(6, 6);
  zero.row(2).setZero();
  EXPECT_EQ(lu.factor(zero, GetParam()), LuStatus::singular);
  ComplexMatrix column = matrix(6, 6);
  column.col(3).setZero();
  EXPECT_EQ(lu.factor(column, GetParam()), LuStatus::singular);
  EXPECT_EQ(lu.factor(ComplexMatrix::Zero(3, 5), GetParam()), LuStatus::singular);
}

TEST_P(WideSystem, NotFiniteAndShapes) {
  WideLu lu;
  ComplexMatrix a = matrix(4, 5);
  a(2, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(lu.factor(a, GetParam()), LuStatus::not_finite);
  a(2, 3) = Complex(0.0, std::numeric_limits<double>::infinity());
  EXPECT_EQ(lu.factor(a, GetParam()), LuStatus::not_finite);
  EXPECT_THROW(lu.factor(matrix(5, 4), GetParam()), ShapeError);
  EXPECT_EQ(lu.factor(ComplexMatrix(0, 3), GetParam()), LuStatus::regular);
  EXPECT_EQ(lu.null_space(), ComplexMatrix(ComplexMatrix::Identity(3, 3)));
}

// Subnormal numbers are zero while factors in single precision are made and used, and are there again afterwards.
TEST(WideSystemState, SubnormalNumbersAreFlushedInsideAlone) {
  volatile float half = 0.5f, least = std::numeric_limits<float>::min();
  const auto halved = [&] { return least * half; };
  ASSERT_GT(halved(), 0.0f);
  {
    const FlushSubnormals flush;
    EXPECT_EQ(halved(), 0.0f);
  }
  EXPECT_GT(halved(), 0.0f);
  WideLu lu;
  ComplexMatrix a = ComplexMatrix::Identity(4, 4);
  a(3, 0) = Complex(1e-40, 0.0);
  ASSERT_EQ(lu.factor(a), LuStatus::regular);
  const ComplexVector ones = ComplexVector::Ones(4), x = solve(lu, ones);
  EXPECT_EQ(x, ones);
  EXPECT_GT(halved(), 0.0f);
}

}  // namespace
}  // namespace gwrm::wide_lu_test
