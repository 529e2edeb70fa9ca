#include "solver/arnoldi.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gwrm::arnoldi_test {
namespace {

// tridiag(1, -2, 1) of size n: -4 sin^2(k pi / (2 (n + 1))).
double eigenvalue_of_second_difference(Index n, Index k) {
  const double s = std::sin(std::numbers::pi * static_cast<double>(k) / (2.0 * static_cast<double>(n + 1)));
  return -4.0 * s * s;
}

// Of the inverse, whose largest eigenvalues stand apart; modes sin(k pi i / (n + 1)).
TEST(Arnoldi, FindsTheLargestEigenvaluesOfAnInverse) {
  const Index n = 60;
  Eigen::MatrixXd difference = -2.0 * Eigen::MatrixXd::Identity(n, n);
  difference.diagonal(1).setOnes();
  difference.diagonal(-1).setOnes();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(difference);
  Arnoldi arnoldi(Arnoldi::start_without_structure(n), n);
  do arnoldi.add(lu.solve(Eigen::VectorXd(arnoldi.last())));
  while (!arnoldi.is_full() && !(arnoldi.n_products() > 3 && arnoldi.ritz_pairs()[2].residual < 1e-11));
  EXPECT_LT(arnoldi.n_products(), 30);
  const std::vector<RitzPair> pairs = arnoldi.ritz_pairs();
  for (Index k = 1; k <= 3; ++k) {
    const RitzPair& pair = pairs[static_cast<std::size_t>(k - 1)];
    EXPECT_NEAR(pair.value.real() * eigenvalue_of_second_difference(n, k), 1.0, 1e-11);
    EXPECT_EQ(pair.value.imag(), 0.0);
    const Eigen::VectorXcd mode = arnoldi.vector(pair);
    for (Index i = 0; i < n; ++i) {
      const double turn = std::numbers::pi * static_cast<double>(k) / static_cast<double>(n + 1);
      EXPECT_NEAR(std::abs(mode(i) / mode(0) * std::sin(turn) - std::sin(turn * static_cast<double>(i + 1))), 0.0,
                  1e-8);
    }
  }
}

// Blocks [a b; -b a], a + b i = 0.9 exp(i k / 10): a residual says what |M x - mu x| / (|mu| |x|) is, found or not.
TEST(Arnoldi, OfAComplexPairGivesOneWithItsResidual) {
  const Index n = 40;
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (Index k = 0; k < n / 2; ++k) {
    const double size = std::pow(0.9, static_cast<double>(k)), angle = 0.1 * static_cast<double>(k + 1);
    m.block(2 * k, 2 * k, 2, 2) << size * std::cos(angle), size * std::sin(angle), -size * std::sin(angle),
        size * std::cos(angle);
  }
  Arnoldi arnoldi(Arnoldi::start_without_structure(n), n);
  for (int products = 0; products < 20; ++products) arnoldi.add(m * arnoldi.last());
  int n_large = 0;
  for (const RitzPair& pair : arnoldi.ritz_pairs()) {
    EXPECT_GE(pair.value.imag(), 0.0);
    const Eigen::VectorXcd x = arnoldi.vector(pair);
    const double residual = (m * x - pair.value * x).norm() / (std::abs(pair.value) * x.norm());
    EXPECT_NEAR(pair.residual, residual, 1e-13 + 1e-9 * residual);
    n_large += residual > 1e-3 ? 1 : 0;
  }
  EXPECT_GT(n_large, 0);
  EXPECT_FALSE(arnoldi.is_full());
  while (!arnoldi.is_full()) arnoldi.add(m * arnoldi.last());
  EXPECT_NEAR(std::abs(arnoldi.ritz_pairs().front().value - std::polar(1.0, 0.1)), 0.0, 1e-12);
}

TEST(Arnoldi, AnInvariantSpaceEndsIt) {
  Eigen::VectorXd diagonal(5), start(5);
  diagonal << 3.0, 2.0, 1.0, 0.0, -1.0;
  start << 1.0, 1.0, 0.0, 0.0, 0.0;
  Arnoldi arnoldi(start, 5);
  while (!arnoldi.is_full()) arnoldi.add(diagonal.cwiseProduct(arnoldi.last()));
  EXPECT_TRUE(arnoldi.is_invariant());
  EXPECT_EQ(arnoldi.n_products(), 2);
  const auto pairs = arnoldi.ritz_pairs();
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_NEAR(pairs[0].value.real(), 3.0, 1e-14);
  EXPECT_NEAR(pairs[1].value.real(), 2.0, 1e-14);
}

}  // namespace
}  // namespace gwrm::arnoldi_test
