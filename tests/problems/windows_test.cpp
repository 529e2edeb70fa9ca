// Time windows: joined without a gap, factored no more often than needed, and what is kept when one of them fails.
#include <filesystem>

#include "problems/run_case.hpp"

namespace gwrm::windows_test {
namespace {

using test::expect_exact;
using test::expect_holds;
using test::replaced;
using test::run_case;

// Coefficients along the other axes at one end of a window, T_k(+-1) = (+-1)^k, time being the first axis.
std::vector<double> at_end(const Array& window, int end) {
  const Index n_times = window.shape[0], n_others = window.size() / n_times;
  std::vector<double> sum(static_cast<std::size_t>(n_others), 0.0);
  for (Index k = 0; k < n_times; ++k)
    for (Index i = 0; i < n_others; ++i)
      sum[static_cast<std::size_t>(i)] +=
          (end < 0 && k % 2 == 1 ? -1.0 : 1.0) * window.data[static_cast<std::size_t>(k * n_others + i)];
  return sum;
}

void expect_joined(const FieldSolution& field, double tolerance) {
  for (std::size_t w = 1; w < field.windows.size(); ++w) {
    const std::vector<double> before = at_end(field.windows[w - 1], +1), after = at_end(field.windows[w], -1);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(before[i], after[i], tolerance) << field.name << " after window " << w;
  }
}

const std::string kBurgers = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 4, x: 16}, domains: {t: [0, 0.05, 0.3, 1]}}
verification: {tail: 1, residual: 1}
)yaml";

// Continuous by construction, resolved or not.
TEST(Windows, SolutionIsContinuous) {
  const RunOutcome outcome = run_case(kBurgers);
  ASSERT_EQ(outcome.solution.fields[0].windows.size(), 3u);
  expect_joined(outcome.solution.fields[0], 1e-14);
  EXPECT_EQ(outcome.solution.window_edges, (std::vector<double>{0, 0.05, 0.3, 1}));
}

// u continues exactly; dt(u) is the derivative of u's polynomial, and its jump the truncation error, (1/2)^13 of a
// sine's Chebyshev coefficients: 2^-13 / 13! times k^2 = 100 is far below 1e-8.
TEST(Windows, SecondOrderContinuesTheDerivative) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 3]}
unknowns: [u]
equations: ["dt(u,2) = -u"]
initial: {u: "1", "dt(u)": "0"}
resolution: {degree: {t: 12}, domains: {t: 3}}
)yaml");
  expect_joined(outcome.solution.fields[0], 1e-14);
  for (double edge : {1.0, 2.0})  // u'' moves dt(u) by 2e-9 between the two points
    EXPECT_NEAR(test::value_at(outcome.solution, "dt(u)", {{"t", edge - 1e-9}}),
                test::value_at(outcome.solution, "dt(u)", {{"t", edge + 1e-9}}), 1e-8);
}

const std::string kHeat = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-0.1*pi^2*t)*sin(pi*x)"}
resolution: {degree: {t: 8, x: 16}, domains: {t: 10}}
)yaml";

TEST(Windows, LinearProblemFactorsOnceForEqualWindows) {
  EXPECT_EQ(expect_exact(kHeat, 1e-10).report.n_factorisations,
            1);  // ten windows, their lengths equal but for round-off
  EXPECT_EQ(expect_exact(replaced(kHeat, "domains: {t: 10}", "domains: {t: [0, 0.2, 0.5, 1]}"), 1e-10)
                .report.n_factorisations,
            3);
  EXPECT_EQ(expect_exact(replaced(kHeat, "domains: {t: 10}", "domains: {t: [0, 0.25, 0.5, 1]}"), 1e-10)
                .report.n_factorisations,
            2);
}

// Coefficients that change in time make a new matrix in each window; so does another value of a parameter.
TEST(Windows, NewMatricesAreFactored) {
  const std::string decay = R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = -2*t*u"]
initial: {u: "1"}
exact: {u: "exp(-t^2)"}
resolution: {degree: {t: 12}, domains: {t: 4}}
)yaml";
  EXPECT_EQ(expect_exact(decay, 1e-9).report.n_factorisations, 4);
  const std::string family = R"yaml(
domain: {t: [0, 2], p: [1, 2]}
unknowns: [u]
equations: ["dt(u) = -p*u"]
initial: {u: "1"}
exact: {u: "exp(-p*t)"}
resolution: {degree: {t: 10, p: 10}, domains: {t: 4}}
)yaml";
  EXPECT_EQ(expect_exact(family, 1e-9).report.n_factorisations, 11);
}

// A field without dt has no state to hand on, but its equation holds in every window.
TEST(Windows, ConstraintsHoldInEach) {
  const RunOutcome outcome = expect_exact(R"yaml(
domain: {t: [0, 1]}
unknowns: [u, w]
equations: ["dt(u) = -w", "w^3 = u^3*exp(3*t)"]
initial: {u: "1"}
guess: {w: "1"}
exact: {u: "exp(1 - exp(t))", w: "exp(1 - exp(t) + t)"}
resolution: {degree: {t: 12}, domains: {t: [0, 0.3, 1]}}
)yaml",
                                          1e-9);
  ASSERT_EQ(outcome.solution.fields[1].windows.size(), 2u);
}

TEST(Windows, ProgressIsReportedForEach) {
  std::vector<double> done;
  RunControl control;
  control.progress = [&](double fraction, const std::string& note) {
    done.push_back(fraction);
    EXPECT_FALSE(note.empty());
  };
  run_case(kBurgers, control);
  EXPECT_EQ(done, (std::vector<double>{0.05, 0.3, 1.0}));  // of the time
}

// What is kept of a march that stops after `n` of three windows: those n, at the values of the full run.
void expect_first_windows(const RunOutcome& outcome, std::size_t n) {
  EXPECT_FALSE(outcome.complete);
  ASSERT_EQ(outcome.solution.fields.size(), 1u);
  ASSERT_EQ(outcome.solution.fields[0].windows.size(), n);
  ASSERT_EQ(outcome.solution.window_edges.size(), n + 1);
  EXPECT_TRUE(outcome.report.verification.checks.empty());
  for (double t : outcome.grid[0]) EXPECT_LE(t, outcome.solution.window_edges.back());
}

RunOutcome interrupted_after(const std::string& yaml, int windows) {
  int finished = 0;
  RunControl control;
  control.progress = [&](double, const std::string&) { ++finished; };
  control.interrupted = [&] { return finished >= windows; };
  return run_case(yaml, control);
}

TEST(Windows, InterruptionKeepsTheFinishedOnes) {
  const RunOutcome whole = run_case(kBurgers);
  const RunOutcome outcome = interrupted_after(kBurgers, 1);
  EXPECT_EQ(outcome.status, ExitStatus::interrupted);
  EXPECT_EQ(static_cast<int>(outcome.status), 130);
  ASSERT_NO_FATAL_FAILURE(expect_first_windows(outcome, 1));
  EXPECT_EQ(outcome.solution.fields[0].windows[0].data, whole.solution.fields[0].windows[0].data);
  expect_holds(outcome.report.reason, "window 2 of 3");
  expect_first_windows(interrupted_after(kBurgers, 2), 2);
}

TEST(Windows, InterruptionBeforeTheFirstKeepsNothing) {
  const RunOutcome outcome = interrupted_after(kBurgers, 0);
  EXPECT_EQ(outcome.status, ExitStatus::interrupted);
  EXPECT_TRUE(outcome.solution.fields.empty());
}

// The finished windows can be written even if no point of the sampled grid lies in them.
TEST(Windows, UnfinishedRunsCanBeWritten) {
  const auto file = std::filesystem::temp_directory_path() / "gwrm_windows_test.h5";
  for (const char* grid : {"{t: 5, x: 3}", "{t: [0.5, 1], x: 3}"}) {
    const RunOutcome outcome = interrupted_after(kBurgers + "output: {grid: " + grid + "}\n", 1);
    ASSERT_FALSE(outcome.solution.fields.empty());
    EXPECT_NO_THROW(write_hdf5(file.string(), outcome.output_data(), true)) << grid;
    EXPECT_EQ(read_hdf5(file.string()).solution.fields[0].windows.size(), 1u) << grid;
  }
  std::filesystem::remove(file);
}

// dt(u) = -u^3 from 2 is too much for two iterations in a window of length 1, not in a short one.
TEST(Windows, NewtonFailureHalvesTheWindow) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 3]}
unknowns: [u]
equations: ["dt(u) = -max(t - 1, 0)*u^3"]
initial: {u: "2"}
resolution: {degree: {t: 6}, domains: {t: 3}}
solver: {newton: {max_iterations: 2}}
)yaml");
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  const std::vector<double>& edges = outcome.solution.window_edges;
  ASSERT_GT(edges.size(), 4u);
  EXPECT_EQ(edges[1], 1.0);  // the nonlinear term is zero in the first window: one step there
  for (std::size_t w = 1; w + 1 < edges.size(); ++w) {
    const double parts = 1.0 / (edges[w + 1] - edges[w]);
    EXPECT_EQ(parts, std::exp2(std::round(std::log2(parts)))) << "not a window halved again and again";
  }
  expect_joined(outcome.solution.fields[0], 1e-14);
  ASSERT_FALSE(outcome.report.warnings.empty());
  expect_holds(outcome.report.warnings.front(), "t = 1 .. 2");
  expect_holds(outcome.report.warnings.front(), "halved");
  // u = 2 / sqrt(1 + 4 (t - 1)^2) behind t = 1; degree 6 in the windows chosen by Newton's convergence alone.
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"t", 3.0}}), 2.0 / std::sqrt(17.0), 1e-6);
}

// Behind t = 1 the constraint w^2 = -4 has no solution, however short the window.
TEST(Windows, NewtonFailureThatHalvingDoesNotCureKeepsTheFinishedOnes) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 3]}
unknowns: [w]
equations: ["w^2 = 1 - 5*min(1, max(0, 1.0e+12*(t - 1)))"]
guess: {w: "1"}
resolution: {degree: {t: 6}, domains: {t: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::not_converged);
  expect_first_windows(outcome, 1);
  expect_holds(outcome.report.reason, "window 2 of 3");
  expect_holds(outcome.report.reason, "t = 1 .. 1.0");
  EXPECT_EQ(outcome.solution.window_edges.back(), 1.0);
  EXPECT_FALSE(outcome.report.warnings.empty());
}

// In a window that is too long Newton's iterates leave the domain of the logarithm, which those of a shorter one do
// not.
TEST(Windows, AreShortenedWhereNewtonLeavesTheDomainOfAFunction) {
  const std::string equation = R"yaml(
domain: {t: [0, 5]}
unknowns: [u]
equations: ["dt(u) = -5*u*(log(u) - 3*cos(2*t)) - 6*sin(2*t)*u"]
initial: {u: "exp(3)"}
exact: {u: "exp(3*cos(2*t))"}
)yaml";
  expect_exact(equation + "resolution: {tolerance: 1.0e-6}\n", 1e-6);
  const RunOutcome halved =
      run_case(equation + "resolution: {degree: {t: 12}}\nverification: {tolerance: 1.0e-3, tail: 1}\n");
  EXPECT_GT(halved.solution.fields[0].windows.size(), 2u);
}

// Where the solution itself leaves it the run ends there, with what was reached.
TEST(Windows, EndWhereTheSolutionLeavesTheDomainOfAFunction) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 3]}
unknowns: [u]
equations: ["dt(u) = -sqrt(u)"]
initial: {u: 1}
resolution: {tolerance: 1.0e-6}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::not_finite);
  EXPECT_GT(outcome.solution.window_edges.back(), 1.99);  // u = (1 - t/2)^2
}

}  // namespace
}  // namespace gwrm::windows_test
