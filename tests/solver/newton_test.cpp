// Newton and SIR on the root-solver set of the GWRM literature and on systems made to fail.
#include "solver/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "solver/dense_solver.hpp"

namespace gwrm::newton_test {
namespace {

using Function = std::function<void(std::span<const double>, std::span<double>)>;
using JacobianFunction = std::function<void(std::span<const double>, std::span<double>)>;

class TestSystem : public NonlinearSystem {
 public:
  TestSystem(Index n, Function f, JacobianFunction j, bool linear = false)
      : n_(n), f_(std::move(f)), j_(std::move(j)), linear_(linear) {}
  Index size() const override { return n_; }
  bool is_linear() const override { return linear_; }
  void residual(std::span<const double> x, std::span<double> f) override { f_(x, f); }
  void jacobian(std::span<const double> x, std::span<double> matrix) override {
    ++n_jacobians;
    j_(x, matrix);
  }
  int n_jacobians = 0;

 private:
  Index n_;
  Function f_;
  JacobianFunction j_;
  bool linear_;
};

NewtonResult solve(TestSystem& system, std::vector<double>& x, Globalisation globalisation = Globalisation::natural,
                   int max_iterations = 30) {
  const auto lu = cpu::make_dense_lu();
  DenseSolver corrections(system, *lu);
  return newton(system, x, {1e-12, max_iterations, globalisation}, corrections);
}

// x = 2 cos x
TestSystem scalar_cosine() {
  return TestSystem(
      1, [](auto x, auto f) { f[0] = x[0] - 2.0 * std::cos(x[0]); },
      [](auto x, auto j) { j[0] = 1.0 + 2.0 * std::sin(x[0]); });
}

// x_i = cos x_{i+1}, x_n = 3 cos x_1
TestSystem cosine_chain(Index n) {
  const auto next = [n](std::size_t i) { return static_cast<Index>(i) + 1 < n ? i + 1 : std::size_t{0}; };
  const auto factor = [n](std::size_t i) { return static_cast<Index>(i) + 1 < n ? 1.0 : 3.0; };
  return TestSystem(
      n,
      [=](auto x, auto f) {
        for (std::size_t i = 0; i < x.size(); ++i) f[i] = x[i] - factor(i) * std::cos(x[next(i)]);
      },
      [=](auto x, auto j) {
        std::fill(j.begin(), j.end(), 0.0);
        for (std::size_t i = 0; i < x.size(); ++i) {
          j[i + i * x.size()] += 1.0;
          j[i + next(i) * x.size()] += factor(i) * std::sin(x[next(i)]);
        }
      });
}

TEST(Newton, ScalarCosineConvergesQuadratically) {
  TestSystem system = scalar_cosine();
  std::vector<double> x{2.0};
  const NewtonResult result = solve(system, x);
  EXPECT_EQ(result.status, NewtonStatus::converged);
  EXPECT_NEAR(x[0], 1.0298665293222589, 4e-16);  // root by bisection in extended precision
  EXPECT_EQ(result.iterations.size(), 4u);       // pinned
}

TEST(Newton, LinearSystemTakesOneFactorisationAndReachesRoundoff) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Index n = 40;
  std::vector<double> a(static_cast<std::size_t>(n * n)), solution(static_cast<std::size_t>(n)),
      b(static_cast<std::size_t>(n), 0.0);
  for (double& v : a) v = uniform(generator);
  for (double& v : solution) v = uniform(generator);
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) b[i] += a[i + j * b.size()] * solution[j];
  TestSystem system(
      n,
      [&](auto x, auto f) {
        for (std::size_t i = 0; i < b.size(); ++i) {
          f[i] = -b[i];
          for (std::size_t j = 0; j < b.size(); ++j) f[i] += a[i + j * b.size()] * x[j];
        }
      },
      [&](auto, auto j) { std::copy(a.begin(), a.end(), j.begin()); }, true);
  std::vector<double> x(static_cast<std::size_t>(n), 0.0);
  const NewtonResult result = solve(system, x);
  EXPECT_TRUE(succeeded(result.status));
  EXPECT_EQ(system.n_jacobians, 1);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], solution[i], 1e-12);  // cond of this matrix ~ 1e3
}

TEST(Newton, DampingCuresArctan) {
  // f = atan x from 5: the full step overshoots and diverges; the natural test damps it.
  const auto make = [] {
    return TestSystem(
        1, [](auto x, auto f) { f[0] = std::atan(x[0]); }, [](auto x, auto j) { j[0] = 1.0 / (1.0 + x[0] * x[0]); });
  };
  TestSystem damped = make(), plain = make();
  std::vector<double> x{5.0}, y{5.0};
  EXPECT_TRUE(succeeded(solve(damped, x).status));
  EXPECT_NEAR(x[0], 0.0, 1e-12);
  EXPECT_FALSE(succeeded(solve(plain, y, Globalisation::none).status));
}

TEST(Newton, IterationLimitIsAStatusAndKeepsTheLastIterate) {
  TestSystem system = scalar_cosine();
  std::vector<double> x{2.0};
  const NewtonResult result = solve(system, x, Globalisation::natural, 1);
  EXPECT_EQ(result.status, NewtonStatus::iteration_limit);
  EXPECT_NE(x[0], 2.0);
  EXPECT_NE(result.detail.find("1 iteration,"), std::string::npos);
}

TEST(Newton, SingularSystemNamesRowsAndUnknowns) {
  TestSystem system(
      3,
      [](auto x, auto f) {
        f[0] = x[0] + x[1] - 1.0;
        f[1] = x[2] - 2.0;
        f[2] = 2.0 * (x[0] + x[1]) - 5.0;
      },
      [](auto, auto j) {
        const double rows[3][3] = {{1, 1, 0}, {0, 0, 1}, {2, 2, 0}};
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t k = 0; k < 3; ++k) j[i + 3 * k] = rows[i][k];
      },
      true);
  std::vector<double> x(3, 0.0);
  const NewtonResult result = solve(system, x);
  EXPECT_EQ(result.status, NewtonStatus::singular);
  EXPECT_NE(result.detail.find("row 0"), std::string::npos) << result.detail;
  EXPECT_NE(result.detail.find("row 2"), std::string::npos) << result.detail;
  EXPECT_EQ(result.detail.find("row 1"), std::string::npos) << result.detail;
  EXPECT_NE(result.detail.find("unknown 0"), std::string::npos) << result.detail;
  EXPECT_EQ(result.detail.find("unknown 2"), std::string::npos) << result.detail;
}

TEST(Newton, NotFiniteAtTheStartAndAlongTheWay) {
  TestSystem at_start(
      1, [](auto x, auto f) { f[0] = std::log(x[0]); }, [](auto x, auto j) { j[0] = 1.0 / x[0]; });
  std::vector<double> x{-1.0};
  EXPECT_EQ(solve(at_start, x).status, NewtonStatus::not_finite);
  // From 3 the full step of log x leads to 3 - 3 log 3 < 0: damping stays inside the domain.
  std::vector<double> y{3.0};
  EXPECT_TRUE(succeeded(solve(at_start, y).status));
  EXPECT_NEAR(y[0], 1.0, 1e-12);
}

TEST(Newton, InterruptLeavesAtTheNextIteration) {
  TestSystem system = scalar_cosine();
  std::vector<double> x{2.0};
  const auto lu = cpu::make_dense_lu();
  DenseSolver corrections(system, *lu);
  int asked = 0;
  const NewtonResult result = newton(system, x, {}, corrections, [&] { return ++asked == 2; });
  EXPECT_EQ(result.status, NewtonStatus::interrupted);
  EXPECT_EQ(result.iterations.size(), 1u);
}

int count_converged(Globalisation globalisation) {
  int converged = 0;
  for (int i = 0; i <= 50; i += 2) {  // every second of the literature's 51 x 51 starts
    for (int j = 0; j <= 50; j += 2) {
      TestSystem system = cosine_chain(2);
      std::vector<double> x{-5.0 + 0.2 * i, -5.0 + 0.2 * j};
      const NewtonResult result = solve(system, x, globalisation, globalisation == Globalisation::sir ? 300 : 30);
      const bool root = std::abs(x[0] - std::cos(x[1])) < 1e-9 && std::abs(x[1] - 3.0 * std::cos(x[0])) < 1e-9;
      EXPECT_TRUE(root || !succeeded(result.status)) << "a status of success without a root";
      converged += succeeded(result.status) && root;
    }
  }
  return converged;
}

TEST(Sir, ConvergesFromMoreStartsThanPlainNewton) {
  const int newton_count = count_converged(Globalisation::none);
  const int sir_count = count_converged(Globalisation::sir);
  RecordProperty("newton", newton_count);
  RecordProperty("sir", sir_count);
  EXPECT_GT(sir_count, newton_count);
  EXPECT_GE(sir_count, 26 * 26 * 85 / 100);
}

TEST(Newton, LongChain) {
  TestSystem system = cosine_chain(200);
  std::vector<double> x(200, 0.5);
  const NewtonResult result = solve(system, x);
  ASSERT_TRUE(succeeded(result.status)) << result.detail;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) EXPECT_NEAR(x[i], std::cos(x[i + 1]), 1e-12);
}

}  // namespace
}  // namespace gwrm::newton_test
