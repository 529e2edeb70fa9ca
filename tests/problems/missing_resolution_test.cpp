// A FAIL for want of resolution proposes a line of the case file with which the run passes.
#include <regex>
#include <string>

#include "problems/run_case.hpp"

namespace gwrm::missing_resolution_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;

std::string advice_of(const RunOutcome& outcome) {
  return outcome.report.verification.estimate.advice;
}

// The case with the line that is proposed in place of its own.
std::string followed(const std::string& text, const std::string& advice) {
  const std::size_t begin = text.find("resolution: "), end = text.find('\n', begin);
  return text.substr(0, begin) + advice.substr(0, advice.find("}} ") + 2) + text.substr(end);
}

// A run that fails, and passes with the first proposal or the second; returns the case that passes.
std::string expect_cure(const std::string& text, int most_proposals = 1) {
  std::string now = text;
  RunOutcome outcome = run_case(now);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved) << now;
  for (int n = 0; n < most_proposals && outcome.status == ExitStatus::unresolved; ++n) {
    const std::string advice = advice_of(outcome);
    expect_holds(advice, "resolution: {");
    expect_holds(outcome.report.reason, advice);
    now = followed(now, advice);
    outcome = run_case(now);
  }
  EXPECT_EQ(outcome.status, ExitStatus::converged) << now << outcome.report.reason;
  return now;
}

const std::string kHeat =
    "domain: {t: [0, 0.2], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u,2)\"]\n"
    "initial: {u: \"sin(pi*x) + 0.3*sin(3*pi*x)\"}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
    "resolution: {degree: {t: 8, x: 12}, domains: {t: 1}}\nverification: {tolerance: 1e-7}\n";

TEST(MissingResolution, TheProposedLineSufficesAndIsNotAbsurd) {
  const std::string cured = expect_cure(kHeat, 3);
  std::smatch parts;
  ASSERT_TRUE(std::regex_search(cured, parts, std::regex("degree: \\{t: (\\d+), x: (\\d+)\\}"))) << cured;
  EXPECT_GE(std::stoi(parts[2]), 14);
  EXPECT_LE(std::stoi(parts[2]), 30);
}

TEST(MissingResolution, OfSystemsPeriodicAxesParametersAndSteadyProblems) {
  expect_cure(  // an oscillator over far too few windows
      "domain: {t: [0, 10]}\nunknowns: [u, v]\nequations: [\"dt(u) = v\", \"dt(v) = -u\"]\n"
      "initial: {u: \"1\", v: \"0\"}\nresolution: {degree: {t: 6}, domains: {t: 4}}\n",
      2);
  expect_cure(  // a layer
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"-0.02*dx(u,2) + dx(u) = 1\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {x: 20}}\n",
      2);
  expect_cure(  // Fourier
      "domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"
      "equations: [\"dt(u) + u*dx(u) = 0.2*dx(u,2)\"]\ninitial: {u: \"sin(x)\"}\n"
      "resolution: {degree: {t: 6, x: 8}}\n",
      2);
  expect_cure(  // a parameter
      "domain: {t: [0, 1], k: [1, 4]}\nunknowns: [u]\nequations: [\"dt(u) = -k*u\"]\ninitial: {u: \"1/(1 + k)\"}\n"
      "resolution: {degree: {t: 12, k: 4}}\n",
      2);
  expect_cure(  // two dimensions
      "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"-lap(u) = 25*pi^2*sin(3*pi*x)*sin(4*pi*y)\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"]\n"
      "resolution: {degree: {x: 10, y: 12}}\n",
      2);
}

TEST(MissingResolution, WithoutAnEstimateByTailsAndResiduals) {
  const std::string cured = expect_cure(replaced(kHeat, "tolerance: 1e-7", "estimate: off, tail: 1e-7"), 2);
  EXPECT_NE(cured, kHeat);
}

TEST(MissingResolution, WhatDegreesWillNotDoIsLeftToATolerance) {
  const std::string kink =
      "domain: {x: [-1, 1]}\nunknowns: [u]\nequations: [\"dx(u,2) = exp(-4*abs(x - 0.3))\"]\n"
      "boundary: [\"u(x=-1) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {x: 60}}\nverification: {tolerance: 1e-9}\n";
  const RunOutcome outcome = run_case(kink);
  ASSERT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(advice_of(outcome), "resolution: {tolerance: 1e-09} divides where it has to");
  expect_holds(advice_of(outcome), "the series along x fall like n^-");
}

// Initial values that contradict the walls, in one short series of time: two levels show no power.
TEST(MissingResolution, APowerThatIsNotMeasuredIsNotTold) {
  const auto advice = [](const std::string& degree) {
    const RunOutcome outcome = run_case(
        "domain: {t: [0, 0.2], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u,2)\"]\ninitial: {u: \"1\"}\n"
        "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {t: " +
        degree + ", x: 16}}\n");
    EXPECT_EQ(outcome.status, ExitStatus::unresolved);
    return advice_of(outcome);
  };
  for (const char* degree : {"2", "6"}) {
    const std::string text = advice(degree);
    expect_holds(text, "resolution: {tolerance: 1e-06}");
    EXPECT_EQ(text.find("n^-0.0"), std::string::npos) << text;
    EXPECT_EQ(text.find("n^--"), std::string::npos) << text;
  }
  expect_holds(advice("6"), "the series along t ");
}

// A tolerance near rounding is no reason to give up, growth is.
TEST(MissingResolution, OnlyGrowthMakesRoundingTooLarge) {
  const std::string text = replaced(kHeat, "1e-7", "1e-14");
  expect_holds(advice_of(run_case(text)), "may suffice");
  const RunOutcome grows = run_case(
      "domain: {t: [0, 20]}\nunknowns: [u]\nequations: [\"dt(u) = 3*u - 3*cos(t) - sin(t)\"]\ninitial: {u: \"1\"}\n"
      "resolution: {degree: {t: 16}, domains: {t: 18}}\n");
  expect_holds(advice_of(grows), "no resolution would do: by the growth of the equations rounding alone is ");
  // The answer grows as fast as the mode: rounding stays what it is.
  const RunOutcome follows = run_case(
      "domain: {t: [0, 20]}\nunknowns: [u]\nequations: [\"dt(u) = 3*u\"]\ninitial: {u: \"1\"}\n"
      "resolution: {degree: {t: 4}, domains: {t: 18}}\n");
  ASSERT_EQ(follows.status, ExitStatus::unresolved);
  EXPECT_EQ(follows.report.reason.find("no resolution would do"), std::string::npos) << follows.report.reason;
}

// A kink along a Fourier series: no edge can be put there.
TEST(MissingResolution, NoEdgeIsAdvisedAlongAnAxisThatCannotBeDivided) {
  const RunOutcome outcome = run_case(
      "domain: {x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"
      "equations: [\"dx(u,2) - u = abs(sin(x/2))\"]\nresolution: {degree: {x: 40}}\n"
      "verification: {tolerance: 1e-9}\n");
  ASSERT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_EQ(outcome.report.reason.find("edge"), std::string::npos) << outcome.report.reason;
  expect_holds(advice_of(outcome), "resolution: {tolerance: 1e-09} raises the degrees where it has to");
}

// Coarse points do not show all of the data: the degrees that do are proposed.
TEST(MissingResolution, OfPointsThatDoNotShowTheData) {
  expect_cure(
      "domain: {t: [0, 12]}\nunknowns: [u]\nequations: [\"dt(u) = -u + cos(3*t)\"]\ninitial: {u: \"0\"}\n"
      "resolution: {degree: {t: 3}, domains: {t: 3}}\n",
      4);
}

// Radau's matrices for thousands of nodes take minutes: long windows are divided.
TEST(MissingResolution, OfTimesThatDoNotShowTheDataAreMoreWindows) {
  const RunOutcome outcome = run_case(
      "domain: {t: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = 1 + 1000*cos(1000*t)\"]\ninitial: {u: \"0\"}\n"
      "resolution: {degree: {t: 40}}\nverification: {tolerance: 1e-3}\n");
  ASSERT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(advice_of(outcome), "resolution: {degree: {t: 40}, domains: {t: ");
}

TEST(MissingResolution, NothingIsProposedWhereResolutionIsNotTheCause) {
  RunOutcome outcome =
      run_case(replaced(kHeat, "degree: {t: 8, x: 12}, domains: {t: 1}", "degree: {t: 16, x: 30}, domains: {t: 4}"));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_EQ(advice_of(outcome).find("resolution: {"), std::string::npos);
  outcome = run_case(
      replaced(replaced(kHeat, "degree: {t: 8, x: 12}, domains: {t: 1}", "degree: {t: 16, x: 30}, domains: {t: 4}"),
               "verification: {", "exact: {u: \"sin(pi*x)\"}\nverification: {"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);  // that of another problem
  EXPECT_EQ(advice_of(outcome), "");
}

}  // namespace
}  // namespace gwrm::missing_resolution_test
