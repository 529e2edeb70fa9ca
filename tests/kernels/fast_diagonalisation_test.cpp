// Fast diagonalisation against the operator, and in halves against the whole.
#include "kernels/sbp_sat/fast_diagonalisation.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "device_test.hpp"
#include "kernels/sbp_sat/device_poisson.hpp"
#include "sample_lines.hpp"

namespace gwrm::fast_diagonalisation_test {
namespace {

using test::Line;
using test::Random;
using test::random_line;
using test::relative_residual;
using test::sbp_line;
using test::separable;

struct Sample {
  std::string name;
  SeparableOperator a;
  bool singular = false;  // fluxes on all sides: constants are the kernel
};

Sample sample(const Line& slow, const Line& fast) {
  return {slow.name + " and " + fast.name, separable(slow, fast)};
}

// Both directions in halves, one or the other, neither; unequal sizes, odd and even; equal directions; large enough for
// threads. Stencils all of them.
std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (int order : {2, 4, 6}) {
    for (const auto& [n_slow, n_fast] : {std::pair<Index, Index>{17, 40}, {40, 33}, {33, 18}, {64, 62}})
      for (const auto& [slow, fast] : {std::pair(1, 1), {1, 2}, {2, 1}, {2, 2}, {0, 1}, {2, 0}})
        all.push_back(sample(sbp_line(order, n_slow, slow), sbp_line(order, n_fast, fast)));
    for (Index n : {32, 65, 151}) all.push_back(sample(sbp_line(order, n, 1), sbp_line(order, n, 1)));
    all.push_back(sample(sbp_line(order, 150, 2), sbp_line(order, 151, 1)));
    all.push_back(sample(sbp_line(order, 24, 0), sbp_line(order, 33, 0)));
    all.back().singular = true;
  }
  return all;
}

// A few points, full matrices.
std::vector<Sample> small_samples() {
  std::vector<Sample> all;
  for (const auto& [n_slow, n_fast] : {std::pair<Index, Index>{1, 1}, {1, 3}, {2, 1}, {3, 2}, {4, 9}})
    for (bool alike : {false, true}) all.push_back(sample(random_line(n_slow, alike), random_line(n_fast, !alike)));
  return all;
}

using Solve = std::function<std::vector<double>(const SeparableOperator&, const std::vector<double>&, LineSplit)>;

// Residuals at the level of rounding both ways, and solutions that differ by what rounding and the condition of the
// operator (up to 1e5 here) allow.
void expect_halves_solve_like_the_whole(const std::vector<Sample>& all, const Solve& solve) {
  for (const Sample& s : all) {
    Random random(5);
    std::vector<double> b = random.array({s.a.size()}).data;
    if (s.singular) {
      Eigen::Map<Vector> values(b.data(), s.a.size());
      values.array() -= values.mean();
    }
    const std::vector<double> halves = solve(s.a, b, LineSplit::automatic), whole = solve(s.a, b, LineSplit::whole);
    EXPECT_LT(relative_residual(s.a, b, halves), 1e-12) << s.name;
    EXPECT_LT(relative_residual(s.a, b, whole), 1e-12) << s.name << ", whole";
    const auto size = static_cast<Index>(b.size());
    const Eigen::Map<const Vector> found(halves.data(), size), expected(whole.data(), size);
    EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm()) << s.name;
  }
}

TEST(FastDiagonalisation, InHalvesSolvesLikeTheWhole) {
  const auto solve = [](const SeparableOperator& a, const std::vector<double>& b, LineSplit split) {
    std::vector<double> x(b.size());
    const auto solver = cpu::make_fast_diagonalisation(a, split);
    solver->solve(b.data(), x.data());
    const double smallest = cpu::make_fast_diagonalisation(a, LineSplit::whole)->smallest_eigenvalue();
    EXPECT_NEAR(solver->smallest_eigenvalue(), smallest, 1e-10 * smallest);
    const std::vector<double> first = x;
    solver->solve(b.data(), x.data());  // nothing is left of the first time
    EXPECT_EQ(x, first);
    return x;
  };
  expect_halves_solve_like_the_whole(samples(), solve);
  expect_halves_solve_like_the_whole(small_samples(), solve);
}

TEST(FastDiagonalisation, TakesLessMemoryInHalves) {
  const auto bytes = [](int conditions) {
    return cpu::fast_diagonalisation_memory(separable(sbp_line(4, 640, conditions), sbp_line(4, 641, conditions)));
  };
  const double square = 8.0 * 640 * 640;
  EXPECT_NEAR(bytes(1) / square, 0.5 + 0.5 + 2.0, 0.1);
  EXPECT_NEAR(bytes(2) / square, 1.0 + 1.0 + 2.0, 0.1);
}

// Equal operators share their modes; those that differ in one bit have their own.
TEST(FastDiagonalisation, SolvesEqualDimensionsOnce) {
  const Line line = sbp_line(4, 40, 1);
  Line other = line;
  other.a.interior[0] = std::nextafter(other.a.interior[0], 0.0);
  EXPECT_TRUE(has_equal_lines(separable(line, line)));
  EXPECT_FALSE(has_equal_lines(separable(line, other)));
  EXPECT_FALSE(has_equal_lines(separable(line, sbp_line(4, 40, 0))));
  EXPECT_FALSE(has_equal_lines(separable(line, sbp_line(4, 41, 1))));
  other = line;
  other.weights[7] *= 2.0;
  EXPECT_FALSE(has_equal_lines(separable(line, other)));
  for (const SeparableOperator& a : {separable(line, line), separable(sbp_line(4, 40, 2), line)}) {
    Random random(5);
    const std::vector<double> b = random.array({a.size()}).data;
    std::vector<double> x(b.size());
    cpu::make_fast_diagonalisation(a)->solve(b.data(), x.data());
    EXPECT_LT(relative_residual(a, b, x), 1e-12);
  }
}

#if GWRM_HAVE_CUDA

class DeviceFastDiagonalisation : public test::DeviceTest {};

TEST_F(DeviceFastDiagonalisation, InHalvesSolvesLikeTheWhole) {
  const auto solve = [&](const SeparableOperator& a, const std::vector<double>& b, LineSplit split) {
    std::vector<double> x(b.size());
    const DeviceCgResult result = cuda::solve_by_fast_diagonalisation(context_, a, b, x, 2, split);
    EXPECT_EQ(result.status, DeviceCgStatus::converged);
    return x;
  };
  expect_halves_solve_like_the_whole(samples(), solve);
}

TEST_F(DeviceFastDiagonalisation, RefusesWhatIsNoStencil) {
  for (const Sample& s : small_samples()) {
    const std::vector<double> b(static_cast<std::size_t>(s.a.size()), 1.0);
    std::vector<double> x(b.size());
    EXPECT_THROW(cuda::solve_by_fast_diagonalisation(context_, s.a, b, x, 2), ShapeError) << s.name;
  }
}

// Dimensions whose modes cuSOLVER finds: equal, split, whole.
TEST_F(DeviceFastDiagonalisation, SolvesWithModesOfTheDevice) {
  const Index n = 2 * kDeviceEigenproblem + 3;
  for (int order : {2, 4, 6}) {
    const Line line = sbp_line(order, n, 1);
    for (const SeparableOperator& a : {separable(line, line), separable(sbp_line(order, 600, 2), line)}) {
      Random random(6);
      const std::vector<double> b = random.array({a.size()}).data;
      std::vector<double> x(b.size());
      const DeviceCgResult result = cuda::solve_by_fast_diagonalisation(context_, a, b, x, 2);
      EXPECT_EQ(result.status, DeviceCgStatus::converged);
      EXPECT_LT(relative_residual(a, b, x), 1e-12) << order;
    }
  }
}

#endif

}  // namespace
}  // namespace gwrm::fast_diagonalisation_test
