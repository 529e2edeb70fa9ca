// GMRES on systems whose solutions and iteration counts are known.
#include "solver/gmres.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>

namespace gwrm::gmres_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Gmres : public ::testing::Test {
 protected:
  MatrixXd random_matrix(Index n) {
    return MatrixXd::NullaryExpr(n, n, [this] { return uniform_(generator_); });
  }
  VectorXd random_vector(Index n) {
    return VectorXd::NullaryExpr(n, [this] { return uniform_(generator_); });
  }
  std::mt19937_64 generator_{5};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

LinearOperator by(const MatrixXd& a) {
  return [&a](std::span<const double> v, std::span<double> y) {
    const auto n = static_cast<Index>(v.size());
    Eigen::Map<VectorXd>(y.data(), n).noalias() = a * Eigen::Map<const VectorXd>(v.data(), n);
  };
}

void identity(std::span<const double> v, std::span<double> y) {
  std::copy(v.begin(), v.end(), y.begin());
}

struct Solved {
  GmresResult result;
  VectorXd x;
};

Solved solve(const LinearOperator& a, const LinearOperator& m, const VectorXd& b, double tolerance, int most = 100) {
  Solved solved{{}, VectorXd::Constant(b.size(), 7.0)};  // what is there before must not matter
  solved.result = gmres(a, m, {b.data(), static_cast<std::size_t>(b.size())},
                        {solved.x.data(), static_cast<std::size_t>(b.size())}, tolerance, most);
  return solved;
}

TEST_F(Gmres, SolvesToTheToleranceItReports) {
  const Index n = 60;
  const MatrixXd a = MatrixXd::Identity(n, n) + 0.5 / std::sqrt(static_cast<double>(n)) * random_matrix(n);
  const VectorXd b = random_vector(n);
  for (double tolerance : {1e-2, 1e-6, 1e-12}) {
    const Solved solved = solve(by(a), identity, b, tolerance);
    EXPECT_TRUE(solved.result.converged);
    EXPECT_LE(solved.result.relative_residual, tolerance);
    EXPECT_NEAR((b - a * solved.x).norm() / b.norm(), solved.result.relative_residual, 1e-14);
    EXPECT_LT(solved.result.iterations, 40);
  }
}

// The tolerance as a function of M^{-1} b, which the first iteration forms: asked once, at no further application.
TEST_F(Gmres, ToleranceFollowsFromThePreconditionedRightHandSide) {
  const Index n = 40;
  const MatrixXd a = MatrixXd::Identity(n, n) + 0.5 / std::sqrt(static_cast<double>(n)) * random_matrix(n);
  const MatrixXd m = a + 0.1 / std::sqrt(static_cast<double>(n)) * random_matrix(n);
  const VectorXd b = 1e3 * random_vector(n), expected = m.lu().solve(b);
  int n_asked = 0, n_applied = 0;
  const MatrixXd inverse = m.inverse();
  VectorXd x(n);
  const GmresResult result = gmres(
      by(a),
      [&](std::span<const double> v, std::span<double> y) {
        ++n_applied;
        by(inverse)(v, y);
      },
      {b.data(), static_cast<std::size_t>(n)}, {x.data(), static_cast<std::size_t>(n)},
      KrylovTolerance::OfDirection([&](std::span<const double> direction) {
        ++n_asked;
        EXPECT_LE((Eigen::Map<const VectorXd>(direction.data(), n) - expected).norm(), 1e-12 * expected.norm());
        return 1e-5;
      }),
      100);
  EXPECT_EQ(n_asked, 1);
  EXPECT_EQ(n_applied, result.iterations);
  EXPECT_EQ(result.wanted, 1e-5);
  EXPECT_TRUE(result.converged);
  EXPECT_LE((b - a * x).norm(), 1.001e-5 * b.norm());
}

TEST_F(Gmres, EndsBehindTheIterationInWhichItIsInterrupted) {
  const Index n = 60;
  const MatrixXd a = MatrixXd::Identity(n, n) + 0.5 / std::sqrt(static_cast<double>(n)) * random_matrix(n);
  const VectorXd b = random_vector(n);
  VectorXd x(n);
  int n_asked = 0;
  const GmresResult result =
      gmres(by(a), identity, {b.data(), static_cast<std::size_t>(n)}, {x.data(), static_cast<std::size_t>(n)}, 1e-12,
            {100, [&] { return ++n_asked == 3; }});
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 3);
}

// One cycle without the directions is the same iteration; several come to the tolerance in more iterations, and their
// last residual is that of the corrections together.
TEST_F(Gmres, CyclesWithoutDirectionsComeToTheTolerance) {
  const Index n = 60;
  const MatrixXd a = MatrixXd::Identity(n, n) + 0.5 / std::sqrt(static_cast<double>(n)) * random_matrix(n);
  const MatrixXd inverse = (a + 0.3 / std::sqrt(static_cast<double>(n)) * random_matrix(n)).inverse();
  const VectorXd b = random_vector(n);
  const Solved whole = solve(by(a), by(inverse), b, 1e-11);
  VectorXd x(n);
  const auto in_cycles = [&](const GmresLimits& limits) {
    x.setConstant(7.0);
    return gmres(by(a), by(inverse), {b.data(), static_cast<std::size_t>(n)}, {x.data(), static_cast<std::size_t>(n)},
                 1e-11, limits);
  };
  const GmresResult same = in_cycles({100, 50, false});
  EXPECT_EQ(same.iterations, whole.result.iterations);
  EXPECT_LE((x - whole.x).norm(), 1e-13 * x.norm());
  EXPECT_GT(same.iterations, 10);
  for (const bool keeps : {true, false}) {
    const GmresResult several = in_cycles({100, 5, keeps});
    EXPECT_TRUE(several.converged);
    EXPECT_GT(several.iterations, same.iterations);
    EXPECT_LT(several.iterations, 60);
    EXPECT_NEAR((b - a * x).norm() / b.norm(), several.relative_residual, 1e-14);
    EXPECT_LE(several.relative_residual, 1e-11);
  }
  const GmresResult stopped = in_cycles({12, 5, false});
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.iterations, 12);
  EXPECT_NEAR((b - a * x).norm() / b.norm(), stopped.relative_residual, 1e-14);
}

// The Krylov space is everything after n steps.
TEST_F(Gmres, IsExactInAsManyIterationsAsUnknowns) {
  for (Index n : {1, 2, 5, 17}) {
    const MatrixXd a = random_matrix(n) + 0.1 * MatrixXd::Identity(n, n);
    const VectorXd expected = random_vector(n), b = a * expected;
    const Solved solved = solve(by(a), identity, b, 1e-13, static_cast<int>(n));
    EXPECT_LE(solved.result.iterations, n);
    EXPECT_LE((solved.x - expected).norm(), 1e-9 * expected.norm()) << n;  // conditions up to 1e3 of these matrices
  }
}

// A cyclic shift: every residual before the last is as large as the first.
TEST_F(Gmres, ShiftStagnatesUntilTheEnd) {
  const Index n = 8;
  MatrixXd shift = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) shift((i + 1) % n, i) = 1.0;
  const VectorXd b = VectorXd::Unit(n, 0);
  const Solved early = solve(by(shift), identity, b, 1e-10, static_cast<int>(n) - 1);
  EXPECT_FALSE(early.result.converged);
  EXPECT_DOUBLE_EQ(early.result.relative_residual, 1.0);
  const Solved complete = solve(by(shift), identity, b, 1e-10, static_cast<int>(n));
  EXPECT_TRUE(complete.result.converged);
  EXPECT_LE((shift * complete.x - b).norm(), 1e-14);
}

TEST_F(Gmres, InversePreconditionerTakesOneIteration) {
  const Index n = 30;
  const MatrixXd a = random_matrix(n), inverse = a.inverse();
  const VectorXd b = random_vector(n);
  const Solved solved = solve(by(a), by(inverse), b, 1e-9);
  EXPECT_EQ(solved.result.iterations, 1);
  EXPECT_LE((b - a * solved.x).norm(), 1e-9 * b.norm());
}

// As many distinct eigenvalues as iterations: A M^{-1} with three of them.
TEST_F(Gmres, IterationsAreTheDegreeOfTheMinimalPolynomial) {
  const Index n = 24;
  const MatrixXd v = random_matrix(n);
  VectorXd eigenvalues(n);
  for (Index i = 0; i < n; ++i) eigenvalues(i) = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 2.0 : -3.0;
  const MatrixXd a = v * eigenvalues.asDiagonal() * v.inverse();
  const VectorXd b = random_vector(n);
  const Solved solved = solve(by(a), identity, b, 1e-8);
  EXPECT_EQ(solved.result.iterations, 3);
  EXPECT_TRUE(solved.result.converged);
}

// A preconditioner in single precision is not linear to better than its round-off, here magnified by a condition of
// 1e6: the residual that is reported must be the true one all the same.
TEST_F(Gmres, ReportsTheTrueResidualOfASinglePrecisionPreconditioner) {
  const Index n = 40;
  VectorXd sizes(n);
  for (Index i = 0; i < n; ++i) sizes(i) = std::pow(10.0, -6.0 * static_cast<double>(i) / static_cast<double>(n - 1));
  const MatrixXd v = random_matrix(n), a = v * sizes.asDiagonal() * v.transpose();
  const Eigen::PartialPivLU<Eigen::MatrixXf> lu(Eigen::MatrixXf(a.cast<float>()));
  const LinearOperator preconditioner = [&](std::span<const double> in, std::span<double> out) {
    const Eigen::VectorXf right = Eigen::Map<const VectorXd>(in.data(), n).cast<float>();
    Eigen::Map<VectorXd>(out.data(), n) = Eigen::VectorXf(lu.solve(right)).cast<double>();
  };
  const VectorXd b = a * random_vector(n);
  const Solved solved = solve(by(a), preconditioner, b, 1e-10);
  EXPECT_TRUE(solved.result.converged);
  EXPECT_LE((b - a * solved.x).norm(), 2e-10 * b.norm());
}

// b lies in the span of an invariant space of dimension two: it is exhausted, and with it the residual.
TEST_F(Gmres, StopsWhenTheSpaceIsExhausted) {
  MatrixXd a = MatrixXd::Identity(6, 6);
  a(0, 1) = 1.0;
  VectorXd b = VectorXd::Zero(6);
  b(0) = 1.0;
  b(1) = 2.0;
  const Solved solved = solve(by(a), identity, b, 0.0);  // a tolerance that round-off never meets
  EXPECT_LE(solved.result.iterations, 3);
  EXPECT_LE((b - a * solved.x).norm(), 1e-15 * 4.0);
}

TEST_F(Gmres, SingularSystemIsSolvedIfItCanBeAndReportedIfNot) {
  MatrixXd a = MatrixXd::Zero(5, 5);
  a.diagonal() << 1.0, 2.0, 3.0, 4.0, 0.0;
  VectorXd b(5);
  b << 1.0, 1.0, 1.0, 1.0, 0.0;
  EXPECT_TRUE(solve(by(a), identity, b, 1e-12).result.converged);
  b(4) = 1.0;
  const Solved impossible = solve(by(a), identity, b, 1e-12);
  EXPECT_FALSE(impossible.result.converged);
  EXPECT_TRUE(impossible.result.finite);
  EXPECT_TRUE(impossible.x.allFinite());
  // What cannot be reached is the fifth component of b.
  EXPECT_NEAR(impossible.result.relative_residual, 1.0 / std::sqrt(5.0), 1e-10);
}

TEST_F(Gmres, NothingToDo) {
  const MatrixXd a = random_matrix(4);
  const Solved zero = solve(by(a), identity, VectorXd::Zero(4), 1e-12);
  EXPECT_TRUE(zero.result.converged);
  EXPECT_EQ(zero.result.iterations, 0);
  EXPECT_EQ(zero.x, VectorXd(VectorXd::Zero(4)));
  const Solved none = solve(by(a), identity, VectorXd::Ones(4), 1e-12, 0);
  EXPECT_FALSE(none.result.converged);
  EXPECT_EQ(none.x, VectorXd(VectorXd::Zero(4)));
}

TEST_F(Gmres, NotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  MatrixXd a = MatrixXd::Identity(3, 3);
  VectorXd b = VectorXd::Ones(3);
  a(1, 1) = nan;
  EXPECT_FALSE(solve(by(a), identity, b, 1e-12).result.finite);
  EXPECT_FALSE(solve(by(a), identity, b, 1e-12).result.converged);
  a(1, 1) = 1.0;
  b(2) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(solve(by(a), identity, b, 1e-12).result.finite);
}

}  // namespace
}  // namespace gwrm::gmres_test
