// What a FAIL proposes has been tried: the line that is told passes when it is taken.
#include "problems/time_spectral/proposal_trials.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "problems/run_case.hpp"
#include "problems/time_spectral/time_spectral.hpp"

namespace gwrm::proposal_trials_test {
namespace {

using test::expect_holds;
using test::run_case;

const std::string kHeat =
    "domain: {t: [0, 0.2], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u,2)\"]\n"
    "initial: {u: \"sin(pi*x) + 0.3*sin(3*pi*x)\"}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
    "resolution: {degree: {t: 3, x: 4}, domains: {t: 1}}\nverification: {tolerance: 1e-7}\n";

Case heat() {
  return read_case_text(kHeat, "test.yaml");
}

// Degree n along x, in n windows.
ProposedResolution proposed(int n) {
  const Case the_case = heat();
  const Model model = build_model(the_case);
  ProposedResolution proposal{model.subdomains, {}, 0.0, "line " + std::to_string(n), "may suffice"};
  proposal.subdomains[1].degree = n;
  for (int i = 0; i <= n; ++i) proposal.windows.push_back(0.2 * i / n);
  return proposal;
}

Trial failed(int next) {
  Trial trial;
  trial.judged = true;
  trial.error = 1e-3;
  trial.next.proposal = proposed(next);
  return trial;
}

Trial passed() {
  Trial trial;
  trial.judged = trial.passed = true;
  return trial;
}

// A tolerance that takes too long is told with the least that it takes, and with the smallest that is met meanwhile.
TEST(ProposalTrials, ALooserToleranceIsToldThatIsMet) {
  std::vector<double> tried;
  const auto run = [&](const Case& the_case, const auto&) {
    tried.push_back(the_case.resolution.tolerance);
    EXPECT_EQ(the_case.verification.tolerance, tried.size() == 1 ? 1e-7 : tried.back());
    EXPECT_GT(the_case.resolution.max_seconds, 0.0);
    Trial trial = tried.size() == 1 || tried.back() < 2e-4 ? Trial() : passed();
    trial.reason = "it takes at least another hour";
    return trial;
  };
  ProposedResolution proposal = proposed(6);
  proposal.tolerance = 1e-7;
  EXPECT_EQ(try_proposals(heat(), proposal, run, 0.1, {}),
            "line 6 may suffice; tried for 1 s: it takes at least another hour; 0.001 is met in 1 s (resolution: "
            "{tolerance: 0.001}, verification: {tolerance: 0.001})");
  ASSERT_EQ(tried.size(), 4u);
  EXPECT_NEAR(tried[3], 1e-4, 1e-16);
}

TEST(ProposalTrials, WhatPassesIsTold) {
  std::vector<int> tried;
  const auto run = [&](const Case& the_case, const auto&) {
    tried.push_back(the_case.domain[1].degree);
    EXPECT_EQ(the_case.domain[0].edges.size(), static_cast<std::size_t>(tried.back()) + 1);
    EXPECT_EQ(the_case.resolution.tolerance, 0.0);
    return tried.size() < 3 ? failed(tried.back() + 2) : passed();
  };
  EXPECT_EQ(try_proposals(heat(), proposed(6), run, 0.1, {}), "line 10 suffices");
  EXPECT_EQ(tried, (std::vector<int>{6, 8, 10}));
}

TEST(ProposalTrials, WhereNothingPassesTheLastOneIsToldWithWhatWasTried) {
  int n = 0;
  const std::string text = try_proposals(
      heat(), proposed(6),
      [&](const Case& the_case, const auto&) { return ++n, failed(the_case.domain[1].degree + 2); }, 0.1, {});
  EXPECT_EQ(text, "line " + std::to_string(6 + 2 * n) + " may suffice; line " + std::to_string(4 + 2 * n) +
                      " was tried, the error is 1.0e-03 then");
}

TEST(ProposalTrials, AStoppedTrialSaysNothing) {
  const auto run = [](const Case&, const auto& asked) {
    EXPECT_TRUE(asked());
    Trial trial;
    trial.stopped = true;
    return trial;
  };
  int n_asked = 0;  // only once the trial has begun
  EXPECT_EQ(try_proposals(heat(), proposed(6), run, 0.1, [&] { return n_asked++ > 0; }), "line 6 may suffice");
  EXPECT_EQ(try_proposals(heat(), proposed(6), run, 0.1, [] { return true; }), "line 6 may suffice");
}

// A next proposal that would take far longer than there is time for is told untried.
TEST(ProposalTrials, WhatWouldTakeTooLongIsNotBegun) {
  int n = 0;
  const auto run = [&](const Case&, const auto&) {
    ++n;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return failed(600);
  };
  expect_holds(try_proposals(heat(), proposed(6), run, 0.0, {}), "line 600 may suffice; line 6 was tried");
  EXPECT_EQ(n, 1);
  // Nor the first one, where the failed run took an hour.
  EXPECT_EQ(try_proposals(heat(), proposed(6), run, 3600.0, {}), "line 6 may suffice");
  EXPECT_EQ(n, 1);
}

// Where Newton's iteration fails with the proposed windows the program chooses them.
TEST(ProposalTrials, WithoutAVerdictAToleranceIsTried) {
  const auto run = [](const Case& the_case, const auto&) {
    if (the_case.resolution.automatic()) {
      EXPECT_EQ(the_case.domain[1].degree, -1);
      EXPECT_EQ(the_case.resolution.tolerance, 1e-7);
      EXPECT_GT(the_case.resolution.max_seconds, 0.0);
      return passed();
    }
    return Trial();
  };
  EXPECT_EQ(try_proposals(heat(), proposed(6), run, 0.1, {}), "resolution: {tolerance: 1e-07} suffices");
  const auto creeps = [](const Case&, const auto&) {
    Trial trial;
    trial.reason = "it creeps";
    return trial;
  };
  expect_holds(try_proposals(heat(), proposed(6), creeps, 0.1, {}),
               "chooses degrees and divisions; tried for 1 s: it creeps");
}

// A run that is far too coarse: its series have not begun to fall, and what is told suffices all the same.
TEST(ProposalTrials, OfARunThatIsFarTooCoarse) {
  RunControl control;
  control.tries_proposals = true;
  const RunOutcome outcome = run_case(kHeat, control);
  ASSERT_EQ(outcome.status, ExitStatus::unresolved);
  const std::string advice = outcome.report.verification.estimate.advice;
  const std::size_t end = advice.find("}} suffices");
  ASSERT_NE(end, std::string::npos) << advice;
  expect_holds(outcome.report.reason, advice);
  std::string cured = kHeat;
  const std::size_t begin = cured.find("resolution: ");
  cured.replace(begin, cured.find('\n', begin) - begin, advice.substr(0, end + 2));
  EXPECT_EQ(run_case(cured).status, ExitStatus::converged) << cured;
  EXPECT_EQ(run_case(kHeat).report.verification.estimate.advice.find("suffices"), std::string::npos);  // not asked for
}

TEST(ProposalTrials, OfABranch) {
  RunControl control;
  control.tries_proposals = true;
  const RunOutcome outcome = run_case(
      "domain: {x: [0, 1]}\nconstants: {lam: 1}\nunknowns: [u]\nequations: [\"dx(u,2) + lam*exp(u) = 0\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\ncontinue: {parameter: lam, to: 3, method: natural}\n"
      "resolution: {degree: {x: 5}}\n",
      control);
  ASSERT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(outcome.report.reason, "}} suffices");
}

}  // namespace
}  // namespace gwrm::proposal_trials_test
