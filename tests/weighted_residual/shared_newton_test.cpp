// Newton's iteration for a window on the ranks of the launcher: against that of one process to rounding, and against
// one rank alone to the bit (weighted_residual.ranks_*).
#include "weighted_residual/preconditioner/shared_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/ranks_of_launcher.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/preconditioner/shared_average.hpp"

namespace gwrm {
namespace {

using test::Assembled;
using test::random_vector;

// The state at the start is that of Assembled: any numbers below 0.3.
constexpr const char* kBurgers = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.3*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = 0.4*lap(v)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = y*(1 - y)", "u(y=0) = 0", "u(y=1) = 0",
           "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "dy(v)(y=1) = 0"]
resolution: {degree: {t: 5, x: 10, y: 9}}
)yaml";
constexpr const char* kHeat = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*lap(u)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = t", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
resolution: {degree: {t: 6, x: 40, y: 7}}
)yaml";
constexpr const char* kThreeDimensions = R"yaml(schema: 1
domain: {t: [0, 0.5], x: [0, 1], y: [0, 1], z: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*(dx(u) + dy(u)) + dz(u) = (1 + 0.2*t*x)*lap(u)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0", "u(z=0) = 0", "u(z=1) = 0"]
resolution: {degree: {t: 4, x: 9, y: 8, z: 6}}
)yaml";

struct Solved {
  std::vector<double> x;  // whole
  NewtonResult result;
};

Solved solve_shared(Assembled& one, Communicator& ranks, const NewtonOptions& options,
                    const std::function<bool()>& interrupted = {}, const WindowSystem* fewer_points = nullptr) {
  SharedWindow window(one.system, ranks, fewer_points);
  std::vector<double> own(static_cast<std::size_t>(window.unknowns().size_of(ranks.rank())), 0.0);
  Solved solved;
  solved.result = shared_newton(one.system, window, ranks, own, options, interrupted);
  solved.x.resize(static_cast<std::size_t>(one.system.size()));
  window.unknowns().gather(ranks, own, solved.x);
  return solved;
}

// The same window on fewer points.
struct OnFewerPoints {
  Discretisation discretisation;
  WindowSystem system;
  explicit OnFewerPoints(const Assembled& one)
      : discretisation(one.discretisation.on_fewer_points(one.model)),
        system(one.system.context(), one.model, one.system.plan(), discretisation, one.system.state()) {}
};

class SharedNewton : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, SharedNewton, testing::Values(kBurgers, kHeat, kThreeDimensions),
                         [](const auto& one) { return "Case" + std::to_string(one.index); });

TEST_P(SharedNewton, FindsTheAnswerOfOneProcess) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(GetParam());
  ASSERT_EQ(shared_newton_unsupported_reason(one.system), "");
  const NewtonOptions options{1e-9};  // well above rounding, which decides about no iteration
  const Solved shared = solve_shared(one, *ranks, options);
  EXPECT_TRUE(succeeded(shared.result.status)) << shared.result.detail;

  AveragedSolver solver(one.system, SpatialMethod::tensor);
  std::vector<double> x(static_cast<std::size_t>(one.system.size()), 0.0);
  const NewtonResult wanted = newton(one.system, x, options, solver);
  ASSERT_TRUE(succeeded(wanted.status));
  EXPECT_EQ(shared.result.iterations.size(), wanted.iterations.size());
  EXPECT_EQ(shared.result.n_factorisations, wanted.n_factorisations);
  for (std::size_t i = 0; i < wanted.iterations.size() && i < shared.result.iterations.size(); ++i)
    EXPECT_NEAR(shared.result.iterations[i].linear_iterations, wanted.iterations[i].linear_iterations, 1);
  double size = 0.0, difference = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size += x[i] * x[i];
    difference += (x[i] - shared.x[i]) * (x[i] - shared.x[i]);
  }
  EXPECT_GT(size, 0.0);
  // Both stop where no correction is larger than the tolerance.
  EXPECT_LE(std::sqrt(difference), 2e-9 * std::sqrt(size));
}

TEST_P(SharedNewton, HasTheBitsAndIterationsOfOneRank) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  Assembled one(GetParam());
  const Solved shared = solve_shared(one, *ranks, {1e-11}), wanted = solve_shared(one, *alone, {1e-11});
  EXPECT_EQ(shared.x, wanted.x);
  ASSERT_EQ(shared.result.iterations.size(), wanted.result.iterations.size());
  for (std::size_t i = 0; i < wanted.result.iterations.size(); ++i) {
    const NewtonIteration &a = shared.result.iterations[i], &b = wanted.result.iterations[i];
    EXPECT_EQ(a.linear_iterations, b.linear_iterations);
    EXPECT_EQ(a.residual_norm, b.residual_norm);
    EXPECT_EQ(a.correction_norm, b.correction_norm);
    EXPECT_EQ(a.damping, b.damping);
  }
}

// J v on fewer points: as in one process, which takes it from the other system likewise.
TEST_P(SharedNewton, TakesProductsOnFewerPoints) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  Assembled one(GetParam());
  const OnFewerPoints fewer(one);
  ASSERT_LT(fewer.discretisation.n_points(1), one.discretisation.n_points(1));
  const NewtonOptions options{1e-9};
  const Solved shared = solve_shared(one, *ranks, options, {}, &fewer.system),
               of_one_rank = solve_shared(one, *alone, options, {}, &fewer.system);
  EXPECT_EQ(shared.x, of_one_rank.x);
  AveragedSolver solver(fewer.system, SpatialMethod::tensor);
  std::vector<double> x(static_cast<std::size_t>(one.system.size()), 0.0);
  const NewtonResult wanted = newton(one.system, x, options, solver);
  ASSERT_TRUE(succeeded(wanted.status));
  EXPECT_TRUE(succeeded(shared.result.status)) << shared.result.detail;
  EXPECT_EQ(shared.result.iterations.size(), wanted.iterations.size());
  double size = 0.0, difference = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size += x[i] * x[i];
    difference += (x[i] - shared.x[i]) * (x[i] - shared.x[i]);
  }
  EXPECT_LE(std::sqrt(difference), 2e-9 * std::sqrt(size));
}

TEST(SharedAverage, PreconditionsAsThatOfOneProcess) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  for (const char* yaml : {kBurgers, kThreeDimensions}) {
    Assembled one(yaml);
    SharedWindow window(one.system, *ranks);
    SharedAverage average(one.system, window, *ranks);
    const std::vector<double> x = random_vector(one.system.size(), 8), v = random_vector(one.system.size(), 9);
    std::vector<double> own(static_cast<std::size_t>(window.unknowns().size_of(ranks->rank()))), result(own.size());
    std::vector<double> right(static_cast<std::size_t>(window.rows().size_of(ranks->rank())));
    window.unknowns().take(ranks->rank(), x, own);
    window.rows().take(ranks->rank(), v, right);
    SharedLinearisation at_x;
    window.linearise(own, at_x);
    ASSERT_EQ(average.factor(own, at_x), LuStatus::regular);
    average.apply(right, result);
    std::vector<double> whole(x.size());
    window.unknowns().gather(*ranks, result, whole);

    AveragedSolver solver(one.system, SpatialMethod::tensor);
    ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
    std::vector<double> wanted = v;
    solver.apply_preconditioner(wanted);
    double size = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      size += wanted[i] * wanted[i];
      difference += (wanted[i] - whole[i]) * (wanted[i] - whole[i]);
    }
    // Single precision, in which right-hand sides that differ by rounding are rounded anew.
    EXPECT_LE(std::sqrt(difference), 1e-5 * std::sqrt(size));
  }
}

// x is finite nowhere that the square root is: all ranks leave alike, though one alone may have met it.
TEST(SharedNewtons, WhatIsNotFiniteOnOneRankEndsAll) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = lap(u) + sqrt(0.98 - x - 0*u) + sqrt(4 + u)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 3, x: 10, y: 9}}
)yaml");
  const Solved solved = solve_shared(one, *ranks, {});
  EXPECT_EQ(solved.result.status, NewtonStatus::not_finite);
  EXPECT_NE(solved.result.detail.find("equation 1"), std::string::npos) << solved.result.detail;
}

TEST(SharedNewtons, OneRankThatIsInterruptedEndsAll) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(kBurgers);
  const int last = ranks->size() - 1;
  for (const int after : {0, 2, 5}) {
    int asked = 0;
    const Solved solved = solve_shared(one, *ranks, {1e-11}, [&] { return ranks->rank() == last && asked++ >= after; });
    EXPECT_EQ(solved.result.status, NewtonStatus::interrupted);
  }
}

TEST(SharedNewtons, SaysWhatItDoesNotServe) {
  std::string many = kHeat;
  many.replace(many.find("t: 6, x: 40"), 11, "t: 17, x: 8");
  Assembled one(many);
  EXPECT_NE(shared_newton_unsupported_reason(one.system), "");
}

}  // namespace
}  // namespace gwrm
