// Data of finite differences, recurrences and branches between their points: found, with place and cure, and no
// alarm where the grid shows them.
#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "problems/run_case.hpp"

namespace gwrm::unseen_data_test {
namespace {

using test::find_check;
using test::run_case;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Failed because of the data, for this reason.
void expect_unseen(const RunOutcome& outcome, const std::string& part) {
  EXPECT_EQ(outcome.status, ExitStatus::unresolved) << part;
  EXPECT_TRUE(holds(outcome.report.reason, "data lie between the points of the run: ")) << outcome.report.reason;
  EXPECT_TRUE(holds(outcome.report.reason, part)) << outcome.report.reason;
}

int n_data_checks(const RunOutcome& outcome) {
  int count = 0;
  for (const Check& check : outcome.report.verification.checks) count += check.kind == "data" ? 1 : 0;
  return count;
}

// ---- recurrence_bvp

std::string recurrence(int intervals, const std::string& source, const std::string& rest = "") {
  return fmt::format(
      "problem: recurrence_bvp\ndomain: {{x: [0, 1]}}\nunknowns: [u]\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
      "recurrence: {{intervals: {}, source: \"{}\"}}\n{}",
      intervals, source, rest);
}

std::string pulse(double w, double centre) {
  return fmt::format("1 + 1000*exp(-{:g}*(x - {:.12f})^2)", w, centre);
}

TEST(UnseenData, NoPulseOfTheSourceIsMissedByARecurrence) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> centre(0.01, 0.99);
  std::uniform_int_distribution<int> intervals(40, 400);
  const std::string off = "verification: {estimate: off}\n";
  for (const double w : {3e5, 3e6})
    for (int i = 0; i < 60; ++i) {
      const double c = centre(random);
      const int n = intervals(random);
      const RunOutcome estimated = run_case(recurrence(n, pulse(w, c)));
      EXPECT_EQ(estimated.status, ExitStatus::unresolved) << w << " " << c << " " << n;
      const double apart = std::abs(c * n - std::round(c * n)) / n;  // from the nearest point
      const RunOutcome alone = run_case(recurrence(n, pulse(w, c), off));
      if (w * apart * apart > 3.0) expect_unseen(alone, "the source: 1 + 1000*exp(");
      const bool by_one_point = w > 1e6 && n < 150;
      if (by_one_point) {
        EXPECT_EQ(n_data_checks(alone), 1) << c << " " << n;
      }
    }
}

// Beyond what the finer grid of the estimate shows: without the search these pass.
TEST(UnseenData, PulsesThatTheEstimateMissesAreFound) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> centre(0.01, 0.99);
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    const double c = centre(random);
    const RunOutcome outcome = run_case(recurrence(100 + i, pulse(3e12, c)));
    EXPECT_EQ(outcome.status, ExitStatus::unresolved) << c;
    found += n_data_checks(outcome);
  }
  EXPECT_GE(found, 18);  // the estimate's grid hits some of them, and the estimate judges these
}

TEST(UnseenData, TheAdvisedIntervalsShowTheSource) {
  const std::string off = "verification: {estimate: off}\n";
  const RunOutcome outcome = run_case(recurrence(50, pulse(3e5, 0.4137), off));
  expect_unseen(outcome, "reaches 1e+03 at x = 0.4137, between points that show 1");
  const std::string& reason = outcome.report.reason;
  const int advised = std::stoi(reason.substr(reason.find("recurrence.intervals: ") + 22));
  EXPECT_GE(advised, 400);
  EXPECT_LE(advised, 3200);
  EXPECT_EQ(n_data_checks(run_case(recurrence(advised, pulse(3e5, 0.4137), off))), 0);
}

TEST(UnseenData, SwitchedSourcesAndExactSolutionsOfARecurrence) {
  expect_unseen(run_case(recurrence(40, "1000*step(x - 0.4)*step(0.400001 - x)")), "the source");
  const RunOutcome exact =
      run_case(recurrence(200, "2", "exact: {u: \"x*(1 - x) + exp(-1e14*(x - 0.31234567)^2)\"}\n"));
  expect_unseen(exact, "the exact solution of u");
  const RunOutcome smooth = run_case(recurrence(200, "2", "exact: {u: \"x*(1 - x)\"}\n"));
  EXPECT_EQ(smooth.status, ExitStatus::converged) << smooth.report.reason;
  EXPECT_EQ(n_data_checks(smooth), 0);
}

TEST(UnseenData, WhatManyPointsShowIsNoFinding) {
  for (const char* source :
       {"1000*cos(50*x)", "sin(2e4*x)", "exp(-3e8*(x - 0.3)^2)", "step(x - 0.37)", "1/(x + 1e-3)"}) {
    const RunOutcome outcome = run_case(recurrence(1 << 18, source));
    EXPECT_EQ(n_data_checks(outcome), 0) << outcome.report.reason;
    EXPECT_TRUE(outcome.report.warnings.empty()) << source << ": " << outcome.report.warnings.front();
  }
}

// ---- sbp_sat_poisson

struct Poisson {
  std::string source = "1", section = "", domain = "x: [0, 1], y: [0, 1]";
  std::vector<std::string> boundary = {"u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"};
  std::string intervals = "24", rest = "";

  RunOutcome run() const {
    std::string text = "problem: sbp_sat_poisson\ndomain: {" + domain +
                       "}\nunknowns: [u]\nsbp_sat:\n  intervals: " + intervals + "\n  source: \"" + source + "\"\n" +
                       section + "boundary:\n";
    for (const std::string& condition : boundary) text += "  - \"" + condition + "\"\n";
    return run_case(text + rest);
  }
};

TEST(UnseenData, NoSpotOfTheSourceIsMissedOnAPlaneGrid) {
  std::mt19937 random(22);
  std::uniform_real_distribution<double> centre(0.02, 0.98);
  for (int i = 0; i < 24; ++i) {
    Poisson problem;
    const double w = i % 2 == 0 ? 3e5 : 3e6;
    problem.source =
        fmt::format("1 + 1000*exp(-{:g}*((x - {:.6f})^2 + (y - {:.6f})^2))", w, centre(random), centre(random));
    problem.intervals = std::to_string(16 + i);
    if (i % 3 == 0) problem.section = "  blocks: {x: [0, 0.4, 1]}\n  order: 4\n";
    if (i % 4 == 1) problem.rest = "verification: {estimate: off}\n";
    const RunOutcome outcome = problem.run();
    EXPECT_EQ(outcome.status, ExitStatus::unresolved) << problem.source;
    EXPECT_EQ(n_data_checks(outcome), 1) << problem.source << " " << outcome.report.reason;
  }
}

TEST(UnseenData, EveryExpressionOfAPlaneProblemIsLookedAt) {
  Poisson coefficient;
  coefficient.section = "  coefficient: \"1 + 1000*exp(-3e6*((x - 0.3131)^2 + (y - 0.7272)^2))\"\n";
  expect_unseen(coefficient.run(), "the coefficient c: ");
  Poisson entry;
  entry.section = "  coefficient: {xx: 2, yy: \"1 + 50*exp(-3e6*(x - 0.3131)^2)\"}\n";
  expect_unseen(entry.run(), "the coefficient yy: ");
  Poisson value;
  value.boundary[2] = "u(y=0) = x*(1 - x) + 100*exp(-3e6*(x - 0.6161)^2)";
  expect_unseen(value.run(), "u(y=0) = x*(1 - x) + 100*exp(-3e6*(x - 0.6161)^2): ");
  Poisson robin;
  robin.boundary[1] = "flux(x=1) + (1 + 300*exp(-3e6*(y - 0.6161)^2))*u(x=1) = 2";
  expect_unseen(robin.run(), "reaches 301 at y = 0.6161");
  Poisson exact;
  exact.rest = "exact: {u: \"exp(-3e6*((x - 0.3131)^2 + (y - 0.7272)^2))\"}\n";
  expect_unseen(exact.run(), "the exact solution of u: ");
}

TEST(UnseenData, MappedGridsAreLookedAtInTheirOwnCoordinates) {
  Poisson ring;
  ring.domain = "r: [1, 2], s: [0, pi/2]";
  ring.boundary = {"u(r=1) = 0", "u(r=2) = 0", "u(s=0) = 0", "u(s=pi/2) = 0"};
  const std::string mapping = "  mapping: {x: \"r*cos(s)\", y: \"r*sin(s)\"}\n";
  ring.section = mapping;
  EXPECT_EQ(n_data_checks(ring.run()), 0);
  ring.source = "1 + 1000*exp(-3e6*((x - 1.2)^2 + (y - 0.5)^2))";
  const RunOutcome spot = ring.run();
  expect_unseen(spot, "r = 1.3");  // and s = 0.39479
  EXPECT_TRUE(holds(spot.report.reason, "s = 0.394")) << spot.report.reason;
  ring.source = "1";
  ring.boundary[3] = "u(s=pi/2) = 100*exp(-3e6*(y - 1.6161)^2)";
  expect_unseen(ring.run(), "r = 1.6161");
  ring.boundary[3] = "u(s=pi/2) = 0";
  ring.section = "  mapping: {x: \"r*cos(s)\", y: \"r*sin(s) + 2e-4*exp(-3e6*(r - 1.3131)^2)\"}\n";
  expect_unseen(ring.run(), "the mapping's dr(y)");
}

TEST(UnseenData, JumpsAndBlocksOfAPlaneGridAreNoFinding) {
  Poisson jump;
  jump.section = "  blocks: {x: [0, 0.5, 1]}\n  coefficient: \"1 + 999*step(x - 0.5)\"\n";
  EXPECT_EQ(n_data_checks(jump.run()), 0);
  Poisson curved;
  curved.section = "  coefficient: \"1 + 9*step((x - 0.4)^2 + (y - 0.5)^2 - 0.06)\"\n";
  const RunOutcome outcome = curved.run();
  EXPECT_EQ(n_data_checks(outcome), 0);
  EXPECT_TRUE(outcome.report.warnings.empty());
}

// ---- branches

// A source between all points: every u = 0 along the branch, with an estimated error of 0. The second one moves with
// the parameter, which then stands within the data.
TEST(UnseenData, OfABranch) {
  for (const std::string source : {"lam*exp(-1e9*(x - 0.4037)^2)", "exp(-1e9*(x - 0.4037 - 0.001*lam)^2)"}) {
    const RunOutcome outcome = run_case(test::replaced(R"(domain: {x: [0, 1]}
constants: {lam: 0}
unknowns: [u]
equations: ["-dx(u,2) + u = 1000*SOURCE"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 40}}
continue: {parameter: lam, to: 1, step: 0.2}
)",
                                                       "SOURCE", source));
    EXPECT_EQ(outcome.status, ExitStatus::unresolved) << source;
    EXPECT_NEAR(find_check(outcome, "data").value, 1.0, 0.01) << source;
  }
}

}  // namespace
}  // namespace gwrm::unseen_data_test
