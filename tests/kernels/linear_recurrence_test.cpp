// Linear recurrences and Toeplitz systems against their definitions in quadruple precision.
#include "kernels/recurrence/linear_recurrence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/errors.hpp"
#include "kernels/quadruple.hpp"
#include "kernels/random_array.hpp"

namespace gwrm::linear_recurrence_test {
namespace {

using test::Quadruple;

// Made at the first call, not before main (core/context.hpp).
const Context& context() {
  static const Context made = Context::create(BackendChoice::cpu, 2);
  return made;
}

std::vector<double> random_values(Index n, unsigned seed) {
  test::Random random(seed);
  std::vector<double> d(static_cast<std::size_t>(n));
  for (double& value : d) value = random.number();
  return d;
}

double relative_difference(const std::vector<double>& y, const std::vector<Quadruple>& expected) {
  Quadruple difference = 0, size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    difference += (y[i] - expected[i]) * (y[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(static_cast<double>(difference / size));
}

double error_of(const LinearRecurrence& recurrence, Index n) {
  const std::vector<double> d = random_values(n, 11);
  std::vector<Quadruple> expected;
  Quadruple before = 0.75, before_that = -0.5;
  for (double value : d) {
    const Quadruple y = recurrence.a1 * before + recurrence.a2 * before_that + value;
    before_that = before;
    before = y;
    expected.push_back(y);
  }
  std::vector<double> y = d;
  std::vector<RecurrenceState> workspace(recurrence_workspace_size(n));
  linear_recurrence(context(), recurrence, 0.75, -0.5, y, workspace, y);
  return relative_difference(y, expected);
}

TEST(LinearRecurrence, OfOrderOne) {
  for (Index n : {Index{1}, Index{127}, Index{129}, Index{4096}, Index{100003}})
    for (double a : {0.0, 0.5, -0.5, 0.999, -0.999, 1.0, -1.0})
      EXPECT_LE(error_of({a, 0.0}, n), 2e-15) << a << " " << n;
}

// Roots r exp(+-i phi): a1 = 2 r cos(phi), a2 = -r^2. Double roots, roots near 1, on the circle, real ones of both
// signs.
TEST(LinearRecurrence, OfOrderTwo) {
  for (Index n : {Index{2}, Index{128}, Index{5000}, Index{100003}}) {
    EXPECT_LE(error_of({1.6, -0.64}, n), 2e-15) << n;
    EXPECT_LE(error_of({2.0 * 0.999 * std::cos(0.3), -0.999 * 0.999}, n), 1e-14) << n;
    EXPECT_LE(error_of({2.0 * std::cos(0.3), -1.0}, n), 1e-13) << n;
    EXPECT_LE(error_of({2.0, -1.0}, n), 1e-14) << n;
    EXPECT_LE(error_of({0.3, 0.4}, n), 2e-15) << n;
    EXPECT_LE(error_of({-1.9, -0.9025}, n), 1e-14) << n;
  }
}

TEST(LinearRecurrence, RefusesUnstableOnes) {
  EXPECT_EQ(why_unstable({1.0, 0.0}, Index{1} << 40), "");
  EXPECT_EQ(why_unstable({1.001, 0.0}, 1000), "");
  EXPECT_NE(why_unstable({1.001, 0.0}, 100000).find("unstable"), std::string::npos);
  EXPECT_NEAR(largest_root({2.5, -1.0}), 2.0, 1e-15);
  std::vector<double> d(100), y(100);
  std::vector<RecurrenceState> workspace(1);
  EXPECT_THROW(linear_recurrence(context(), {2.5, -1.0}, 0.0, 0.0, d, workspace, y), Error);
  EXPECT_THROW(linear_recurrence(context(), {0.5, 0.0}, 0.0, 0.0, d, {}, y), ShapeError);
}

std::vector<Quadruple> eliminated(const AlmostToeplitz& a, const std::vector<double>& d) {
  const std::size_t n = d.size();
  std::vector<Quadruple> diagonal(n, a.diagonal), u(d.begin(), d.end());
  diagonal[0] = a.first_diagonal;
  diagonal[n - 1] = a.last_diagonal;
  const auto upper = [&](std::size_t i) { return i == 0 ? a.first_upper : a.upper; };
  for (std::size_t i = 1; i < n; ++i) {
    const Quadruple factor = (i == n - 1 ? a.last_lower : a.lower) / diagonal[i - 1];
    diagonal[i] -= factor * upper(i - 1);
    u[i] -= factor * u[i - 1];
  }
  u[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) u[i] = (u[i] - upper(i) * u[i + 1]) / diagonal[i];
  return u;
}

TEST(AlmostToeplitzSystem, SolvesAllShapes) {
  const AlmostToeplitz systems[] = {{-1.0, 2.0 + 1e-8, -1.0, 1.0, -1.0, -1.0, 2.0},
                                    {-1.0, 2.5, -1.0, 2.5, -1.0, -1.0, 2.5},
                                    {-0.3, 2.0, -1.5, 7.0, 0.5, 2.0, -3.0},
                                    {2.0, -7.0, 1.0, 1.0, 0.0, 0.0, 1.0},
                                    {-1e-3, 1.0, -1e-3, 1.0, -1e-3, -1e-3, 1.0}};
  for (const AlmostToeplitz& a : systems)
    for (Index n : {Index{4}, Index{129}, Index{4096}, Index{50001}}) {
      std::vector<double> u = random_values(n, 3);
      for (double& value : u) value += 1.0;
      const std::vector<Quadruple> expected = eliminated(a, u);
      std::vector<RecurrenceState> workspace(recurrence_workspace_size(n));
      solve_almost_toeplitz(context(), a, u, workspace, u);
      // Both sums of the two-sided recurrence are 1/(n decay) times as large as the solution, where that is more
      // than 1.
      const double decay = std::sqrt(std::abs(a.lower + a.diagonal + a.upper) / std::abs(a.diagonal));
      EXPECT_LE(relative_difference(u, expected), 3e-16 + 3e-16 / (static_cast<double>(n) * decay))
          << a.diagonal << " " << n;
    }
}

TEST(AlmostToeplitzSystem, RefusesWhatItCannotSolve) {
  std::vector<double> d(10, 1.0), u(10);
  std::vector<RecurrenceState> workspace(1);
  EXPECT_THROW(solve_almost_toeplitz(context(), {}, d, workspace, u), Error);  // 2 is not more than 1 + 1
  EXPECT_THROW(solve_almost_toeplitz(context(), {-1.0, 3.0, -1.0, 0.0, 0.0, -1.0, 3.0}, d, workspace, u), Error);
  EXPECT_THROW(solve_almost_toeplitz(context(), {-1.0, 3.0, -1.0}, std::span(d).first(3), workspace, u), ShapeError);
}

}  // namespace
}  // namespace gwrm::linear_recurrence_test
