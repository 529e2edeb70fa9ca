#include "kernels/linear_algebra/kronecker_sum.hpp"

#include <gtest/gtest.h>

#include "kernels/linear_algebra/complex_schur.hpp"
#include "random_array.hpp"

namespace gwrm::kronecker_sum_test {
namespace {

using test::Random;
using Complex = std::complex<double>;

ComplexColumnMajor<double> random_triangle(Random& random, Index n) {
  ComplexColumnMajor<double> t = ComplexColumnMajor<double>::NullaryExpr(
      n, n, [&] { return Complex(random.number(), random.number()) / static_cast<double>(n); });
  for (Index i = 0; i < n; ++i) t(i, i) += Complex(1.0 + random.number(), 2.0);
  return t;  // the lower part is noise: it must not be read
}

// (shift + sum_d T_d) y, entry by entry.
std::vector<Complex> apply(const std::vector<ComplexColumnMajor<double>>& triangles, const Shape& extents,
                           Complex shift, const std::vector<Complex>& y) {
  std::vector<Complex> r(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    r[i] = shift * y[i];
    std::size_t stride = 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
      const auto n = static_cast<std::size_t>(extents[d]), row = i / stride % n;
      for (std::size_t column = row; column < n; ++column)
        r[i] += triangles[d](static_cast<Index>(row), static_cast<Index>(column)) * y[i + (column - row) * stride];
      stride *= n;
    }
  }
  return r;
}

TEST(KroneckerSum, SolvesInAnyNumberOfDimensions) {
  Random random(8);
  for (const Shape& extents : {Shape{1}, Shape{40}, Shape{7, 5}, Shape{33, 70}, Shape{64, 31}, Shape{5, 34, 6},
                               Shape{2, 1}, Shape{1, 3, 1}, Shape{4, 1, 5}}) {
    std::vector<ComplexColumnMajor<double>> triangles;
    for (Index n : extents) triangles.push_back(random_triangle(random, n));
    std::vector<Complex> y(static_cast<std::size_t>(element_count(extents)));
    for (Complex& value : y) value = {random.number(), random.number()};
    const Complex shift(0.7, -0.2);
    const std::vector<Complex> r = apply(triangles, extents, shift, y);

    std::vector<const ComplexColumnMajor<double>*> pointers;
    for (const auto& t : triangles) pointers.push_back(&t);
    std::vector<Complex> solved = r;
    solve_kronecker_sum<double>(pointers, extents, shift, solved.data());
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_LT(std::abs(solved[i] - y[i]), 1e-11);

    std::vector<ComplexColumnMajor<float>> single;
    for (const auto& t : triangles) single.push_back(t.cast<std::complex<float>>());
    std::vector<const ComplexColumnMajor<float>*> single_pointers;
    for (const auto& t : single) single_pointers.push_back(&t);
    std::vector<std::complex<float>> rounded(r.begin(), r.end());
    solve_kronecker_sum<float>(single_pointers, extents, std::complex<float>(shift), rounded.data());
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_LT(std::abs(Complex(rounded[i]) - y[i]), 1e-3);
  }
}

TEST(KroneckerSum, ANumberIsDividedByTheShift) {
  Complex r(3.0, 1.0);
  solve_kronecker_sum<double>({}, {}, Complex(2.0), &r);
  EXPECT_EQ(r, Complex(1.5, 0.5));
}

TEST(ComplexSchur, IsUnitaryAndTriangular) {
  Random random(9);
  // Real matrices have their own way; those of random numbers have real eigenvalues and complex pairs.
  for (const auto& [n, real] : std::vector<std::pair<Index, bool>>{{0, false},
                                                                   {1, false},
                                                                   {2, false},
                                                                   {33, false},
                                                                   {90, false},
                                                                   {1, true},
                                                                   {2, true},
                                                                   {33, true},
                                                                   {90, true}}) {
    const Eigen::MatrixXcd a = Eigen::MatrixXcd::NullaryExpr(
        n, n, [&, real = real] { return Complex(random.number(), real ? 0.0 : random.number()); });
    const ComplexSchur schur = complex_schur(a);
    ASSERT_TRUE(schur.converged);
    if (n == 0) continue;
    const Eigen::MatrixXcd& u = schur.unitary;
    EXPECT_LT((u.adjoint() * u - Eigen::MatrixXcd::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((u * schur.triangle * u.adjoint() - a).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(schur.triangle.triangularView<Eigen::StrictlyLower>().toDenseMatrix().cwiseAbs().maxCoeff(), 0.0);
  }
}

// All eigenvalues in pairs: (0 1; -4 0) along the diagonal, coupled above it.
TEST(ComplexSchur, BlocksOfRealMatricesBecomeTriangular) {
  const Index n = 8;
  Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(n, n);
  for (Index k = 0; k < n; k += 2) {
    a(k, k + 1) = 1.0 + static_cast<double>(k);
    a(k + 1, k) = -4.0;
    for (Index j = k + 2; j < n; ++j) a(k, j) = 0.3 * static_cast<double>(j - k);
  }
  const ComplexSchur schur = complex_schur(a);
  EXPECT_LT((schur.unitary * schur.triangle * schur.unitary.adjoint() - a).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(schur.triangle.triangularView<Eigen::StrictlyLower>().toDenseMatrix().cwiseAbs().maxCoeff(), 0.0);
  std::vector<double> frequencies;
  for (Index k = 0; k < n; ++k) {
    EXPECT_NEAR(schur.triangle(k, k).real(), 0.0, 1e-13);
    frequencies.push_back(schur.triangle(k, k).imag());
  }
  std::sort(frequencies.begin(), frequencies.end());
  for (Index k = 0; k < n / 2; ++k)  // +- 2 sqrt(1 + 2 k)
    EXPECT_NEAR(frequencies[static_cast<std::size_t>(n / 2 + k)], 2.0 * std::sqrt(1.0 + 2.0 * static_cast<double>(k)),
                1e-12);
}

}  // namespace
}  // namespace gwrm::kronecker_sum_test
