// The points of `--at`: what they mean, and what is refused.
#include "cli/eval_points.hpp"

#include <gtest/gtest.h>

#include "api/stored_range.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/registry.hpp"

namespace gwrm::cli::eval_points_test {
namespace {

Case the_case() {
  return read_case_text(R"yaml(
domain: {t: [0, 2], x: [-1, 3], nu: {range: [0.01, 1], map: log}}
constants: {half: 0.5, n: 3}
unknowns: [u]
equations: ["dt(u) = nu"]
initial: {u: "0"}
resolution: {degree: {t: 2, x: 2, nu: 1}}
)yaml",
                        "test.yaml");
}

// Two windows of four are finished: t ends at 1.
Solution solution(const Case& given) {
  Solution s;
  for (const AxisCase& axis : given.domain) s.axes.push_back(axis.axis);
  s.window_edges = {0.0, 0.5, 1.0};
  return s;
}

EvalPoints parsed(const std::string& text) {
  const Case given = the_case();
  return parse_eval_points(text, given, solution(given));
}

std::string error_of(const std::string& text) {
  try {
    (void)parsed(text);
  } catch (const CaseError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no CaseError for " << text;
  return {};
}

TEST(EvalPoints, EachDimensionByName) {
  const EvalPoints result = parsed("x=0.5, t=0.25");
  EXPECT_EQ(result.given, (std::vector<std::size_t>{2, 0}));  // in the order written; axes are t, nu, x
  ASSERT_EQ(result.points.size(), 3u);
  EXPECT_EQ(result.points[0], std::vector<double>{0.25});
  EXPECT_EQ(result.points[2], std::vector<double>{0.5});
}

TEST(EvalPoints, NotGivenIsTheLowerEnd) {
  for (const char* text : {"", "t=1"}) {
    const EvalPoints result = parsed(text);
    EXPECT_EQ(result.points[1], std::vector<double>{0.01});
    EXPECT_EQ(result.points[2], std::vector<double>{-1.0});
  }
  EXPECT_TRUE(parsed("").given.empty());
}

TEST(EvalPoints, RangesAreEquidistantWithBothEnds) {
  EXPECT_EQ(parsed("x=-1:3:5").points[2], (std::vector<double>{-1, 0, 1, 2, 3}));
  EXPECT_EQ(parsed("x=3:-1:3").points[2], (std::vector<double>{3, 1, -1}));  // downwards, too
  EXPECT_EQ(parsed("x=2:3:1").points[2], std::vector<double>{2.0});
  EXPECT_EQ(parsed("nu=0.01:1:8").points[1].back(), 1.0);  // the very end, not the end but for round-off
}

TEST(EvalPoints, ValuesAreExpressions) {
  EXPECT_EQ(parsed("x=half*2").points[2], std::vector<double>{1.0});
  EXPECT_NEAR(parsed("x=pi/2").points[2].front(), 1.5707963267948966, 1e-15);
  EXPECT_EQ(parsed("x=0:1:n").points[2], (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(parsed("x=max(0, 1),t=0").points[2],
            std::vector<double>{1.0});  // a comma in parentheses separates no dimensions
}

// Round-off at an end is forgiven and removed; anything more lies outside.
TEST(EvalPoints, Interval) {
  EXPECT_EQ(parsed("x=3.000000000000001").points[2], std::vector<double>{3.0});
  EXPECT_NE(error_of("x=3.001").find("outside [-1, 3]"), std::string::npos);
  EXPECT_NE(error_of("x=0:4:5").find("outside"), std::string::npos);
  EXPECT_NE(error_of("t=1.5").find("outside [0, 1]"), std::string::npos);  // unfinished: not computed
}

TEST(EvalPoints, MistakesAreNamed) {
  EXPECT_NE(error_of("y=1").find("it has t, nu, x"), std::string::npos);
  EXPECT_NE(error_of("x=0,x=1").find("x is given twice"), std::string::npos);
  EXPECT_NE(error_of("x").find("expected NAME=VALUE"), std::string::npos);
  EXPECT_NE(error_of("x=0:1").find("NAME=FIRST:LAST:COUNT"), std::string::npos);
  EXPECT_NE(error_of("x=0:1:2:3").find("NAME=FIRST:LAST:COUNT"), std::string::npos);
  for (const char* count : {"x=0:1:0", "x=0:1:-3", "x=0:1:2.5", "x=0:1:1e300"})
    EXPECT_NE(error_of(count).find("whole COUNT"), std::string::npos) << count;
  for (const char* bad :
       {"x=", "x=1,", ",", "=1", "x=y", "x=1/0", "x=(1", "x=1)", "x=0::3", "t=0;x=1", "x=log(-1)", "x==1"})
    error_of(bad);
}

TEST(EvalPoints, AreLimitedInNumber) {
  EXPECT_NE(error_of("x=0:1:5000,t=0:1:5000").find("ten million"), std::string::npos);
}

// The last window of a run with output: {coefficients: none}; no number is made up for the times before.
Solution last_window(const Case& given) {
  Solution s = solution(given);
  s.window_edges = {1.5, 2.0};
  return s;
}

std::string error_in_last_window(const std::string& at_text) {
  const Case given = the_case();
  try {
    (void)parse_eval_points(at_text, given, last_window(given));
  } catch (const CaseError& error) {
    return error.what();
  }
  return {};
}

TEST(EvalPoints, TimesBeforeTheWindowsOfTheFile) {
  for (const char* text : {"t=0", "t=1.49", "t=0:2:5", "x=0,t=1"}) {
    EXPECT_NE(error_in_last_window(text).find("outside [1.5, 2]"), std::string::npos) << text;
    EXPECT_NE(error_in_last_window(text).find("coefficients: all"), std::string::npos) << text;
  }
  for (const char* text : {"t=1.5", "t=1.75", "t=1.5:2:3", "x=0"}) EXPECT_EQ(error_in_last_window(text), "") << text;
  // That is no cure behind the end of the time.
  EXPECT_NE(error_in_last_window("t=2.1").find("outside [1.5, 2]"), std::string::npos);
  EXPECT_EQ(error_in_last_window("t=2.1").find("coefficients"), std::string::npos);
  EXPECT_EQ(error_of("t=1.5").find("coefficients"), std::string::npos);
}

std::string error_of_expression(const std::string& text, const std::vector<double>& window_edges) {
  const Case given = the_case();
  Solution s = solution(given);
  s.window_edges = window_edges;
  expression::Pool pool(given.symbols());
  const SourceText source = SourceText::from_argument(text, "--expr");
  try {
    check_times(source, pool, expression::lower(pool, expression::parse(pool, source)), s);
  } catch (const CaseError& error) {
    return error.what();
  }
  return {};
}

TEST(EvalTimes, ExpressionsThatLookAtOtherTimes) {
  const std::vector<double> whole{0.0, 1.0, 2.0}, first{0.0, 0.5, 1.0}, last{1.5, 2.0};
  for (const char* text : {"u", "dt(u)*t", "integral(u, x)", "u(x=0)"})
    for (const auto& edges : {whole, first, last}) EXPECT_EQ(error_of_expression(text, edges), "") << text;
  for (const char* text :
       {"integral(u, t)", "integral(u*integral(u^2, t), x)", "u - u(t=0) + u(t=2)", "integral(t, t)"}) {
    EXPECT_EQ(error_of_expression(text, whole), "") << text;
    EXPECT_NE(error_of_expression(text, first).find("outside [0, 1]"), std::string::npos) << text;
    EXPECT_NE(error_of_expression(text, last).find("coefficients: all"), std::string::npos) << text;
  }
  EXPECT_EQ(error_of_expression("u(t=1.75)", last), "");
  EXPECT_EQ(error_of_expression("dx(u)(t=0.5)", first), "");
}

}  // namespace
}  // namespace gwrm::cli::eval_points_test
