// Time unknowns that decouple: solves through the modes against dense ones, eigenvalues against their polynomial.
#include "basis/time_modes.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>
#include <thread>

#include "basis/radau.hpp"

namespace gwrm::time_modes_test {
namespace {

using Complex = std::complex<double>;
using Extended = std::complex<long double>;

// (I - z Q)^{-1} b for real z through the modes.
Vector solved(const TimeModes& modes, double z, const Vector& b) {
  const Vector y = modes.forward * b;
  const Index n = y.size() / 2;
  Eigen::VectorXcd x(n);
  for (Index k = n; k-- > 0;) {
    Complex right(y(2 * k), y(2 * k + 1));
    for (Index j = k + 1; j < n && modes.triangle.size() > 0; ++j) right += z * modes.triangle(k, j) * x(j);
    x(k) = right / (1.0 - z * modes.eigenvalues[static_cast<std::size_t>(k)]);
  }
  Vector parts(2 * n);
  for (Index k = 0; k < n; ++k) parts(2 * k) = x(k).real(), parts(2 * k + 1) = x(k).imag();
  return modes.backward * parts;
}

class TimeModesOf : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Degrees, TimeModesOf, ::testing::Range(1, 41));

TEST_P(TimeModesOf, SolveWhatTheMatrixSolves) {
  const Index K = GetParam();
  const TimeModes& modes = time_modes(K);
  const Matrix& q = radau(K).integration;
  EXPECT_EQ(modes.triangle.size() == 0, K <= kMaxDiagonal);
  EXPECT_EQ(static_cast<Index>(modes.eigenvalues.size()), K <= kMaxDiagonal ? (K + 1) / 2 : K);
  std::mt19937_64 generator(static_cast<unsigned>(K));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  // Eigenvectors have condition 10^(0.58 K - 0.8) (docs/numerics.md 2.3), for a round-off of 2e-16; Schur vectors 1.
  const double tolerance = K <= kMaxDiagonal ? 1e-15 * std::pow(10.0, 0.58 * static_cast<double>(K)) + 1e-14 : 1e-12;
  for (double z : {0.0, -0.1, -1.0, -30.0, -1e4, 0.3}) {
    const Vector b = Vector::NullaryExpr(K, [&] { return uniform(generator); });
    const Matrix matrix = Matrix::Identity(K, K) - z * q;
    const Vector expected = matrix.partialPivLu().solve(b);
    EXPECT_LE((solved(modes, z, b) - expected).norm(), tolerance * (1.0 + expected.norm())) << z;
  }
}

// The stability function's denominator: sum_i C(K,i) (2K-1-i)!/(2K-1)! (-w)^i has the roots 2/lambda. Its value at
// 2/lambda against the sum of the magnitudes of its terms.
TEST_P(TimeModesOf, EigenvaluesAreThoseOfThePadeDenominator) {
  const int K = GetParam();
  for (const Complex& lambda : time_modes(K).eigenvalues) {
    const Extended w = 2.0L / Extended(lambda.real(), lambda.imag());
    Extended sum = 1.0L, slope = 0.0L, term = 1.0L;
    for (int i = 1; i <= K; ++i) {
      slope += term * (-static_cast<long double>(K - i + 1)) / static_cast<long double>(2 * K - i);
      term *= -w * static_cast<long double>(K - i + 1) / static_cast<long double>(i * (2 * K - i));
      sum += term;
    }
    EXPECT_GT(lambda.real(), 0.0);
    // sum / slope is the distance to the root, to first order: eigenvalues of Q move by its round-off times their
    // condition.
    const long double distance = std::abs(sum / slope) / std::abs(w);
    // That condition reaches 1/eps near K = 30, where only the neighbourhood of a root can be asked for.
    EXPECT_LE(static_cast<double>(distance), K <= kMaxDiagonal ? 1e-13 * std::pow(10.0, 0.4 * K) : 0.2) << K;
  }
}

// Largest and smallest magnitude, from the roots of the polynomial: docs/numerics.md 2.3.
TEST(TimeModes, ReferenceMagnitudes) {
  const auto expect = [](Index K, double largest, double smallest) {
    double most = 0.0, least = 1.0;
    for (const Complex& lambda : time_modes(K).eigenvalues) {
      most = std::max(most, std::abs(lambda));
      least = std::min(least, std::abs(lambda));
    }
    const double tolerance = 1e-15 * std::pow(10.0, 0.5 * static_cast<double>(K));  // the condition of the eigenvalues
    EXPECT_NEAR(most, largest, tolerance);
    EXPECT_NEAR(least, smallest, tolerance);
  };
  expect(8, 0.19413130387981, 0.1551330099933);
  expect(12, 0.128279981687, 0.098524844379023);
  expect(16, 0.09575819148793, 0.071855655582218);
}

TEST(TimeModes, SeveralThreadsGetTheSame) {
  std::vector<const TimeModes*> modes(16);
  std::vector<const Radau*> rules(16);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < modes.size(); ++i)
    threads.emplace_back([&, i] {
      for (Index K = 45; K < 55; ++K) rules[i] = &radau(K);
      modes[i] = &time_modes(43);
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 1; i < modes.size(); ++i) {
    EXPECT_EQ(modes[i], modes[0]);
    EXPECT_EQ(rules[i], rules[0]);
  }
  EXPECT_NEAR(rules[0]->weights.sum(), 2.0, 1e-14);
}

}  // namespace
}  // namespace gwrm::time_modes_test
