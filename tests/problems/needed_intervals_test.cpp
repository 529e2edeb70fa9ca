// Finite differences that are not good enough: the intervals that are told suffice.
#include "problems/needed_intervals.hpp"

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "problems/run_case.hpp"

namespace gwrm::needed_intervals_test {
namespace {

using test::replaced;
using test::run_case;

const std::string kPoisson =
    "problem: sbp_sat_poisson\ndomain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\n"
    "sbp_sat: {order: 2, intervals: 40, source: \"2*pi^2*sin(pi*(x + y))\"}\n"
    "boundary: [\"u(x=0) = sin(pi*y)\", \"u(x=1) = -sin(pi*y)\", \"u(y=0) = sin(pi*x)\", \"u(y=1) = -sin(pi*x)\"]\n"
    "verification: {tolerance: 1e-5}\n";
const std::string kRecurrence =
    "problem: recurrence_bvp\ndomain: {x: [0, 1]}\nunknowns: [u]\n"
    "recurrence: {intervals: 30, reaction: 400, source: \"cos(3*x)\"}\n"
    "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nverification: {tolerance: 1e-7}\n";

// The line that the reason of a FAIL tells.
std::string told(const RunOutcome& outcome, const std::string& how) {
  std::smatch parts;
  const std::string& reason = outcome.report.reason;
  EXPECT_TRUE(std::regex_search(reason, parts, std::regex("intervals: (\\{[^}]*\\}|[0-9]+) " + how))) << reason;
  return parts.empty() ? "" : parts[1].str();
}

TEST(NeededIntervals, OfBothModulesSuffice) {
  for (const std::string& text :
       {kPoisson, replaced(kPoisson, "order: 2, intervals: 40", "order: 4, intervals: 12"), kRecurrence}) {
    for (const bool tries : {false, true}) {
      RunControl control;
      control.tries_proposals = tries;
      const RunOutcome failed = run_case(text, control);
      ASSERT_EQ(failed.status, ExitStatus::unresolved) << text << failed.report.reason;
      const std::string needed = told(failed, tries ? "suffices" : "may suffice, as the error falls like h");
      const RunOutcome cured =
          run_case(std::regex_replace(text, std::regex("intervals: [0-9]+"), "intervals: " + needed));
      EXPECT_EQ(cured.status, ExitStatus::converged) << needed << cured.report.reason;
      EXPECT_LE(cured.report.n_unknowns, 400000) << needed;
    }
  }
}

TEST(NeededIntervals, NoneWhereRoundingIsInTheWay) {
  const RunOutcome failed = run_case(replaced(kPoisson, "1e-5", "1e-13"));
  EXPECT_NE(failed.report.reason.find("try a higher order; more intervals are not proposed: "), std::string::npos)
      << failed.report.reason;
  EXPECT_EQ(failed.report.reason.find("intervals:"), std::string::npos) << failed.report.reason;
}

// The law with an error that does not follow it.
class Trials : public ::testing::Test {
 protected:
  static Verification with_error(double error) {
    Verification verification;
    verification.estimate.status = ErrorEstimate::Status::made;
    Check check;
    check.kind = "estimate";
    check.value = error;
    check.tolerance = 1e-6;
    verification.checks.push_back(check);
    return verification;
  }
  // error: of so many times as many intervals.
  NeededIntervals needed(const std::function<double(double)>& error) {
    Case the_case;
    the_case.verification.tolerance = 1e-6;
    IntervalTrials trials;
    trials.line = [](double finer) { return std::to_string(static_cast<int>(std::ceil(finer))); };
    trials.fits = [](double) { return true; };
    trials.run = [&](double finer) {
      tried_.push_back(finer);
      return with_error(error(finer));
    };
    return needed_intervals(the_case, with_error(error(1.0)), trials);
  }
  std::vector<double> tried_;
};

TEST_F(Trials, GoOnWhereTheErrorFallsMoreSlowly) {
  EXPECT_EQ(needed([](double finer) { return 1e-5 / finer; }).text, "14 suffices");  // sqrt(20) sqrt(4.47) sqrt(2.11)
  EXPECT_EQ(tried_.size(), 3u);
}

TEST_F(Trials, EndWhereItDoesNotFall) {
  const NeededIntervals none = needed([](double) { return 1e-5; });
  EXPECT_FALSE(none.is_proposed);
  EXPECT_EQ(none.text, "4.47 times as many were tried, and the error does not fall as expected");
  EXPECT_EQ(tried_.size(), 1u);
}

TEST_F(Trials, AreNotBegunForMoreThanTheMost) {
  const NeededIntervals none = needed([](double) { return 0.1; });
  EXPECT_FALSE(none.is_proposed);
  EXPECT_EQ(none.text, "as the error falls like h^2, more than 100 times the intervals are needed");
  EXPECT_TRUE(tried_.empty());
}

}  // namespace
}  // namespace gwrm::needed_intervals_test
