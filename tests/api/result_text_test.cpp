// A finished run as text and as JSON.
#include "api/result_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace gwrm::result_text_test {
namespace {

RunOutcome sample() {
  RunOutcome outcome;
  outcome.status = ExitStatus::converged;
  outcome.complete = true;
  outcome.report.title = "Sample";
  outcome.report.n_unknowns = 120;
  outcome.report.n_newton_iterations = 4;
  outcome.report.n_factorisations = 3;
  outcome.report.linear_solver = "dense LU";
  outcome.report.device = "cpu (1 thread)";
  outcome.report.warnings = {"look \"here\""};
  outcome.report.verification.checks = {{"residual", "equation 1: dt(u) = dx(u,2)", 1.5e-9, 1e-4, true},
                                        {"tail", "u along x", 3e-12, 1e-6, true},
                                        {"boundary", "ψ(x=0) = 0", 0.0, 1e-6, true},
                                        {"error_max", "u", 2e-7, 1e-6, true}};
  return outcome;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Column of the tolerance's text, in characters.
std::size_t column_of(const std::string& line, const std::string& fragment) {
  const std::size_t end = line.find(fragment);
  EXPECT_NE(end, std::string::npos) << fragment << " in: " << line;
  std::size_t column = 0;
  for (std::size_t i = 0; i < std::min(end, line.size()); ++i) column += (line[i] & 0xC0) != 0x80;
  return column;
}

TEST(ResultText, OnlyAnEstimatedAnswerIsCalledVerified) {
  RunOutcome outcome = sample();
  ErrorEstimate& estimate = outcome.report.verification.estimate;
  const auto has = [&](const char* fragment) { return result_text(outcome).find(fragment) != std::string::npos; };
  EXPECT_FALSE(has("verified"));
  EXPECT_TRUE(has("the error was not estimated: verification.estimate is off\n  PASS\n")) << result_text(outcome);
  estimate.status = ErrorEstimate::Status::missing;
  estimate.reason = "no memory";
  EXPECT_FALSE(has("verified"));
  EXPECT_TRUE(has("the error was not estimated: no memory\n  NOT ESTIMATED\n")) << result_text(outcome);
  estimate.status = ErrorEstimate::Status::made;
  EXPECT_TRUE(has("\n  verified "));
  EXPECT_FALSE(has("not estimated"));
}

TEST(ResultText, RanksSayWhatTheyHaveSentOneAnother) {
  RunOutcome outcome = sample();
  EXPECT_EQ(result_text(outcome).find("ranks"), std::string::npos);
  EXPECT_FALSE(nlohmann::json::parse(result_json(outcome, "")).contains("ranks"));
  outcome.report.n_ranks = 4;
  outcome.report.bytes_exchanged = 12.3e6;
  outcome.report.bytes_by_formula = 12e6;
  outcome.report.bytes_gathered = 410e3;
  EXPECT_NE(result_text(outcome).find(
                "4 ranks sent one another 12 MB in exchanges (12 MB by the formula), 410 kB of sums and solutions\n"),
            std::string::npos)
      << result_text(outcome);
  const nlohmann::json ranks = nlohmann::json::parse(result_json(outcome, "")).at("ranks");
  EXPECT_EQ(ranks.at("n_ranks"), 4);
  EXPECT_EQ(ranks.at("bytes_exchanged"), 12.3e6);
  EXPECT_EQ(ranks.at("bytes_by_formula"), 12e6);
  EXPECT_EQ(ranks.at("bytes_gathered"), 410e3);
}

TEST(ResultText, TableIsAligned) {
  const std::vector<std::string> lines = lines_of(result_text(sample()));
  ASSERT_EQ(lines.size(), 11u);  // title, figures, solver, empty, head, four checks, no estimate, verdict
  EXPECT_EQ(lines[0], "Sample");
  EXPECT_NE(lines[1].find("120 unknowns, 4 Newton iterations, 3 factorisations"), std::string::npos);
  EXPECT_EQ(lines[2], "  dense LU");
  const std::size_t first = column_of(lines[5], " 1.5e-09");
  EXPECT_EQ(column_of(lines[6], " 3.0e-12"), first);
  EXPECT_EQ(column_of(lines[7], " 0.0e+00"), first);  // two bytes of the Greek letter count once
  EXPECT_EQ(column_of(lines[8], " 2.0e-07"), first);
  EXPECT_EQ(column_of(lines[4], "relative") + 8, first + 8);  // heads end where the numbers end
  EXPECT_EQ(column_of(lines[4], "allowed") + 7, column_of(lines[6], "1.0e-06") + 7);
  for (std::size_t i = 5; i < 9; ++i) EXPECT_EQ(lines[i].substr(lines[i].size() - 2), "ok");
}

TEST(ResultText, CountsIterationsOfGmresWhereThereAreSome) {
  RunOutcome outcome = sample();
  EXPECT_EQ(result_text(outcome).find("GMRES"), std::string::npos);
  outcome.report.n_linear_iterations = 17;
  EXPECT_NE(result_text(outcome).find("4 Newton iterations, 17 of GMRES, 3 factorisations"), std::string::npos);
}

TEST(ResultText, Verdict) {
  RunOutcome outcome = sample();
  EXPECT_EQ(lines_of(result_text(outcome)).back(), "  PASS");
  outcome.report.verification.checks[1].value = 2e-6;
  EXPECT_EQ(lines_of(result_text(outcome)).back(), "  FAIL");
  EXPECT_EQ(lines_of(result_text(outcome))[6].substr(lines_of(result_text(outcome))[6].size() - 4), "FAIL");
  outcome.report.verification.checks[1].judged = false;  // reported only
  EXPECT_EQ(lines_of(result_text(outcome)).back(), "  PASS");
  outcome.report.verification.checks[1] = {"error_max", "u", std::numeric_limits<double>::quiet_NaN(), 1e-6, true};
  EXPECT_EQ(lines_of(result_text(outcome)).back(), "  FAIL");
}

TEST(ResultText, AdviceIsALineOfItsOwn) {
  RunOutcome outcome = sample();
  ErrorEstimate& estimate = outcome.report.verification.estimate;
  estimate.status = ErrorEstimate::Status::made;
  EXPECT_EQ(result_text(outcome).find("better than asked for"), std::string::npos);
  EXPECT_FALSE(nlohmann::json::parse(result_json(outcome, "a.h5"))["verification"]["estimate"].contains("advice"));
  estimate.advice = "resolution.degree: {t: 4} may suffice";
  const std::vector<std::string> lines = lines_of(result_text(outcome));
  EXPECT_EQ(lines[lines.size() - 2], "  better than asked for: resolution.degree: {t: 4} may suffice");
  EXPECT_EQ(nlohmann::json::parse(result_json(outcome, "a.h5"))["verification"]["estimate"]["advice"], estimate.advice);
}

TEST(ResultText, TheBudgetOfTheErrorIsALineOfItsOwn) {
  RunOutcome outcome = sample();
  ErrorEstimate& estimate = outcome.report.verification.estimate;
  estimate.status = ErrorEstimate::Status::made;
  EXPECT_FALSE(nlohmann::json::parse(result_json(outcome, "a.h5"))["verification"]["estimate"].contains("budget"));
  estimate.budget = {1e-9, 2e-9, 3e-9, 4.25};
  std::vector<std::string> lines = lines_of(result_text(outcome));
  const std::string start = outcome.solution.windowed_axis() >= 0 ? "  from time 1.0e-09" : "  from parameters 1.0e-09";
  EXPECT_EQ(lines[lines.size() - 2],
            start + ", space 2.0e-09, conditions 3.0e-09; perturbations of the initial values grow by 4.2");
  const auto budget = nlohmann::json::parse(result_json(outcome, "a.h5"))["verification"]["estimate"]["budget"];
  EXPECT_EQ(budget["conditions"], 3e-9);
  EXPECT_EQ(budget["growth"], 4.25);
  estimate.budget->growth = std::numeric_limits<double>::quiet_NaN();
  lines = lines_of(result_text(outcome));
  EXPECT_EQ(lines[lines.size() - 2], start + ", space 2.0e-09, conditions 3.0e-09");
}

// A run without a verification gives no verdict.
TEST(ResultText, WithoutVerification) {
  RunOutcome outcome = sample();
  outcome.complete = false;
  outcome.report.verification.checks.clear();
  const std::string text = result_text(outcome);
  EXPECT_EQ(text.find("PASS"), std::string::npos);
  EXPECT_EQ(text.find("FAIL"), std::string::npos);
}

TEST(ResultText, LongSubjectsAreShortened) {
  RunOutcome outcome = sample();
  std::string longest;
  for (int i = 0; i < 100; ++i) longest += "é";  // cut between characters, not inside one
  outcome.report.verification.checks[0].subject = longest;
  const std::vector<std::string> lines = lines_of(result_text(outcome));
  EXPECT_NE(lines[5].find("é...  "), std::string::npos);
  EXPECT_EQ(column_of(lines[5], " 1.5e-09"), column_of(lines[6], " 3.0e-12"));
  EXPECT_EQ(lines[5].find(longest), std::string::npos);
}

TEST(ResultJson, HoldsTheRun) {
  const auto object = nlohmann::json::parse(result_json(sample(), "out \"1\".h5"));
  EXPECT_EQ(object["exit_status"], 0);
  EXPECT_EQ(object["status"], "converged");
  EXPECT_EQ(object["file"], "out \"1\".h5");
  EXPECT_EQ(object["n_unknowns"], 120);
  EXPECT_EQ(object["n_newton_iterations"], 4);
  EXPECT_EQ(object["n_factorisations"], 3);
  EXPECT_EQ(object["warnings"][0], "look \"here\"");
  EXPECT_EQ(object["verification"]["result"], "PASS");
  const auto& checks = object["verification"]["checks"];
  ASSERT_EQ(checks.size(), 4u);
  EXPECT_EQ(checks[0]["kind"], "residual");
  EXPECT_EQ(checks[0]["value"], 1.5e-9);
  EXPECT_EQ(checks[0]["tolerance"], 1e-4);
  EXPECT_EQ(checks[0]["passed"], true);
  EXPECT_EQ(checks[2]["subject"], "ψ(x=0) = 0");
}

// With the digits that the error leaves.
TEST(ResultText, GoalsHaveTheirErrors) {
  RunOutcome outcome = sample();
  outcome.report.verification.goals = {{"drag", "integral(u, x)", 2.0 / 3.0, 3e-5, 1.0}, {"late", "u(t=1)", 0.5}};
  const std::string text = result_text(outcome);
  EXPECT_NE(text.find("  drag = 0.666667, error 3.0e-05: integral(u, x)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  late = 0.5: u(t=1)\n"), std::string::npos) << text;
  const auto goals = nlohmann::json::parse(result_json(outcome, "out.h5"))["verification"]["goals"];
  EXPECT_EQ(goals["drag"]["value"], 2.0 / 3.0);
  EXPECT_EQ(goals["drag"]["error"], 3e-5);
  EXPECT_EQ(goals["drag"]["expression"], "integral(u, x)");
  EXPECT_TRUE(goals["late"]["error"].is_null());
}

// An estimate is multiplied by 1.5 before it is compared: the row shows the product.
TEST(ResultText, TheNumberOfAnEstimateIsTheJudgedOne) {
  RunOutcome outcome = sample();
  auto& checks = outcome.report.verification.checks;
  checks.insert(checks.begin(), {"estimate", "u", 8.9e-7, 1e-6, true, kEstimateMargin});
  const std::string line = lines_of(result_text(outcome)).at(5);
  EXPECT_EQ(line.find("  1.5 x estimated error  u "), 0u) << line;
  EXPECT_NE(line.find("   1.3e-06   1.0e-06  FAIL"), std::string::npos) << line;
  const auto object = nlohmann::json::parse(result_json(outcome, "out.h5"));
  const auto& check = object["verification"]["checks"][0];
  EXPECT_EQ(check["value"], 8.9e-7);
  EXPECT_DOUBLE_EQ(check["judged_value"], 1.335e-6);
  EXPECT_EQ(check["passed"], false);
}

TEST(ResultJson, NotANumberIsNull) {
  RunOutcome outcome = sample();
  outcome.status = ExitStatus::unresolved;
  outcome.report.verification.checks[0].value = std::numeric_limits<double>::quiet_NaN();
  outcome.report.verification.checks[1].value = std::numeric_limits<double>::infinity();
  const auto object = nlohmann::json::parse(result_json(outcome, ""));
  const auto& checks = object["verification"]["checks"];
  EXPECT_TRUE(checks[0]["value"].is_null());
  EXPECT_TRUE(checks[1]["value"].is_null());
  EXPECT_TRUE(checks[1]["judged_value"].is_null());
  EXPECT_EQ(checks[0]["passed"], false);
  EXPECT_EQ(checks[1]["passed"], false);
  EXPECT_EQ(object["verification"]["result"], "FAIL");
  EXPECT_EQ(object["exit_status"], 6);
}

TEST(ResultJson, UnfinishedRunsHaveNoVerdict) {
  RunOutcome outcome;
  outcome.status = ExitStatus::singular;
  outcome.report.status = "singular";
  outcome.report.reason = "not UTF-8: \xff\xfe";  // a title or reason from a file in another encoding
  const auto object = nlohmann::json::parse(result_json(outcome, ""));
  EXPECT_EQ(object["exit_status"], 4);
  EXPECT_EQ(object["verification"]["result"], "none");
  EXPECT_EQ(object["file"], "");
}

}  // namespace
}  // namespace gwrm::result_text_test
