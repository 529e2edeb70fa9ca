#include "kernels/linear_algebra/dense_lu.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "random_array.hpp"

namespace gwrm::dense_lu_test {
namespace {

using ColumnMatrix = Eigen::MatrixXd;
using test::Random;

std::span<const double> values(const ColumnMatrix& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

Eigen::Map<const Vector> as_vector(const std::vector<double>& entries) {
  return {entries.data(), static_cast<Index>(entries.size())};
}

class DenseLuCpu : public ::testing::Test {
 protected:
  LuStatus factor(const ColumnMatrix& matrix) { return lu_->factor(values(matrix), matrix.rows()); }
  Vector solve(Vector right_hand_side) const {
    lu_->solve({right_hand_side.data(), static_cast<std::size_t>(right_hand_side.size())});
    return right_hand_side;
  }

  // Both null vectors, entry by entry against the size of what was summed.
  void expect_dependency(const ColumnMatrix& matrix) {
    ASSERT_EQ(factor(matrix), LuStatus::singular);
    const Dependency dependency = lu_->dependency();
    const Vector rows = as_vector(dependency.row_weights), columns = as_vector(dependency.column_weights);
    EXPECT_DOUBLE_EQ(rows.cwiseAbs().maxCoeff(), 1.0);
    EXPECT_DOUBLE_EQ(columns.cwiseAbs().maxCoeff(), 1.0);
    const double size = matrix.cwiseAbs().maxCoeff();
    EXPECT_LE((matrix * columns).cwiseAbs().maxCoeff(), 1e-12 * size);
    EXPECT_LE((matrix.transpose() * rows).cwiseAbs().maxCoeff(), 1e-12 * size);
  }

  Random random_{3};
  std::unique_ptr<DenseLu> lu_ = make_dense_lu(Context::create(BackendChoice::cpu, 2));
};

TEST_F(DenseLuCpu, SolvesRandomSystemsLikeFullPivoting) {
  for (Index n : {1, 2, 3, 17, 64, 150}) {
    const ColumnMatrix matrix = random_.matrix(n, n);
    const Vector b = random_.matrix(n, 1);
    ASSERT_EQ(factor(matrix), LuStatus::regular);
    const Vector exact = matrix.fullPivLu().solve(b);
    // Random matrices of this size have condition numbers below 1e5.
    EXPECT_LE((solve(b) - exact).norm(), 1e-10 * exact.norm()) << n;
    EXPECT_LE((matrix * solve(b) - b).cwiseAbs().maxCoeff(),
              1e-14 * static_cast<double>(n) * exact.cwiseAbs().maxCoeff());
  }
}

TEST_F(DenseLuCpu, IsNotDisturbedByBadScaling) {
  const Index n = 40;
  const ColumnMatrix base = random_.matrix(n, n);
  Vector rows(n), columns(n);
  for (Index i = 0; i < n; ++i) {
    rows(i) = std::pow(10.0, random_.number(-130.0, 130.0));
    columns(i) = std::pow(10.0, random_.number(-130.0, 130.0));
  }
  const Vector b = random_.matrix(n, 1);
  ASSERT_EQ(factor(rows.asDiagonal() * base * columns.asDiagonal()), LuStatus::regular);
  const Vector x = solve(rows.cwiseProduct(b));
  const Vector exact = base.fullPivLu().solve(b);
  EXPECT_LE((columns.cwiseProduct(x) - exact).norm(), 1e-11 * exact.norm());
}

TEST_F(DenseLuCpu, EstimatesTheReciprocalCondition) {
  const Index n = 30;
  const ColumnMatrix matrix = ColumnMatrix::NullaryExpr(n, n, [this] { return random_.number(0.5, 1.0); });
  ASSERT_EQ(factor(matrix), LuStatus::regular);  // every row and column is near 1 already: nothing is scaled
  const auto one_norm = [](const ColumnMatrix& m) { return m.cwiseAbs().colwise().sum().maxCoeff(); };
  const double exact = 1.0 / (one_norm(matrix) * one_norm(matrix.inverse()));
  EXPECT_GE(lu_->reciprocal_condition(), exact * (1 - 1e-10));  // the estimate of |A^-1| is a lower bound
  EXPECT_LE(lu_->reciprocal_condition(), 10.0 * exact);

  ASSERT_EQ(factor(Vector(Vector::LinSpaced(5, -300, 300).unaryExpr([](double e) {
                     return std::pow(10.0, e);
                   })).asDiagonal()),
            LuStatus::regular);
  EXPECT_GE(lu_->reciprocal_condition(), 0.2);  // a diagonal matrix is perfectly conditioned after scaling
}

TEST_F(DenseLuCpu, TellsNearlySingularFromSingular) {
  ColumnMatrix matrix = random_.matrix(20, 20);
  matrix.col(7) = matrix.col(3);
  matrix(0, 7) += 1e-12;
  EXPECT_EQ(factor(matrix), LuStatus::regular);
  EXPECT_LT(lu_->reciprocal_condition(), 1e-12);
  matrix.col(7) = matrix.col(3);
  EXPECT_EQ(factor(matrix), LuStatus::singular);
  EXPECT_LT(lu_->reciprocal_condition(), 2.3e-17);
}

TEST_F(DenseLuCpu, NamesEqualColumnsAndTheirWeights) {
  ColumnMatrix matrix = random_.matrix(33, 33);
  matrix.col(20) = 4.0 * matrix.col(5);
  expect_dependency(matrix);
  const Vector weights = as_vector(lu_->dependency().column_weights);
  EXPECT_NEAR(weights(20) / weights(5), -0.25, 1e-10);
  for (Index i = 0; i < 33; ++i)
    if (i != 5 && i != 20) {
      EXPECT_LE(std::abs(weights(i)), 1e-10);
    }
}

TEST_F(DenseLuCpu, NamesAnEmptyRowAndAnEmptyColumn) {
  ColumnMatrix matrix = random_.matrix(25, 25);
  matrix.row(13).setZero();
  expect_dependency(matrix);
  const Vector rows = as_vector(lu_->dependency().row_weights);
  EXPECT_DOUBLE_EQ(std::abs(rows(13)), 1.0);

  matrix = random_.matrix(25, 25);
  matrix.col(4).setZero();
  expect_dependency(matrix);
  const Vector columns = as_vector(lu_->dependency().column_weights);
  EXPECT_DOUBLE_EQ(std::abs(columns(4)), 1.0);
}

TEST_F(DenseLuCpu, FindsADependencyInRankDeficientMatrices) {
  // Small whole numbers: the deficiency is exact.
  for (Index rank : {1, 10, 28, 29}) {
    const auto whole = [this] { return std::floor(random_.number(-3.0, 4.0)); };
    const ColumnMatrix left = ColumnMatrix::NullaryExpr(30, rank, whole),
                       right = ColumnMatrix::NullaryExpr(rank, 30, whole);
    expect_dependency(left * right);
  }
}

TEST_F(DenseLuCpu, FindsTheConstantInPeriodicDifferences) {
  ColumnMatrix matrix = ColumnMatrix::Identity(200, 200);
  for (Index i = 0; i < 200; ++i) matrix(i, (i + 1) % 200) -= 1.0;
  expect_dependency(matrix);
  const Vector columns = as_vector(lu_->dependency().column_weights);
  EXPECT_LE((columns.array() / columns(0) - 1.0).abs().maxCoeff(), 1e-12);
}

TEST_F(DenseLuCpu, SurvivesHundredsOfEmptyColumns) {
  ColumnMatrix matrix = random_.matrix(300, 300);
  for (Index j = 0; j < 300; j += 2) matrix.col(j).setZero();
  expect_dependency(matrix);
  expect_dependency(ColumnMatrix::Zero(4, 4));
}

TEST_F(DenseLuCpu, WeighsTheMatrixAsGivenNotAsScaled) {
  ColumnMatrix matrix = random_.matrix(12, 12);
  matrix.col(9) = matrix.col(2);
  Vector columns = Vector::Ones(12);
  columns(9) = 1e6;
  ASSERT_EQ(factor(matrix * columns.asDiagonal()), LuStatus::singular);
  const Vector weights = as_vector(lu_->dependency().column_weights);
  EXPECT_NEAR(weights(9) / weights(2), -1e-6, 1e-12);
}

TEST_F(DenseLuCpu, RefusesNotANumberAndInfinity) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    ColumnMatrix matrix = random_.matrix(9, 9);
    matrix(3, 8) = bad;
    EXPECT_EQ(factor(matrix), LuStatus::not_finite);
  }
  EXPECT_EQ(factor(random_.matrix(9, 9)), LuStatus::regular);  // and is usable afterwards
}

TEST_F(DenseLuCpu, HandlesTheSmallestSystems) {
  ASSERT_EQ(factor(ColumnMatrix(0, 0)), LuStatus::regular);
  EXPECT_EQ(solve(Vector(0)).size(), 0);
  ASSERT_EQ(factor(ColumnMatrix::Constant(1, 1, -4.0)), LuStatus::regular);
  EXPECT_EQ(solve(Vector::Constant(1, 2.0))(0), -0.5);
  expect_dependency(ColumnMatrix::Zero(1, 1));
}

TEST_F(DenseLuCpu, RejectsWrongSizesAndCallsOutOfTurn) {
  std::vector<double> two(2), three(3);
  EXPECT_THROW(lu_->solve(two), ShapeError);
  EXPECT_THROW(lu_->factor(three, 2), ShapeError);
  ASSERT_EQ(factor(ColumnMatrix::Identity(2, 2)), LuStatus::regular);
  EXPECT_THROW(lu_->solve(three), ShapeError);
  EXPECT_THROW(lu_->dependency(), ShapeError);
  ASSERT_EQ(factor(ColumnMatrix::Zero(2, 2)), LuStatus::singular);
  EXPECT_THROW(lu_->solve(two), ShapeError);
}

TEST(DenseLuBytes, CountTheFactor) {
  EXPECT_GE(dense_lu_bytes(1000), 8'000'000u);
  EXPECT_LE(dense_lu_bytes(1000), 8'200'000u);
  EXPECT_GE(dense_lu_bytes(100000), std::size_t{80'000'000'000});  // no overflow of 32 bits
}

}  // namespace
}  // namespace gwrm::dense_lu_test
