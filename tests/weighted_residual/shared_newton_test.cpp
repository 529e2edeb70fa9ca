// Newton's iteration for a window on the ranks of the launcher: against that of one process to rounding, and against
// one rank alone to the bit (weighted_residual.ranks_*).
#include "weighted_residual/preconditioner/shared_newton.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/ranks_of_launcher.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/flow_cases.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/preconditioner/shared_preconditioner.hpp"

namespace gwrm::shared_newton_test {
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

constexpr const char* kSteady = R"yaml(schema: 1
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u, v]
equations: ["lap(u) - 5*dx(u) - u^2 = -exp(x*y)", "lap(v) + 0.3*u*v = x"]
boundary: ["u(x=0) = 0", "u(x=1) = y*(1 - y)", "u(y=0) = 0", "dy(u)(y=1) = 0",
           "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
resolution: {degree: {x: 19, y: 10}}
)yaml";
// Wavenumber by wavenumber. All axes periodic, odd derivatives along both ..
constexpr const char* kPeriodic = R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}}
unknowns: [u, v, w]
equations: ["dt(u) + (1 + u)*dx(u) + v*dy(u) + dx(w) = 0.1*lap(u)", "dt(v) + u*dx(v) - dy(v) + dy(w) = 0.2*lap(v) + u*v",
            "dt(w) + 4*w + dx(u) + dy(v) = 0"]
initial: {u: "0", v: "0", w: "0"}
resolution: {degree: {t: 5, x: 10, y: 6}}
)yaml";
// .. or even ones alone ..
constexpr const char* kSteadyPeriodic = R"yaml(schema: 1
domain: {x: {range: [0, 10], basis: fourier}, y: {range: [0, 10], basis: fourier}}
unknowns: [u]
equations: ["lap(u) + u + 0.1*u^2 = cos(pi*x/5)*sin(pi*y/5) + 0.3"]
resolution: {degree: {x: 12, y: 9}}
)yaml";
// .. a bounded axis that is the first modal one, and in three dimensions every other; a coefficient with a profile
// along it, a shared axis of which no rank but one has its wavenumbers in its own columns.
constexpr const char* kWallsInY = R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + (y^2 + 0.2*u)*dx(u) + dx(v) = 0.3*lap(u)", "dt(v) + 0.2*u*dy(v) + dx(u) = 0.4*lap(v) + t*y"]
initial: {u: "0", v: "0"}
boundary: ["u(y=0) = 0", "u(y=1) + dx(v)(y=1) = 0.1*sin(pi*x)", "v(y=0) = 0", "dy(v)(y=1) + (1 + t)*v(y=1) = 0"]
resolution: {degree: {t: 4, x: 9, y: 8}}
)yaml";
constexpr const char* kWallsInX = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1], y: {range: [0, 2], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + (x^2 + 0.2*u)*dy(u) + dy(v) = 0.3*lap(u)", "dt(v) + 0.2*u*dx(v) + dy(u) = 0.4*lap(v) + t*x"]
initial: {u: "0", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) + dy(v)(x=1) = 0.1*sin(pi*y)", "v(x=0) = 0", "dx(v)(x=1) + (1 + t)*v(x=1) = 0"]
resolution: {degree: {t: 4, x: 12, y: 7}}
)yaml";
std::string box_with_walls(char wall) {
  std::string domain = "{t: [0, 0.5]", degrees = "{t: 3";
  for (const char axis : {'x', 'y', 'z'}) {
    domain += fmt::format(", {}: {}", axis, axis == wall ? "[0, 2]" : "{range: [0, 2], basis: fourier}");
    degrees += fmt::format(", {}: {}", axis, axis == wall ? 7 : 4);
  }
  return fmt::format(R"yaml(schema: 1
domain: {0}}}
unknowns: [u]
equations: ["dt(u) + (1 + u)*(dx(u) + dy(u) + dz(u)) = (1 + 0.2*{1})*lap(u)"]
initial: {{u: "0"}}
boundary: ["u({1}=0) = 0.1", "u({1}=2) = t"]
resolution: {{degree: {2}}}}}
)yaml",
                     domain, wall, degrees);
}
constexpr const char* kPeriodicBox = R"yaml(schema: 1
domain: {t: [0, 0.5], x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}, z: {range: [0, 1], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + (1 + v)*(dx(u) - dz(u)) + dy(v) = lap(u)", "dt(v) + u*dy(v) + dx(u) = lap(v)"]
initial: {u: "0", v: "0"}
resolution: {degree: {t: 3, x: 3, y: 5, z: 2}}
)yaml";

// Means over one of two axes.
constexpr const char* kMeans = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 2], y: {range: [0, 1], basis: fourier}}
unknowns: [w, q]
equations: ["dt(w) + q + 0.1*w^2 = 0.1*lap(w)", "dy(q,2) + x*w = 0"]
initial: {w: "0"}
boundary: ["w(x=0) = 0", "w(x=2) = t", "2*integral(q, y) = x*t"]
resolution: {degree: {t: 3, x: 12, y: 6}}
)yaml";

// Jumps along both axes; integrals along planes.
constexpr const char* kDivided = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.3*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = 0.4*lap(v) + 0.5*integral(u*v, x)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = y*(1 - y)", "u(y=0) = 0", "u(y=1) = 0",
           "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "dy(v)(y=1) = 0"]
resolution: {degree: {t: 5, x: 6, y: 5}, domains: {x: [0, 0.4, 1], y: [0, 0.2, 0.7, 1]}}
)yaml";

struct NewtonCase {
  const char* name;
  SpatialMethod method;
  std::string yaml;
};
void PrintTo(const NewtonCase& what, std::ostream* out) {
  *out << what.name;
}
const NewtonCase kCases[] = {
    {"Burgers", SpatialMethod::tensor, kBurgers},
    {"Heat", SpatialMethod::tensor, kHeat},
    {"ThreeDimensions", SpatialMethod::tensor, kThreeDimensions},
    {"Steady", SpatialMethod::tensor, kSteady},
    {"SteadyPeriodicByTensor", SpatialMethod::tensor, kSteadyPeriodic},
    {"Divided", SpatialMethod::tensor, kDivided},
    {"Periodic", SpatialMethod::wavenumber, kPeriodic},
    {"SteadyPeriodic", SpatialMethod::wavenumber, kSteadyPeriodic},
    {"PeriodicBox", SpatialMethod::wavenumber, kPeriodicBox},
    {"WallsInY", SpatialMethod::wavenumber, kWallsInY},
    {"WallsInX", SpatialMethod::wavenumber, kWallsInX},
    {"BoxWithWallsInZ", SpatialMethod::wavenumber, box_with_walls('z')},
    {"BoxWithWallsInY", SpatialMethod::wavenumber, box_with_walls('y')},
    {"BoxWithWallsInX", SpatialMethod::wavenumber, box_with_walls('x')},
    {"PeriodicFlow", SpatialMethod::wavenumber, test::kPeriodicFlow},
    {"FlowBetweenWallsOfY", SpatialMethod::wavenumber, test::kFlowBetweenWallsOfY},
    {"FlowBetweenWallsOfX", SpatialMethod::wavenumber, test::kFlowBetweenWallsOfX},
    {"FlowInADividedChannel", SpatialMethod::wavenumber, test::kFlowInADividedChannel},
    {"FlowInABox", SpatialMethod::wavenumber, test::kFlowInABox},
    {"FlowOfVariableDensity", SpatialMethod::wavenumber, test::of_variable_density(test::kPeriodicFlow)},
    {"MeansAlongY", SpatialMethod::wavenumber, kMeans},
};

struct Solved {
  std::vector<double> x;  // whole
  NewtonResult result;
};

Solved solve_shared(Assembled& one, Communicator& ranks, SpatialMethod method, const NewtonOptions& options,
                    const std::function<bool()>& interrupted = {}, const WindowSystem* fewer_points = nullptr,
                    FactorsOfWindows* known = nullptr) {
  SharedWindow window(one.system, ranks, fewer_points);
  std::vector<double> own(static_cast<std::size_t>(window.unknowns().size_of(ranks.rank())), 0.0);
  Solved solved;
  solved.result = shared_newton(one.system, window, ranks, method, own, options, interrupted, known);
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

class SharedNewton : public testing::TestWithParam<NewtonCase> {};
INSTANTIATE_TEST_SUITE_P(Of, SharedNewton, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(SharedNewton, FindsTheAnswerOfOneProcess) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(GetParam().yaml);
  ASSERT_EQ(shared_newton_unsupported_reason(one.system, GetParam().method), "");
  const NewtonOptions options{1e-9};  // well above rounding, which decides about no iteration
  const Solved shared = solve_shared(one, *ranks, GetParam().method, options);
  EXPECT_TRUE(succeeded(shared.result.status)) << shared.result.detail;

  AveragedSolver solver(one.system, GetParam().method);
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
  Assembled one(GetParam().yaml);
  const Solved shared = solve_shared(one, *ranks, GetParam().method, {1e-11}),
               wanted = solve_shared(one, *alone, GetParam().method, {1e-11});
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
  Assembled one(GetParam().yaml);
  const OnFewerPoints fewer(one);
  ASSERT_LT(fewer.discretisation.n_points(1), one.discretisation.n_points(1));
  const NewtonOptions options{1e-9};
  const Solved shared = solve_shared(one, *ranks, GetParam().method, options, {}, &fewer.system),
               of_one_rank = solve_shared(one, *alone, GetParam().method, options, {}, &fewer.system);
  EXPECT_EQ(shared.x, of_one_rank.x);
  AveragedSolver solver(fewer.system, GetParam().method);
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

TEST_P(SharedNewton, PreconditionsAsOneProcess) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(GetParam().yaml);
  SharedWindow window(one.system, *ranks);
  const auto average = make_shared_preconditioner(GetParam().method, one.system, window, *ranks);
  const std::vector<double> x = random_vector(one.system.size(), 8), v = random_vector(one.system.size(), 9);
  std::vector<double> own(static_cast<std::size_t>(window.unknowns().size_of(ranks->rank()))), result(own.size());
  std::vector<double> right(static_cast<std::size_t>(window.rows().size_of(ranks->rank())));
  window.unknowns().take(ranks->rank(), x, own);
  window.rows().take(ranks->rank(), v, right);
  SharedLinearisation at_x;
  window.linearise(own, at_x);
  ASSERT_EQ(average->factor(at_x), LuStatus::regular);
  average->apply(right, result);
  std::vector<double> whole(x.size());
  window.unknowns().gather(*ranks, result, whole);

  AveragedSolver solver(one.system, GetParam().method);
  ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
  std::vector<double> wanted = v;
  solver.apply_preconditioner(wanted);
  double size = 0.0, difference = 0.0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    size += wanted[i] * wanted[i];
    difference += (wanted[i] - whole[i]) * (wanted[i] - whole[i]);
  }
  // Single precision, in which operators and right-hand sides that differ by rounding are rounded anew: of second
  // derivatives of degree 40 that comes to 6e-4.
  EXPECT_LE(std::sqrt(difference), 1e-3 * std::sqrt(size));
}

// Two windows in turn, the second with the factors of the first: as in one process, and to the bits of one rank. What
// it leaves to a third are factors unless they have grown old.
// fewer: factorisations than the first has made.
void lends_factors_as_one_process(const NewtonCase& of, const std::string& second, bool stale, int fewer) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  Assembled before(of.yaml), one(second);
  const NewtonOptions options{1e-9};
  int n_first = 0;
  const auto solve = [&](Communicator& on, FactorsOfWindows& known) {
    n_first = solve_shared(before, on, of.method, options, {}, nullptr, &known).result.n_factorisations;
    EXPECT_NE(known.factors, nullptr);
    return solve_shared(one, on, of.method, options, {}, nullptr, &known);
  };
  FactorsOfWindows known, of_one_rank;
  const Solved shared = solve(*ranks, known), single = solve(*alone, of_one_rank);
  EXPECT_TRUE(succeeded(shared.result.status)) << shared.result.detail;
  EXPECT_EQ(shared.x, single.x);
  EXPECT_EQ(known.factors == nullptr, stale);
  EXPECT_EQ(n_first - shared.result.n_factorisations, fewer);

  AveragedSolver first(before.system, of.method), solver(one.system, of.method);
  std::vector<double> x(static_cast<std::size_t>(before.system.size()), 0.0);
  ASSERT_TRUE(succeeded(newton(before.system, x, options, first).status));
  solver.reuse(first.factors(), false);
  x.assign(x.size(), 0.0);
  const NewtonResult wanted = newton(one.system, x, options, solver);
  EXPECT_EQ(solver.factors_are_stale(), stale);
  EXPECT_EQ(shared.result.n_factorisations, wanted.n_factorisations);
  ASSERT_EQ(shared.result.iterations.size(), wanted.iterations.size());
  for (std::size_t i = 0; i < wanted.iterations.size(); ++i)
    EXPECT_NEAR(shared.result.iterations[i].linear_iterations, wanted.iterations[i].linear_iterations, 1);
}

TEST_P(SharedNewton, TakesTheFactorsOfAnEarlierWindow) {
  lends_factors_as_one_process(GetParam(), GetParam().yaml, false, 1);
}

// Of equations that diffuse more, with which GMRES takes more than a dozen iterations, and less, with which it does not
// come to an end.
TEST(SharedNewtons, GiveUpFactorsThatHaveGrownOld) {
  const NewtonCase of{"", SpatialMethod::wavenumber, kWallsInY};
  const auto diffusing = [](const std::string& coefficient) {
    std::string yaml = kWallsInY;
    return yaml.replace(yaml.find("0.3*lap"), 3, coefficient);
  };
  lends_factors_as_one_process(of, diffusing("2"), true, 1);
  lends_factors_as_one_process(of, diffusing("0.001"), false, -1);
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
  const Solved solved = solve_shared(one, *ranks, SpatialMethod::tensor, {});
  EXPECT_EQ(solved.result.status, NewtonStatus::not_finite);
  EXPECT_NE(solved.result.detail.find("equation 1"), std::string::npos) << solved.result.detail;
}

TEST(SharedNewtons, OneRankThatIsInterruptedEndsAll) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(kBurgers);
  const int last = ranks->size() - 1;
  for (const int after : {0, 2, 5}) {
    int asked = 0;
    const Solved solved = solve_shared(one, *ranks, SpatialMethod::tensor, {1e-11},
                                       [&] { return ranks->rank() == last && asked++ >= after; });
    EXPECT_EQ(solved.result.status, NewtonStatus::interrupted);
  }
}

TEST(SharedNewtons, SaysWhatItDoesNotServe) {
  std::string many = kHeat;
  many.replace(many.find("t: 6, x: 40"), 11, "t: 17, x: 8");
  Assembled one(many);
  EXPECT_NE(shared_newton_unsupported_reason(one.system, SpatialMethod::tensor), "");
}

}  // namespace
}  // namespace gwrm::shared_newton_test
