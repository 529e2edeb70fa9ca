// Newton and Anderson with a correction solver that is made for the test: accuracy, refreshing and failures as the test
// wants.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "core/errors.hpp"
#include "solver/newton.hpp"

namespace gwrm::inexact_newton_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// f(x) = A x + strength x^3 - b with a well-conditioned random A; the root is known.
class Cubic : public NonlinearSystem {
 public:
  explicit Cubic(Index n, double strength, bool linear = false) : n_(n), strength_(strength), linear_(linear) {
    std::mt19937_64 generator(3);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    a_ = MatrixXd::Identity(n, n) +
         0.3 / std::sqrt(static_cast<double>(n)) * MatrixXd::NullaryExpr(n, n, [&] { return uniform(generator); });
    root = VectorXd::NullaryExpr(n, [&] { return uniform(generator); });
    b_ = a_ * root + strength_ * VectorXd(root.array().cube());
  }
  Index size() const override { return n_; }
  bool is_linear() const override { return linear_; }
  void residual(std::span<const double> x, std::span<double> f) override {
    ++n_residuals;
    const Eigen::Map<const VectorXd> at(x.data(), n_);
    Eigen::Map<VectorXd>(f.data(), n_) = a_ * at + strength_ * VectorXd(at.array().cube()) - b_;
  }
  void jacobian(std::span<const double> x, std::span<double> matrix) override {
    const MatrixXd j = jacobian_at(x);
    std::copy(j.data(), j.data() + n_ * n_, matrix.begin());
  }
  MatrixXd jacobian_at(std::span<const double> x) const {
    return a_ +
           MatrixXd(
               (3.0 * strength_ * Eigen::Map<const VectorXd>(x.data(), n_).array().square()).matrix().asDiagonal());
  }
  const MatrixXd& linear_part() const { return a_; }
  VectorXd root;
  int n_residuals = 0;

 private:
  Index n_;
  double strength_;
  bool linear_;
  MatrixXd a_;
  VectorXd b_;
};

// Exact solves disturbed by as much as the tolerance allows; the preconditioner is the Jacobian where it was last
// built.
class TestSolver : public LinearSolver {
 public:
  explicit TestSolver(const Cubic& system) : system_(system) {}

  LinearOutcome linearise(std::span<const double> x, bool fresh) override {
    fresh_asked.push_back(fresh);
    jacobian_ = system_.jacobian_at(x);
    if (known_factors)
      preconditioner_ = jacobian_;
    else if (fresh || n_factorisations_ == 0) {
      preconditioner_ = jacobian_;
      ++n_factorisations_;
    }
    return {on_linearise, 0, "the reason"};
  }
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override {
    std::vector<double> direction(v.begin(), v.end());
    apply_preconditioner(direction);
    tolerances.push_back(tolerance(direction));
    if (const auto interrupted = interruption(); interrupted && interrupted())
      return {LinearStatus::interrupted, 1, {}};
    if (failures_to_come > 0 && (!only_lagged || !fresh_asked.back())) {
      --failures_to_come;
      return {on_solve, 40, "the reason"};
    }
    Eigen::Map<VectorXd> x(v.data(), static_cast<Index>(v.size()));
    const VectorXd right = x;
    VectorXd error = VectorXd::Constant(right.size(), 1.0);
    error *= 0.9 * tolerances.back() * right.norm() / error.norm();
    x = jacobian_.lu().solve(right + error);
    return {LinearStatus::solved, iterations, {}, to_tolerance};
  }
  void apply_preconditioner(std::span<double> v) override {
    Eigen::Map<VectorXd> x(v.data(), static_cast<Index>(v.size()));
    x = preconditioner_.lu().solve(VectorXd(x));
  }
  bool is_direct() const override { return false; }
  int refresh_above() const override { return 15; }
  double reciprocal_condition() const override { return 0.0; }

  int iterations = 5;
  int failures_to_come = 0;
  bool only_lagged = false, known_factors = false, to_tolerance = true;
  LinearStatus on_linearise = LinearStatus::solved, on_solve = LinearStatus::no_convergence;
  std::vector<bool> fresh_asked;
  std::vector<double> tolerances;

 private:
  const Cubic& system_;
  MatrixXd jacobian_, preconditioner_;
};

double error_of(const Cubic& system, const std::vector<double>& x) {
  return (Eigen::Map<const VectorXd>(x.data(), system.size()) - system.root).norm() / system.root.norm();
}

TEST(InexactNewton, ConvergesAndAsksForNoMoreThanNeeded) {
  Cubic system(20, 0.3);
  TestSolver solver(system);
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-12, 30, Globalisation::natural}, solver);
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.detail;
  EXPECT_LE(error_of(system, x), 1e-11);
  EXPECT_EQ(result.iterations.size(), 5u);  // pinned
  for (double tolerance : solver.tolerances) {
    EXPECT_LE(tolerance, 1e-2);
    EXPECT_GE(tolerance, 1e-8);
  }
  EXPECT_LT(solver.tolerances.back(), solver.tolerances.front());
  for (const NewtonIteration& iteration : result.iterations) EXPECT_EQ(iteration.linear_iterations, 5);
  EXPECT_EQ(result.n_factorisations, 1);  // lagged throughout: solves were short
  EXPECT_EQ(result.reciprocal_condition, 0.0);
}

// Residuals that are known to 3e-11 only, and a preconditioner that takes what is left for smaller than it is: every
// step passes the test of monotonicity, and none is better than the one before.
class NoisyCubic : public Cubic {
 public:
  using Cubic::Cubic;
  void residual(std::span<const double> x, std::span<double> f) override {
    Cubic::residual(x, f);
    sign_ = -sign_;
    for (double& value : f) value += 3e-11 * sign_;
  }

 private:
  double sign_ = 1.0;
};
class OptimisticSolver : public TestSolver {
 public:
  using TestSolver::TestSolver;
  void apply_preconditioner(std::span<double> v) override {
    TestSolver::apply_preconditioner(v);
    for (double& value : v) value *= 0.3;
  }
};

TEST(InexactNewton, CorrectionsOfNoiseEndIt) {
  NoisyCubic system(20, 0.3);
  OptimisticSolver solver(system);
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-12, 30, Globalisation::natural}, solver);
  ASSERT_EQ(result.status, NewtonStatus::converged_at_roundoff) << result.detail;
  EXPECT_LE(result.iterations.size(), 8u);
  EXPECT_LE(error_of(system, x), 1e-9);
}

TEST(InexactNewton, LooseTolerancesAreNotExceeded) {
  Cubic system(20, 0.3);
  TestSolver solver(system);
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-5, 30, Globalisation::natural}, solver);
  ASSERT_TRUE(succeeded(result.status));
  EXPECT_LE(error_of(system, x), 1e-5);
  TestSolver tight(system);
  std::vector<double> y(20, 0.0);
  EXPECT_GT(newton(system, y, {1e-12, 30, Globalisation::natural}, tight).iterations.size(), result.iterations.size());
}

TEST(InexactNewton, LinearSystemTakesOneStep) {
  Cubic system(20, 0.0, true);
  TestSolver solver(system);
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-10, 30, Globalisation::natural}, solver);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_EQ(result.iterations.size(), 1u);
  EXPECT_LE(error_of(system, x), 1e-10);
}

// Of a linear system the solver's word is taken where its factors have served before and it came to its tolerance: the
// residual is formed once. Else it is looked at behind the step.
TEST(InexactNewton, KnownFactorsOfALinearSystemAreTrusted) {
  const auto n_residuals = [](bool trusts, bool known, bool to_tolerance, bool linear = true) {
    Cubic system(20, linear ? 0.0 : 0.3, linear);
    TestSolver solver(system);
    solver.known_factors = known;
    solver.to_tolerance = to_tolerance;
    std::vector<double> x(20, 0.0);
    NewtonOptions options{1e-10, 30, Globalisation::natural};
    options.trusts_known_factors = trusts;
    const NewtonResult result = newton(system, x, options, solver);
    EXPECT_EQ(result.status, NewtonStatus::converged);
    EXPECT_LE(error_of(system, x), 1e-9);
    return system.n_residuals;
  };
  EXPECT_EQ(n_residuals(true, true, true), 1);
  EXPECT_EQ(n_residuals(false, true, true), 2);
  EXPECT_EQ(n_residuals(true, false, true), 2);
  EXPECT_EQ(n_residuals(true, true, false), 2);
  EXPECT_GT(n_residuals(true, true, true, false), 2);
}

TEST(InexactNewton, LongSolvesRefreshThePreconditioner) {
  Cubic system(20, 0.3);
  TestSolver solver(system);
  solver.iterations = 16;  // above refresh_above
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-12, 30, Globalisation::natural}, solver);
  ASSERT_TRUE(succeeded(result.status));
  EXPECT_EQ(result.n_factorisations, static_cast<int>(result.iterations.size()));
}

TEST(InexactNewton, LaggedPreconditionerGetsASecondChance) {
  Cubic system(20, 0.3);
  TestSolver solver(system);
  solver.only_lagged = true;
  solver.failures_to_come = 1;
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-12, 30, Globalisation::natural}, solver);
  EXPECT_TRUE(succeeded(result.status)) << result.detail;
  EXPECT_GE(result.n_factorisations, 2);
  EXPECT_LE(error_of(system, x), 1e-11);
}

TEST(InexactNewton, FailuresAreTyped) {
  const auto status_of = [](auto prepare) {
    Cubic system(20, 0.3);
    TestSolver solver(system);
    prepare(solver);
    std::vector<double> x(20, 0.0);
    const NewtonResult result = newton(system, x, {1e-12, 30, Globalisation::natural}, solver);
    EXPECT_EQ(result.detail, "the reason");
    return result.status;
  };
  EXPECT_EQ(status_of([](TestSolver& s) { s.failures_to_come = 100; }), NewtonStatus::linear_failed);
  EXPECT_EQ(status_of([](TestSolver& s) { s.on_linearise = LinearStatus::singular; }), NewtonStatus::singular);
  EXPECT_EQ(status_of([](TestSolver& s) { s.on_linearise = LinearStatus::not_finite; }), NewtonStatus::not_finite);
  EXPECT_EQ(status_of([](TestSolver& s) {
              s.failures_to_come = 100;
              s.on_solve = LinearStatus::not_finite;
            }),
            NewtonStatus::not_finite);
}

// Asked once before the step and once within it; behind the solve the solver asks nobody any more.
TEST(InexactNewton, IsInterruptedWithinALinearSolve) {
  Cubic system(4, 0.3);
  TestSolver solver(system);
  std::vector<double> x(4, 0.0);
  int asked = 0;
  EXPECT_EQ(newton(system, x, {1e-12, 30}, solver, [&] { return ++asked == 2; }).status, NewtonStatus::interrupted);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(solver.tolerances.size(), 1u);
  std::vector<double> v(4, 1.0);
  EXPECT_EQ(solver.solve(v, 1e-8).status, LinearStatus::solved);
  EXPECT_EQ(asked, 2);
}

TEST(InexactNewton, SirNeedsTheDenseJacobian) {
  Cubic system(4, 0.3);
  TestSolver solver(system);
  std::vector<double> x(4, 0.0);
  EXPECT_THROW(newton(system, x, {1e-12, 30, Globalisation::sir}, solver), ShapeError);
}

TEST(Anderson, AcceleratesAContraction) {
  Cubic system(20, 0.1);
  TestSolver solver(system);
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-12, 60, Globalisation::anderson}, solver);
  ASSERT_EQ(result.status, NewtonStatus::converged) << result.detail;
  EXPECT_LE(error_of(system, x), 1e-11);
  EXPECT_EQ(result.n_factorisations, 1);
  EXPECT_TRUE(solver.tolerances.empty()) << "it takes no solves, only estimates";

  // x <- x - M^{-1} f alone, with the same M.
  std::vector<double> plain(20, 0.0), f(20);
  TestSolver other(system);
  other.linearise(plain, true);
  std::size_t n_plain = 0;
  for (; n_plain < 1000 && error_of(system, plain) > 1e-12; ++n_plain) {
    system.residual(plain, f);
    other.apply_preconditioner(f);
    for (std::size_t i = 0; i < f.size(); ++i) plain[i] -= f[i];
  }
  EXPECT_LT(result.iterations.size(), n_plain);
}

TEST(Anderson, GivesUpWhereItDoesNotConverge) {
  Cubic system(20, 50.0);  // the preconditioner of x = 0 knows nothing of the cube
  TestSolver solver(system);
  std::vector<double> x(20, 0.0);
  const NewtonResult result = newton(system, x, {1e-12, 60, Globalisation::anderson}, solver);
  EXPECT_FALSE(succeeded(result.status));
  EXPECT_LE(result.iterations.size(), 60u);
  EXPECT_FALSE(result.detail.empty());
}

TEST(Anderson, CanBeInterruptedAndReportsASingularStart) {
  Cubic system(20, 0.1);
  TestSolver solver(system);
  std::vector<double> x(20, 0.0);
  int asked = 0;
  EXPECT_EQ(newton(system, x, {1e-12, 60, Globalisation::anderson}, solver, [&] { return ++asked == 3; }).status,
            NewtonStatus::interrupted);
  TestSolver singular(system);
  singular.on_linearise = LinearStatus::singular;
  EXPECT_EQ(newton(system, x, {1e-12, 60, Globalisation::anderson}, singular).status, NewtonStatus::singular);
}

}  // namespace
}  // namespace gwrm::inexact_newton_test
