// The semi-implicit root solver: its steps against recursions worked out by hand, its figures against the literature's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/context.hpp"
#include "solver/dense_solver.hpp"
#include "solver/newton.hpp"

namespace gwrm::sir_test {
namespace {

using Function = std::function<void(std::span<const double>, std::span<double>)>;

class TestSystem : public NonlinearSystem {
 public:
  TestSystem(Index n, Function f, Function j) : n_(n), f_(std::move(f)), j_(std::move(j)) {}
  Index size() const override { return n_; }
  void residual(std::span<const double> x, std::span<double> f) override {
    f_(x, f);
    for (double value : f) n_not_finite += std::isfinite(value) ? 0 : 1;
  }
  void jacobian(std::span<const double> x, std::span<double> matrix) override { j_(x, matrix); }
  int n_not_finite = 0;

 private:
  Index n_;
  Function f_, j_;
};

NewtonResult solve(TestSystem& system, std::vector<double>& x, int max_iterations = 150, double tolerance = 1e-12,
                   Globalisation globalisation = Globalisation::sir) {
  const Context context = Context::create(BackendChoice::cpu, 1);  // threads would only wait for each other
  const auto lu = make_dense_lu(context);
  DenseSolver corrections(system, *lu);
  return newton(system, x, {tolerance, max_iterations, globalisation}, corrections);
}

TestSystem scalar(std::function<double(double)> f, std::function<double(double)> slope) {
  return TestSystem(
      1, [f](auto x, auto value) { value[0] = f(x[0]); }, [slope](auto x, auto j) { j[0] = slope(x[0]); });
}

// x1 = cos x2, x2 = 3 cos x1
TestSystem two_cosines() {
  return TestSystem(
      2,
      [](auto x, auto f) {
        f[0] = x[0] - std::cos(x[1]);
        f[1] = x[1] - 3.0 * std::cos(x[0]);
      },
      [](auto x, auto j) {
        j[0] = j[3] = 1.0;
        j[2] = std::sin(x[1]);
        j[1] = 3.0 * std::sin(x[0]);
      });
}

TEST(Sir, DampingFallsByItsScheduleWhileTheResidualFalls) {
  // f = c (x - 2): the error is multiplied by R_n = 0.9999 * 0.8^n in iteration n. With c = 0.001, alpha is as large as
  // 1 - 1000 (1 - R); the residual falls, so that nobody looks.
  for (double c : {1.0, 0.001}) {
    TestSystem system = scalar([c](double x) { return c * (x - 2.0); }, [c](double) { return c; });
    for (int iterations = 1; iterations <= 12; ++iterations) {
      std::vector<double> x{5.0};
      const NewtonResult result = solve(system, x, iterations);
      double error = 3.0, r = 0.9999;
      for (int i = 0; i < iterations; ++i, r *= 0.8) error *= r;
      EXPECT_EQ(result.status, NewtonStatus::iteration_limit);
      EXPECT_NEAR(x[0], 2.0 + error, 1e-14) << iterations;  // a few roundings of numbers below 5
      EXPECT_NEAR(result.iterations.back().damping, 1.0 - r / 0.8, 1e-15);
    }
  }
}

TEST(Sir, ALargeRowOfAlphaRaisesItsOwnComponentOnly) {
  // J^{-1} = [1 0 0; 0 100 0; 50 0 1] is not that of f: J^{-1} f = (-exp x_1, x_2 - 2, x_3 - 2), so that the residual
  // grows in every iteration while x_2 and x_3 go to 2. Row 1 of alpha is never large; row 2 is while
  // |1 - 100 (1 - R_2)| >= 2, row 3 while 50 (1 - R_3) >= 2.
  TestSystem system(
      3,
      [](auto x, auto f) {
        f[0] = -std::exp(x[0]);
        f[1] = 0.01 * (x[1] - 2.0);
        f[2] = x[2] - 2.0 - 50.0 * f[0];
      },
      [](auto, auto j) {
        std::fill(j.begin(), j.end(), 0.0);
        j[0] = j[8] = 1.0;
        j[4] = 0.01;
        j[2] = -50.0;
      });
  constexpr int kIterations = 5;
  std::vector<double> x{0.0, 5.0, 5.0};
  solve(system, x, kIterations);
  double first = 0.0, second = 3.0, third = 3.0, r[3] = {0.9999, 0.9999, 0.9999};
  int n_raised = 0;
  for (int i = 0; i < kIterations; ++i) {
    for (; std::abs(1.0 - 100.0 * (1.0 - r[1])) >= 2.0; ++n_raised) r[1] = (3.0 * r[1] + 1.0) / 4.0;
    for (; 50.0 * (1.0 - r[2]) >= 2.0; ++n_raised) r[2] = (3.0 * r[2] + 1.0) / 4.0;
    first += (1.0 - r[0]) * std::exp(first);
    second *= r[1];
    third *= r[2];
    for (double& value : r) value *= 0.8;
  }
  EXPECT_GT(n_raised, 40);  // some seven for each of the two in each iteration but the first
  EXPECT_NEAR(x[0], first, 1e-12);
  EXPECT_NEAR(x[1], 2.0 + second, 1e-12);
  EXPECT_NEAR(x[2], 2.0 + third, 1e-12);  // f is up to 5000 here
}

TEST(Sir, DoesNotOvershootTheArctangent) {
  // Newton's full steps diverge from |x| > 1.39.
  for (double start : {2.0, -5.0, 50.0}) {
    TestSystem system =
        scalar([](double x) { return 3.0 * std::atan(x); }, [](double x) { return 3.0 / (1.0 + x * x); });
    std::vector<double> x{start}, y{start};
    EXPECT_TRUE(succeeded(solve(system, x).status)) << start;
    EXPECT_NEAR(x[0], 0.0, 1e-11) << start;
    EXPECT_FALSE(succeeded(solve(system, y, 150, 1e-12, Globalisation::none).status)) << start;
  }
}

TEST(Sir, ConvergesFromAllStartsOfTheLiterature) {
  // The 51 x 51 starts of [-5, 5]^2. Published: SIR from all, plain Newton from 801 (here at a limit of 100).
  int sir = 0, plain = 0;
  for (int i = -25; i <= 25; ++i) {
    for (int j = -25; j <= 25; ++j) {
      TestSystem system = two_cosines();
      std::vector<double> x{i / 5.0, j / 5.0}, y = x;
      if (succeeded(solve(system, x, 300).status)) {  // 149 are enough here, on paths that a last bit may change
        ++sir;
        EXPECT_NEAR(x[0], std::cos(x[1]), 1e-10) << i << ' ' << j;  // corrections of 1e-12, cond J below 100
        EXPECT_NEAR(x[1], 3.0 * std::cos(x[0]), 1e-10) << i << ' ' << j;
      }
      plain += succeeded(solve(system, y, 100, 1e-12, Globalisation::none).status) ? 1 : 0;
    }
  }
  EXPECT_EQ(sir, 2601);
  EXPECT_NEAR(plain, 801, 30);  // chaotic paths: last bits decide (789 to 805 with different kernels of the BLAS)
}

TEST(Sir, ShortensStepsThatLeaveTheDomain) {
  // f = 1000 log x from 1000, where f' = 1 and no row of alpha is large: the second step is 0.2 * 6.9 x, to below zero.
  TestSystem system = scalar([](double x) { return 1000.0 * std::log(x); }, [](double x) { return 1000.0 / x; });
  std::vector<double> x{1000.0};
  const NewtonResult result = solve(system, x);
  EXPECT_TRUE(succeeded(result.status)) << result.detail;
  EXPECT_NEAR(x[0], 1.0, 1e-12);
  EXPECT_GT(system.n_not_finite, 0);
}

TEST(Sir, FailuresAreTyped) {
  TestSystem logarithm = scalar([](double x) { return std::log(x); }, [](double x) { return 1.0 / x; });
  std::vector<double> x{-1.0};
  EXPECT_EQ(solve(logarithm, x).status, NewtonStatus::not_finite);

  TestSystem flat = scalar([](double y) { return y * y - 1.0; }, [](double y) { return 2.0 * y; });
  x = {0.0};
  EXPECT_EQ(solve(flat, x).status, NewtonStatus::singular);

  TestSystem rootless = scalar([](double y) { return y * y + 1.0; }, [](double y) { return 2.0 * y; });
  x = {3.0};
  EXPECT_FALSE(succeeded(solve(rootless, x).status));
}

TEST(Sir, EndsAtRoundoffWhereTheToleranceIsBelowIt) {
  // No double is a root of x^2 - 2 as computed: the corrections stop falling near 1e-16.
  TestSystem system = scalar([](double y) { return y * y - 2.0; }, [](double y) { return 2.0 * y; });
  std::vector<double> x{3.0};
  EXPECT_EQ(solve(system, x, 150, 1e-30).status, NewtonStatus::converged_at_roundoff);
  EXPECT_NEAR(x[0], std::sqrt(2.0), 1e-15);
}

TEST(Sir, InterruptLeavesAtTheNextIteration) {
  TestSystem system = two_cosines();
  std::vector<double> x{1.0, 1.0};
  const auto lu = cpu::make_dense_lu();
  DenseSolver corrections(system, *lu);
  int asked = 0;
  const NewtonResult result =
      newton(system, x, {1e-12, 30, Globalisation::sir}, corrections, [&] { return ++asked == 3; });
  EXPECT_EQ(result.status, NewtonStatus::interrupted);
  EXPECT_EQ(result.iterations.size(), 2u);
}

}  // namespace
}  // namespace gwrm::sir_test
