// Runs with `resolution.tolerance`: the tolerance is met, with windows and subdomains where they are needed, and what
// cannot be resolved is given up with the limit that was met. Errors are relative to the size of the field.
#include <algorithm>

#include "problems/run_case.hpp"

namespace gwrm::automatic_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;
using test::value_at;

std::string resolved_to(const std::string& yaml, double tolerance, const std::string& more = "") {
  char text[80];
  std::snprintf(text, sizeof text, "resolution: {tolerance: %.1e", tolerance);
  return yaml + text + (more.empty() ? "" : ", ") + more + "}\n";
}

struct AutomaticCase {
  const char* name;
  std::vector<double> tolerances;
  const char* yaml;  // with `exact`, without `resolution`
};

void PrintTo(const AutomaticCase& c, std::ostream* out) {
  *out << c.name;
}

const AutomaticCase kExact[] = {
    {"heat_with_a_decaying_mode", {1e-4, 1e-6, 1e-9}, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x) + 0.5*sin(9*pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-0.1*pi^2*t)*sin(pi*x) + 0.5*exp(-8.1*pi^2*t)*sin(9*pi*x)"}
)yaml"},
    // Two exponential layers.
    {"steady_boundary_layer", {1e-4, 1e-8}, R"yaml(
domain: {x: [0, 1]}
constants: {eps: 1.0e-4}
unknowns: [u]
equations: ["eps*dx(u,2) + dx(u) = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "x - (1 - exp(-x/eps))/(1 - exp(-1/eps))"}
)yaml"},
    {"sine_gordon_kink", {1e-5, 1e-8}, R"yaml(
domain: {t: [0, 10], x: [-20, 20]}
constants: {c: 0.5, g: "1/sqrt(0.75)"}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2) - sin(u)"]
initial: {u: "4*atan(exp(g*x))", "dt(u)": "-2*c*g/cosh(g*x)"}
boundary: ["u(x=-20) = 4*atan(exp(g*(-20 - c*t)))", "u(x=20) = 4*atan(exp(g*(20 - c*t)))"]
exact: {u: "4*atan(exp(g*(x - c*t)))"}
)yaml"},
    {"heat_in_two_dimensions", {1e-6}, R"yaml(
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*lap(u)"]
initial: {u: "sin(pi*x)*sin(2*pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
exact: {u: "exp(-0.5*pi^2*t)*sin(pi*x)*sin(2*pi*y)"}
)yaml"},
    {"burgers_in_two_dimensions", {1e-6}, R"yaml(
domain: {t: [0, 0.5], x: [0, 1], y: [0, 1]}
constants: {R: 20}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = lap(u)/R", "dt(v) + u*dx(v) + v*dy(v) = lap(v)/R"]
initial: {u: "3/4 - 1/(4*(1 + exp((y - x)*R/8)))", v: "3/4 + 1/(4*(1 + exp((y - x)*R/8)))"}
boundary:
  - "u(x=0) = 3/4 - 1/(4*(1 + exp((4*y - t)*R/32)))"
  - "u(x=1) = 3/4 - 1/(4*(1 + exp((4*y - 4 - t)*R/32)))"
  - "u(y=0) = 3/4 - 1/(4*(1 + exp((-4*x - t)*R/32)))"
  - "u(y=1) = 3/4 - 1/(4*(1 + exp((4 - 4*x - t)*R/32)))"
  - "v(x=0) = 3/4 + 1/(4*(1 + exp((4*y - t)*R/32)))"
  - "v(x=1) = 3/4 + 1/(4*(1 + exp((4*y - 4 - t)*R/32)))"
  - "v(y=0) = 3/4 + 1/(4*(1 + exp((-4*x - t)*R/32)))"
  - "v(y=1) = 3/4 + 1/(4*(1 + exp((4 - 4*x - t)*R/32)))"
exact: {u: "3/4 - 1/(4*(1 + exp((4*y - 4*x - t)*R/32)))", v: "3/4 + 1/(4*(1 + exp((4*y - 4*x - t)*R/32)))"}
)yaml"},
    {"parameter_of_unknown_degree", {1e-5, 1e-9}, R"yaml(
domain: {t: [0, 1], p: [1, 30]}
unknowns: [u]
equations: ["dt(u) = -p*u"]
initial: {u: "1"}
exact: {u: "exp(-p*t)"}
)yaml"},
    // From zero with an infinite second derivative.
    {"power_three_halves", {1e-5, 1e-8}, R"yaml(
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = sqrt(t)"]
initial: {u: "0"}
exact: {u: "2/3*t^1.5"}
)yaml"},
};

class AutomaticRuns : public testing::TestWithParam<AutomaticCase> {};
INSTANTIATE_TEST_SUITE_P(Cases, AutomaticRuns, testing::ValuesIn(kExact), [](const auto& c) { return c.param.name; });

TEST_P(AutomaticRuns, MeetTheTolerance) {
  for (double tolerance : GetParam().tolerances) {
    const RunOutcome outcome = test::expect_exact(resolved_to(GetParam().yaml, tolerance), tolerance);
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  }
}

const std::string kHeat = kExact[0].yaml;
const std::string kLayer = kExact[1].yaml;
const std::string kDecay = kExact[5].yaml;

// The first window is as short as the fast mode asks for, later ones as long as the slow one allows.
TEST(Automatic, WindowsGrowAsTheSolutionSlowsDown) {
  const std::vector<double> edges = run_case(resolved_to(kHeat, 1e-8)).solution.window_edges;
  ASSERT_GE(edges.size(), 4u);
  EXPECT_LT(edges[1] - edges[0], 0.05);
  EXPECT_GT(edges.back() - edges[edges.size() - 2], 0.1);
  EXPECT_EQ(edges.back(), 1.0);
}

TEST(Automatic, SubdomainsGoToTheLayer) {
  const Solution solution = run_case(resolved_to(kLayer, 1e-8)).solution;
  const std::vector<double>& edges = solution.subdomains[0][0].edges;
  ASSERT_GE(edges.size(), 5u);
  for (std::size_t i = 2; i < edges.size(); ++i)
    EXPECT_GE(edges[i] - edges[i - 1], (edges[i - 1] - edges[i - 2]) * (1.0 - 1e-12));
  EXPECT_LT(edges[1], 30e-4);  // some widths of the layer
  EXPECT_GT(1.0 - edges[edges.size() - 2], 0.05);
}

TEST(Automatic, DegreeAlongAParameterIsChosenToo) {
  const auto degree = [](double tolerance) {
    const Solution solution = run_case(resolved_to(kDecay, tolerance)).solution;
    return solution.subdomains[0][1].degree;
  };
  // exp(-p t), p t up to 30: 1e-9 takes I_k(14.5) exp(-15) down to it, k of about 30.
  EXPECT_GE(degree(1e-9), 20);
  EXPECT_GT(degree(1e-9), degree(1e-4));
  // One that is given stays, and the run says what is missing.
  const RunOutcome given = run_case(resolved_to(kDecay, 1e-9, "degree: {p: 6}"));
  EXPECT_EQ(given.solution.subdomains[0][1].degree, 6);
  EXPECT_EQ(given.status, ExitStatus::unresolved);
}

// u_t + u u_x = u_xx/100 from sin(pi x): a front of width 1/50 at x = 1; the digits are of the Cole-Hopf series.
TEST(Automatic, BurgersFront) {
  for (double tolerance : {1e-5, 1e-8}) {
    const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.01*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
)yaml",
                                                    tolerance));
    ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", 1.0}, {"x", 0.8}}), 0.591476197109891914, tolerance);
    // The front is resolved with more subdomains than its surroundings, and not from the start.
    const std::vector<double>& last = outcome.solution.subdomains.back()[1].edges;
    EXPECT_LT(1.0 - last[last.size() - 2], 0.2);
    EXPECT_LT(outcome.solution.subdomains.front()[1].n_subdomains(),
              outcome.solution.subdomains.back()[1].n_subdomains());
  }
}

// u' = u^2 - u^3 from 1/100 (a flame that ignites near t = 100): 1/u + log(1/u - 1) = 1/u0 + log(1/u0 - 1) - t.
TEST(Automatic, FlameBeforeBehindAndAtItsIgnition) {
  for (double tolerance : {1e-6, 1e-10}) {
    const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 200]}
unknowns: [u]
equations: ["dt(u) = u^2 - u^3"]
initial: {u: "0.01"}
)yaml",
                                                    tolerance));
    ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    for (double u : {0.02, 0.1, 0.3, 0.5, 0.9, 0.999}) {
      const double t = 100.0 + std::log(99.0) - 1.0 / u - std::log(1.0 / u - 1.0);
      EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", t}}), u, tolerance) << t;
    }
    EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", 200.0}}), 1.0, tolerance);
    // 100 units of waiting, 10 of change, 90 of rest: windows of very different length.
    const std::vector<double>& edges = outcome.solution.window_edges;
    double shortest = 200.0, longest = 0.0;
    for (std::size_t w = 1; w < edges.size(); ++w) {
      shortest = std::min(shortest, edges[w] - edges[w - 1]);
      longest = std::max(longest, edges[w] - edges[w - 1]);
    }
    EXPECT_GT(longest, 5.0 * shortest);
  }
}

// x (1 - x) and u = 0 at the ends contradict each other in u_t: singular corners at t = 0, graded windows.
TEST(Automatic, InitialValuesThatClashWithTheBoundary) {
  const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*dx(u,2)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
)yaml",
                                                  1e-6));
  ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", 1.0}, {"x", 0.5}}), 0.0942898748287136472, 0.25e-6);
  EXPECT_LT(outcome.solution.window_edges[1], 1e-4);
  EXPECT_LE(outcome.report.n_windows, 60);
}

// From u = 0 a field is as small as the window is short: near a wall u = t f(x / sqrt t). It has to be resolved against
// what it grows to, as well as the same problem shifted by 1.
constexpr const char* kHeatedRod = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + 1"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
)yaml";

TEST(AutomaticFromZero, HeatedRodBetweenColdWalls) {
  for (double tolerance : {1e-4, 1e-6, 1e-9}) {
    const RunOutcome outcome = run_case(resolved_to(kHeatedRod, tolerance));
    ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    for (double t : {1e-3, 0.1, 1.0})
      for (double x : {0.01, 0.5}) {
        double exact = 0.5 * x * (1.0 - x);
        for (int n = 1; n < 2000; n += 2) {
          const double k = n * M_PI;
          exact -= 4.0 / (k * k * k) * std::exp(-k * k * t) * std::sin(k * x);
        }
        EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", t}, {"x", x}}), exact, 0.125 * tolerance) << t << " " << x;
      }
    EXPECT_LE(outcome.report.n_windows, 40);
  }
}

TEST(AutomaticFromZero, WallThatWarmsUp) {
  const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=0) = sin(t)", "u(x=1) = 0"]
)yaml",
                                                  1e-6));
  ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const double t = 0.1, x = 0.25;
  double exact = (1.0 - x) * std::sin(t);
  for (int n = 1; n < 2000; ++n) {
    const double k = n * M_PI, a = k * k;
    exact -= 2.0 / k * (a * std::cos(t) + std::sin(t) - a * std::exp(-a * t)) / (a * a + 1.0) * std::sin(k * x);
  }
  EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", t}, {"x", x}}), exact, 1e-6);
}

// One field has a size from the start, the other finds its own.
TEST(AutomaticFromZero, BesideAFieldThatIsNotZero) {
  const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [a, u]
equations: ["dt(a) = -a", "dt(u) = dx(u,2) + exp(t)*a"]
initial: {a: "1", u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
)yaml",
                                                  1e-6));
  ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", 1.0}, {"x", 0.5}}),
              0.125 - 4.0 / std::pow(M_PI, 3) * std::exp(-M_PI * M_PI), 0.125e-6);
  EXPECT_LE(outcome.report.n_windows, 20);
}

// The field is 1e-40 for half of the time: its size is not known before the source is on.
TEST(AutomaticFromZero, SourceThatComesLate) {
  const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = exp(-((t - 0.5)/0.05)^2)"]
initial: {u: "0"}
exact: {u: "0.025*sqrt(pi)*(erf((t - 0.5)/0.05) + erf(10))"}
)yaml",
                                                  1e-7));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

// A kink in the initial value, at an edge given by hand: first windows without a smaller tail ask for finer subdomains.
TEST(Automatic, InitialValueWithAKink) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 0.5], x: [-1, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "1 - abs(x)"}
boundary: ["u(x=-1) = 0", "u(x=1) = 0"]
resolution: {tolerance: 1e-6, domains: {x: [-1, 0, 1]}}
verification: {residual: 10}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  for (double t : {0.01, 0.1, 0.5}) {
    double exact = 0.0;  // the Fourier series of the hat
    for (int n = 1; n < 400; n += 2) {
      const double k = n * M_PI / 2.0;
      exact += 2.0 / (k * k) * std::exp(-k * k * t);
    }
    EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", t}, {"x", 0.0}}), exact, 1e-6) << t;
  }
}

TEST(Automatic, FirstWindowMayBeGiven) {
  const RunOutcome outcome = run_case(resolved_to(kHeat, 1e-6, "first_window: 0.001"));
  EXPECT_NEAR(outcome.solution.window_edges[1], 0.001, 1e-16);
  EXPECT_EQ(outcome.status, ExitStatus::converged);
}

// ---- what cannot be had

void expect_unresolved(const RunOutcome& outcome, const std::string& words) {
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(outcome.report.status, "tolerance not met");
  expect_holds(outcome.report.reason, words);
  EXPECT_TRUE(outcome.report.verification.checks.empty());
}

TEST(AutomaticLimits, Windows) {
  const RunOutcome outcome = run_case(resolved_to(kHeat, 1e-9, "limits: {windows: 2}"));
  expect_unresolved(outcome, "2 windows are not enough (resolution.limits.windows)");
  EXPECT_EQ(outcome.solution.fields[0].windows.size(), 2u);  // what there is
  EXPECT_LT(outcome.solution.window_edges.back(), 1.0);
  const std::size_t enough = run_case(resolved_to(kHeat, 1e-9)).solution.n_windows();
  EXPECT_EQ(run_case(resolved_to(kHeat, 1e-9, "limits: {windows: " + std::to_string(enough) + "}")).status,
            ExitStatus::converged);
}

// A kink that clashing data send into the field: windows stay as short as its passage through one subdomain.
TEST(AutomaticLimits, CreepingStopsEarly) {
  const char* kink = R"yaml(
schema: 1
title: moving kink
domain: {t: [0, 1], x: [0, 2*pi]}
unknowns: [u]
equations: ["dt(u) = -u*dx(u)"]
initial: {u: "1.5 + 0.3*sin(x)"}
boundary: ["u(x=0) = 1.5"]
)yaml";
  const RunOutcome outcome = run_case(resolved_to(kink, 1e-6, "limits: {windows: 200}"));
  expect_unresolved(outcome, "would have to follow each other");
  EXPECT_LT(outcome.solution.n_windows(), 100u);
}

TEST(AutomaticLimits, Subdomains) {
  expect_unresolved(run_case(resolved_to(kLayer, 1e-8, "limits: {domains: 4}")), "(resolution.limits.domains)");
  expect_unresolved(run_case(resolved_to(kLayer, 1e-8, "limits: {domains: 4}")), "subdomains along x are not enough");
}

TEST(AutomaticLimits, Degree) {
  const RunOutcome plane = run_case(
      resolved_to(replaced(kExact[3].yaml, "sin(2*pi*y)", "sin(7*pi*y)"), 1e-6, "limits: {degree: 14, domains: 1}"));
  expect_unresolved(plane, "1 subdomain along y is not enough (resolution.limits.domains)");
  const RunOutcome parameter = run_case(resolved_to(kDecay, 1e-9, "limits: {degree: 12}"));
  EXPECT_EQ(parameter.status, ExitStatus::unresolved);
  expect_holds(parameter.report.reason, "degree 12 along p is not enough (resolution.limits.degree)");
}

// Schroedinger's equation disperses a jump between initial and boundary data into ever shorter waves: no resolution is
// enough, and the reason says where they come from.
TEST(AutomaticLimits, AContradictionThatNothingSmooths) {
  const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [a, b]
equations: ["dt(a) = -dx(b,2)", "dt(b) = dx(a,2)"]
initial: {a: "sin(pi*x) + 0.001*(1 - x)", b: "0"}
boundary: ["a(x=0) = 0", "a(x=1) = 0", "b(x=0) = 0", "b(x=1) = 0"]
)yaml",
                                                  1e-6, "degree: {t: 8}, limits: {domains: 64}"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(outcome.report.reason, "\"a(x=0) = 0\" contradicts a = 0.001 at t = 0, and the jump is carried along");
  EXPECT_GE(outcome.report.warnings.size(), 1u);
}

// The initial values agree with the boundary conditions, and nothing else is said.
TEST(AutomaticLimits, OnlyTheTimeDerivativeContradicts) {
  const RunOutcome outcome = run_case(resolved_to(kHeatedRod, 1e-9, "limits: {domains: 2}"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(outcome.report.reason, "the time derivative of the initial values contradicts the boundary conditions");
}

// A front of width 1e-9, thinner than any subdomain may become. The windows before the front are kept.
TEST(AutomaticLimits, ShockIsGivenUpInABoundedNumberOfWindows) {
  const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 1e-9*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
)yaml",
                                                  1e-3, "degree: {t: 6, x: 8}"));
  expect_unresolved(outcome, "not smooth near x = ");
  expect_holds(outcome.report.reason, "viscosity");
  EXPECT_LE(outcome.report.n_windows, 100);
  // The wave breaks at t = 1/pi.
  EXPECT_NEAR(outcome.solution.window_edges.back(), 0.3183, 0.02);
}

// A stiff relaxation oscillation jumps twice, in some dozen windows of 1e-6 each (value: the test set of Bari and CWI).
TEST(AutomaticLimits, AJumpOfSomeDozenTinyWindowsIsNoEndlessOne) {
  const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {t: [0, 2]}
unknowns: [y, z]
equations: ["dt(y) = z", "1e-6*dt(z) = (1 - y^2)*z - y"]
initial: {y: 2, z: -0.66}
)yaml",
                                                  1e-8));
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_NEAR(value_at(outcome.solution, "y", {{"t", 2}}), 1.706167732170483, 1e-6);
  EXPECT_LE(outcome.report.n_windows, 200);
}

// Equation and conditions contradict each other in the corners, where the residual stays large; the answer is right.
// With an estimate that judges it, without one the tails that the run followed. (Between these tolerances, at 1e-5, one
// long series suffices, and its residual is rounding.)
TEST(AutomaticLimits, CornersKeepTheResidualLargeAndPass) {
  for (const bool is_estimated : {true, false})
    for (const double tolerance : {1e-3, 1e-6}) {
      const RunOutcome outcome = run_case(resolved_to(R"yaml(
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["-lap(u) = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
)yaml" + std::string(is_estimated ? "" : "verification: {estimate: off}\n"),
                                                      tolerance));
      EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
      EXPECT_GT(test::find_check(outcome, "residual").value, 0.8 * tolerance);
      EXPECT_FALSE(test::find_check(outcome, "residual").judged);
      EXPECT_EQ(test::find_check(outcome, "tail", "u along x").judged, !is_estimated);
      EXPECT_NEAR(value_at(outcome.solution, "u", {{"x", 0.5}, {"y", 0.5}}), 0.0736713533, 0.07 * tolerance);
    }
}

}  // namespace
}  // namespace gwrm::automatic_test
