// Every device implementation against its CPU version, through the public functions. Skipped where there is no device.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "kernels/product/chebyshev_product.hpp"
#include "kernels/product/product_choice.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "random_array.hpp"

namespace gwrm::device_versions_test {
namespace {

// Around the widths of a warp and a block, and one size that fills many blocks.
constexpr Index kSizes[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000};

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0, scale = std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return difference / scale;
}

class DeviceVersions : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    device_ = Context::create(BackendChoice::cuda);
  }

  Context cpu_ = Context::create(BackendChoice::cpu);
  Context device_ = cpu_;
  test::Random random_{17};
};

class DeviceProduct : public DeviceVersions, public ::testing::WithParamInterface<ProductVariant> {
 protected:
  void expect_same_on_device(const Shape& shape) {
    const Array a = random_.array(shape), b = random_.array(shape);
    const Array expected = chebyshev_product(cpu_, a, b, GetParam()), c = chebyshev_product(device_, a, b, GetParam());
    EXPECT_EQ(c.shape, shape);
    // Sums in another order: both are within 4e-15 of the exact product up to degree 255, and sqrt(4) further at 1000.
    EXPECT_LE(relative_difference(c.data, expected.data), 1e-14) << ::testing::PrintToString(shape);
    EXPECT_EQ(chebyshev_product(device_, a, b, GetParam()).data, c.data) << "two runs differ";
  }
};

TEST_P(DeviceProduct, AgreesInOneDimension) {
  for (Index n : kSizes) expect_same_on_device({n});
}

TEST_P(DeviceProduct, AgreesInMoreDimensions) {
  for (const Shape& shape :
       {Shape{1, 7}, {5, 9}, {33, 31}, {64, 48}, {4, 5, 6}, {17, 1, 16}, {2, 3, 2, 4}, {2, 2, 3, 2, 2}})
    expect_same_on_device(shape);
}

INSTANTIATE_TEST_SUITE_P(Variants, DeviceProduct,
                         ::testing::Values(ProductVariant::automatic, ProductVariant::monolithic,
                                           ProductVariant::stride, ProductVariant::direct, ProductVariant::transform),
                         [](const auto& variant) -> std::string { return variant_name(variant.param); });

TEST_F(DeviceVersions, TransformTensorsAlike) {
  std::vector<std::pair<Shape, Shape>> cases = {
      {{4, 6}, {9, 2}}, {{3, 4, 5}, {5, 1, 4}}, {{33, 20, 7}, {31, 64, 7}}, {{2, 3, 2, 4}, {3, 2, 5, 4}}};
  for (Index n : kSizes) {
    cases.push_back({{n}, {n + 3}});
    cases.push_back({{5, n}, {7, n / 2 + 1}});
    cases.push_back({{n, 3}, {n / 2 + 1, 3}});
  }
  for (const auto& [from, to] : cases) {
    std::vector<Matrix> matrices;
    for (std::size_t d = 0; d < from.size(); ++d) matrices.push_back(random_.matrix(to[d], from[d]));
    std::vector<const Matrix*> pointers;
    for (std::size_t d = 0; d < from.size(); ++d)
      pointers.push_back(from[d] == to[d] && from.size() > 1 && d + 1 == from.size() ? nullptr : &matrices[d]);
    const Array x = random_.array(from);
    const Array expected = tensor_transform(cpu_, x, pointers), y = tensor_transform(device_, x, pointers);
    EXPECT_EQ(y.shape, expected.shape);
    EXPECT_LE(relative_difference(y.data, expected.data), 4e-15) << ::testing::PrintToString(from);
    EXPECT_EQ(tensor_transform(device_, x, pointers).data, y.data) << "two runs differ";
  }
}

class DeviceLu : public DeviceVersions {
 protected:
  using ColumnMatrix = Eigen::MatrixXd;

  void SetUp() override {
    DeviceVersions::SetUp();
    if (IsSkipped()) return;
    lu_ = make_dense_lu(device_);
    reference_ = make_dense_lu(cpu_);
  }
  LuStatus factor(const ColumnMatrix& matrix) {
    const std::span<const double> entries(matrix.data(), static_cast<std::size_t>(matrix.size()));
    reference_status_ = reference_->factor(entries, matrix.rows());
    return lu_->factor(entries, matrix.rows());
  }
  void expect_dependency(const ColumnMatrix& matrix) {
    ASSERT_EQ(factor(matrix), LuStatus::singular);
    const Dependency dependency = lu_->dependency();
    const Eigen::Map<const Vector> rows(dependency.row_weights.data(), matrix.rows());
    const Eigen::Map<const Vector> columns(dependency.column_weights.data(), matrix.rows());
    const double tolerance = 1e-12 * matrix.cwiseAbs().maxCoeff();
    EXPECT_DOUBLE_EQ(rows.cwiseAbs().maxCoeff(), 1.0);
    EXPECT_DOUBLE_EQ(columns.cwiseAbs().maxCoeff(), 1.0);
    EXPECT_LE((matrix * columns).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((matrix.transpose() * rows).cwiseAbs().maxCoeff(), tolerance);
  }

  std::unique_ptr<DenseLu> lu_, reference_;
  LuStatus reference_status_ = LuStatus::not_finite;
};

TEST_F(DeviceLu, SolvesLikeTheCpu) {
  for (Index n : kSizes) {
    const ColumnMatrix matrix = random_.matrix(n, n);
    ASSERT_EQ(factor(matrix), LuStatus::regular) << n;
    ASSERT_EQ(reference_status_, LuStatus::regular);
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& value : x) value = random_.number();
    std::vector<double> expected = x;
    lu_->solve(x);
    reference_->solve(expected);
    // Each solution is off by a modest multiple of eps times the condition number.
    EXPECT_LE(relative_difference(x, expected), 1e-14 / reference_->reciprocal_condition()) << n;
    EXPECT_NEAR(lu_->reciprocal_condition() / reference_->reciprocal_condition(), 1.0, 0.5)
        << n;  // one algorithm, two roundings
  }
}

TEST_F(DeviceLu, ScalesRowsAndColumns) {
  const Index n = 100;
  Vector rows(n), columns(n);
  for (Index i = 0; i < n; ++i) {
    rows(i) = std::pow(10.0, random_.number(-130.0, 130.0));
    columns(i) = std::pow(10.0, random_.number(-130.0, 130.0));
  }
  ASSERT_EQ(factor(rows.asDiagonal() * random_.matrix(n, n) * columns.asDiagonal()), LuStatus::regular);
  std::vector<double> x(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = rows(i) * random_.number();
  std::vector<double> expected = x;
  lu_->solve(x);
  reference_->solve(expected);
  for (Index i = 0; i < n; ++i) {
    x[static_cast<std::size_t>(i)] *= columns(i);
    expected[static_cast<std::size_t>(i)] *= columns(i);
  }
  EXPECT_LE(relative_difference(x, expected), 1e-11);
}

TEST_F(DeviceLu, FindsEveryKindOfDependency) {
  for (Index n : {2, 33, 257, 1000}) {
    ColumnMatrix matrix = random_.matrix(n, n);
    matrix.col(n - 1) = -4.0 * matrix.col(0);
    expect_dependency(matrix);
    matrix = random_.matrix(n, n);
    matrix.row(n - 1) = matrix.row(0);
    expect_dependency(matrix);
    matrix = random_.matrix(n, n);
    matrix.row(n / 2).setZero();
    expect_dependency(matrix);
    matrix = random_.matrix(n, n);
    matrix.col(n / 2).setZero();
    expect_dependency(matrix);
    // Periodic differences: exact in every elimination step, the last pivot is zero.
    matrix = ColumnMatrix::Identity(n, n);
    for (Index i = 0; i < n; ++i) matrix(i, (i + 1) % n) -= 1.0;
    expect_dependency(matrix);
    const ColumnMatrix few = random_.matrix(n, 1),
                       other = random_.matrix(1, n);  // rank one: round-off remains everywhere
    expect_dependency(few * other);
  }
  expect_dependency(ColumnMatrix::Zero(1, 1));
  expect_dependency(ColumnMatrix::Zero(40, 40));
}

TEST_F(DeviceLu, TellsNearlySingularFromSingular) {
  ColumnMatrix matrix = random_.matrix(64, 64);
  matrix.col(1) = matrix.col(0);
  matrix(63, 1) += 1e-9;
  EXPECT_EQ(factor(matrix), LuStatus::regular);
  EXPECT_EQ(factor(ColumnMatrix::Identity(300, 300)), LuStatus::regular);
  EXPECT_DOUBLE_EQ(lu_->reciprocal_condition(), 1.0);
}

TEST_F(DeviceLu, RefusesNotANumberAndInfinity) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    ColumnMatrix matrix = random_.matrix(70, 70);
    matrix(69, 3) = bad;
    EXPECT_EQ(factor(matrix), LuStatus::not_finite);
  }
  EXPECT_EQ(factor(random_.matrix(70, 70)), LuStatus::regular);
  EXPECT_EQ(factor(ColumnMatrix(0, 0)), LuStatus::regular);
}

}  // namespace
}  // namespace gwrm::device_versions_test
