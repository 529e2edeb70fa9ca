// Answers far better than asked for: the resolution that is advised then suffices, and saves.
#include <regex>
#include <string>
#include <vector>

#include "problems/run_case.hpp"
#include "problems/spare_accuracy.hpp"

namespace gwrm::spare_accuracy_test {
namespace {

using test::replaced;
using test::run_case;

std::string advice_of(const RunOutcome& outcome) {
  return outcome.report.verification.estimate.advice;
}

// What the advice says in place of the case's own: "resolution.degree: {t: 8}" of `degree: {..}`.
std::string followed(const std::string& text, const std::string& advice) {
  std::smatch parts;
  EXPECT_TRUE(std::regex_match(advice, parts, std::regex("(resolution|recurrence|sbp_sat)\\.(\\w+): (.*) may suffice")))
      << advice;
  return std::regex_replace(text, std::regex(parts[2].str() + ": (\\{[^}]*\\}|[0-9^]+)"),
                            parts[2].str() + ": " + parts[3].str(), std::regex_constants::format_first_only);
}

void expect_good_advice(const std::string& text) {
  const RunOutcome outcome = run_case(text);
  ASSERT_EQ(outcome.status, ExitStatus::converged) << text << outcome.report.reason;
  ASSERT_FALSE(advice_of(outcome).empty()) << text;
  const std::string other = followed(text, advice_of(outcome));
  EXPECT_NE(other, text) << advice_of(outcome);
  const RunOutcome cheaper = run_case(other);
  EXPECT_EQ(cheaper.status, ExitStatus::converged) << other << cheaper.report.reason;
  EXPECT_LT(cheaper.report.n_unknowns, outcome.report.n_unknowns) << other;
}

const std::string kHeat =
    "domain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = 0.1*dx(u,2)\"]\n"
    "initial: {u: \"sin(pi*x)\"}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
    "resolution: {degree: {t: 16, x: 30}, domains: {t: 2}}\nverification: {tolerance: 1e-6}\n";
const std::string kPlate =
    "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"-lap(u) = 2*pi^2*sin(pi*x)*sin(pi*y)\"]\n"
    "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"]\n"
    "resolution: {degree: {x: 24, y: 27}}\nverification: {tolerance: 1e-7}\n";

TEST(SpareAccuracy, TheAdvisedDegreesSuffice) {
  expect_good_advice(kHeat);
  expect_good_advice(replaced(kHeat, "1e-6", "1e-3"));
  expect_good_advice(kPlate);
  expect_good_advice(  // a layer
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"-0.01*dx(u,2) + dx(u) = 1\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {x: 90}}\nverification: {tolerance: 1e-5}\n");
  expect_good_advice(  // growth
      "domain: {t: [0, 6]}\nunknowns: [u]\nequations: [\"dt(u) = 2*u - 2*cos(t) - sin(t)\"]\ninitial: {u: \"1.001\"}\n"
      "resolution: {degree: {t: 14}, domains: {t: 6}}\nverification: {tolerance: 1e-4}\n");
  expect_good_advice(  // fourth order
      "domain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"dx(u,4) = 500*cos(5*x)\"]\n"
      "boundary: [\"u(x=0) = 0\", \"dx(u)(x=0) = 0\", \"dx(u,2)(x=1) = 0\", \"dx(u,3)(x=1) = 0\"]\n"
      "resolution: {degree: {x: 25}}\nverification: {tolerance: 1e-6}\n");
  expect_good_advice(  // not linear, several windows
      "domain: {t: [0, 2], x: [0, 2*pi]}\nunknowns: [u]\nequations: [\"dt(u) + u*dx(u) = 0.2*dx(u,2)\"]\n"
      "initial: {u: \"sin(x)\"}\nboundary: [\"u(x=0) = u(x=2*pi)\", \"dx(u)(x=0) = dx(u)(x=2*pi)\"]\n"
      "resolution: {degree: {t: 16, x: 60}, domains: {t: 4}}\nverification: {tolerance: 1e-3}\n");
}

TEST(SpareAccuracy, TheAdvisedIntervalsSuffice) {
  const std::string recurrence =
      "problem: recurrence_bvp\ndomain: {x: [0, 1]}\nunknowns: [u]\nboundary: [\"dx(u)(x=0) = 0\", \"u(x=1) = 0\"]\n"
      "recurrence: {intervals: 4000, order: 2, source: \"pi^2/4*cos(pi/2*x)\"}\nverification: {tolerance: 1e-5}\n";
  expect_good_advice(recurrence);
  expect_good_advice(replaced(replaced(recurrence, "order: 2", "order: 4"), "4000", "200"));
  expect_good_advice(  // rounding alone
      replaced(replaced(recurrence, "order: 2", "order: 4"), "4000", "2^16"));
  const std::string poisson =
      "problem: sbp_sat_poisson\ndomain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"]\n"
      "sbp_sat: {intervals: {x: [64, 96], y: 160}, order: 4, blocks: {x: [0, 0.4, 1]}, "
      "source: \"2*pi^2*sin(pi*x)*sin(pi*y)\"}\nverification: {tolerance: 1e-4}\n";
  expect_good_advice(poisson);
  expect_good_advice(replaced(replaced(poisson, "order: 4", "order: 2"), "1e-4", "0.1"));
}

TEST(SpareAccuracy, TheAdvisedToleranceSuffices) {
  const std::string text =
      "domain: {t: [0, 10]}\nunknowns: [u, v]\nequations: [\"dt(u) = v\", \"dt(v) = -u\"]\ninitial: {u: \"1\", v: "
      "\"0\"}\n"
      "resolution: {tolerance: 1e-11}\nverification: {tolerance: 1e-6}\n";
  const RunOutcome outcome = run_case(text);
  const std::string advice = advice_of(outcome);
  ASSERT_EQ(advice.find("resolution.tolerance: "), 0u) << advice;
  EXPECT_NE(advice.find(" with verification.tolerance: 1e-06 may suffice"), std::string::npos) << advice;
  const std::string other = replaced(text, "tolerance: 1e-11", "tolerance: " + advice.substr(22, 5));
  EXPECT_NE(other, text);
  const RunOutcome cheaper = run_case(other);
  EXPECT_EQ(cheaper.status, ExitStatus::converged) << other << cheaper.report.reason;
}

TEST(SpareAccuracy, NothingIsAdvisedWhereNobodyAskedOrNothingIsToBeSaved) {
  for (const std::string& text : {kHeat, kPlate}) {
    const std::string::size_type at = text.find("verification: ");
    EXPECT_EQ(advice_of(run_case(text.substr(0, at))), "");  // a default
    EXPECT_EQ(advice_of(run_case(text.substr(0, at) + "verification: {tolerance: 1e-13, estimate: off}\n")), "");
  }
  EXPECT_EQ(advice_of(run_case(replaced(replaced(kHeat, "t: 16, x: 30", "t: 4, x: 5"), "1e-6", "0.5"))),
            "");  // the least
  const RunOutcome tight = run_case(replaced(replaced(kHeat, "t: 16, x: 30", "t: 7, x: 12"), "1e-6", "1e-8"));
  EXPECT_EQ(tight.status, ExitStatus::converged) << tight.report.reason;
  EXPECT_EQ(advice_of(tight), "");
}

TEST(SpareAccuracy, IntervalsByTheOrder) {
  EXPECT_EQ(enough_intervals(1000, 32.0, 2, 4), 250);
  EXPECT_EQ(enough_intervals(1001, 32.0, 2, 4), 251);
  EXPECT_EQ(enough_intervals(1000, 1e12, 2, 4), 126);  // an eighth, even
  EXPECT_EQ(enough_intervals(64, 1e12, 2, 24), 24);
  EXPECT_EQ(enough_intervals(20, 1e12, 2, 24), 20);
  EXPECT_EQ(enough_intervals(1000, 32.0, 4, 4), 500);
}

}  // namespace
}  // namespace gwrm::spare_accuracy_test
