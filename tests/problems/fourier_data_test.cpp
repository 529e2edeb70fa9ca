// What a case may not say along a periodic axis, and the message that tells the cure; advice to make an axis periodic.
#include "core/errors.hpp"
#include "problems/run_case.hpp"

namespace gwrm::fourier_data_test {
namespace {

using test::replaced;

const std::string kAdvected = R"yaml(
domain:
  t: [0, 1]
  x: {range: [0, 2], basis: fourier}
unknowns: [u]
equations:
  - "dt(u) + dx(u) = 0.1*dx(u,2) + sin(pi*x)"
initial:
  u: "cos(pi*x)"
resolution: {degree: {t: 8, x: 6}}
)yaml";

// The message names file and line and holds all of `texts`.
void expect_refused(const std::string& yaml, const std::vector<std::string>& texts) {
  try {
    make_problem(read_case_text(yaml, "test.yaml"));
    ADD_FAILURE() << "accepted, expected: " << texts.front();
  } catch (const CaseError& error) {
    EXPECT_GT(error.place().line, 0);
    for (const std::string& text : texts) test::expect_holds(error.what(), text);
  }
}

std::vector<std::string> warnings_of(const std::string& yaml) {
  return make_problem(read_case_text(yaml, "test.yaml"))->summary().warnings;
}

TEST(FourierData, PeriodicDataAreTaken) {
  EXPECT_TRUE(warnings_of(kAdvected).empty());
  // Each factor changes its sign around the period, their product does not.
  EXPECT_TRUE(warnings_of(replaced(kAdvected, "+ dx(u)", "+ sin(pi*x/2)*u*sin(pi*x/2) + dx(u)")).empty());
  // An integral over the axis is a number on it; a restriction too.
  EXPECT_TRUE(warnings_of(replaced(kAdvected, "+ dx(u)", "+ u*integral(cos(pi*x)*u, x) + u(x=0.3) + dx(u)")).empty());
}

TEST(FourierData, ConditionsAreLeftOut) {
  expect_refused(
      kAdvected + "boundary: [\"u(x=0) = u(x=2)\"]\n",
      {"the equations take 0 along x, 1 given", "x is periodic by its basis: leave the conditions along x out"});
}

TEST(FourierData, SubdomainsAreRefused) {
  const std::string cure = "leave `x` out of domains and raise its degree";
  expect_refused(replaced(kAdvected, "x: 6}}", "x: 6}, domains: {x: 2}}"), {"test.yaml:10", cure});
  expect_refused(replaced(kAdvected, "x: 6}}", "x: 6}, domains: {x: [0, 0.5, 2]}}"), {"test.yaml:10", cure});
  make_problem(read_case_text(replaced(kAdvected, "x: 6}}", "x: 6}, domains: {x: 1}}"), "test.yaml"));
}

TEST(FourierData, InitialValuesWithTwoEnds) {
  expect_refused(replaced(kAdvected, "\"cos(pi*x)\"", "\"x*(1 + x)\""),
                 {"test.yaml:9", "the initial value of u is not periodic along x", "is 0 at x = 0 and 6 at x = 2",
                  "leave the basis out and give conditions at both ends of x"});
  // A difference of 2e-10 is one, 2e-11 is rounding for all the program knows.
  expect_refused(replaced(kAdvected, "\"cos(pi*x)\"", "\"cos(pi*x) + 1e-10*x\""), {"the initial value of u"});
  EXPECT_TRUE(warnings_of(replaced(kAdvected, "\"cos(pi*x)\"", "\"cos(pi*x) + 1e-11*x\"")).empty());
}

TEST(FourierData, SourcesAndCoefficientsAreNamed) {
  expect_refused(replaced(kAdvected, "+ sin(pi*x)", "+ sin(pi*x/4)"),
                 {"test.yaml:7", "equation 1 is not periodic along x", "is 0 at x = 0 and 1 at x = 2"});
  expect_refused(replaced(kAdvected, "+ dx(u)", "+ (1 + x)*u*dx(u)"),
                 {"test.yaml:7", "1 + x is 1 at x = 0 and 3 at x = 2"});
  // Of a derivative of a product that the user did not expand.
  expect_refused(replaced(kAdvected, "+ dx(u)", "+ dx(x^2*u)"), {"equation 1 is not periodic along x"});
  // Only for some times.
  expect_refused(replaced(kAdvected, "+ sin(pi*x)", "+ step(t - 0.9)*x"), {"equation 1 is not periodic along x"});
  // Equal weights integrate periodic functions alone.
  expect_refused(replaced(kAdvected, "+ dx(u)", "+ u*integral(x*u, x) + dx(u)"),
                 {"equation 1 is not periodic along x"});
}

TEST(FourierData, ExactSolutionsAndConditionsOfOtherAxes) {
  expect_refused(kAdvected + "exact: {u: \"exp(-t)*x\"}\n",
                 {"test.yaml:11", "the exact solution of u is not periodic along x"});
  const std::string plane = R"yaml(
domain: {x: {range: [0, 1], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = 0"]
boundary: ["u(y=0) = x", "u(y=1) = 0"]
resolution: {degree: {x: 4, y: 8}}
)yaml";
  expect_refused(plane, {"test.yaml:5", "this condition is not periodic along x", "0 at x = 0 and 1 at x = 1"});
}

// Continuous, with a corner: the series converge like 1/k^2, which is told, and the verdict stands on the estimate.
TEST(FourierData, CornersAreToldAndNotPassed) {
  const std::string corner = replaced(kAdvected, "\"cos(pi*x)\"", "\"x*(2 - x)\"");
  const std::vector<std::string> warnings = warnings_of(corner);
  ASSERT_EQ(warnings.size(), 1u);
  test::expect_holds(warnings[0], "the slope of x*(2 - x) jumps where x = 0 and x = 2 meet");
  EXPECT_EQ(test::run_case(corner).status, ExitStatus::unresolved);
}

TEST(FourierData, JumpsInsideAreToldAndNotPassed) {
  const std::string jump = replaced(kAdvected, "\"cos(pi*x)\"", "\"step(0.5 - abs(x - 1))\"");
  const std::vector<std::string> warnings = warnings_of(jump);
  ASSERT_FALSE(warnings.empty());
  test::expect_holds(warnings[0], "the data have a kink or a jump at x = 0.5 and 2 more points");
  test::expect_holds(warnings[0], "cannot be divided");
  EXPECT_EQ(test::run_case(jump).status, ExitStatus::unresolved);
  // Too narrow for the points: no coefficient knows of it.
  EXPECT_NE(test::run_case(replaced(kAdvected, "+ sin(pi*x)", "+ step(0.001 - abs(x - 1.0771))")).status,
            ExitStatus::converged);
}

// --- advice ---

const std::string kPeriodic = R"yaml(
domain: {t: [0, 1], x: [0, 2*pi]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*dx(u,2)"]
initial: {u: "1 + sin(x)"}
boundary: ["u(x=0) = u(x=2*pi)", "dx(u)(x=0) - dx(u)(x=2*pi) = 0"]
resolution: {degree: {t: 8, x: 31}}
)yaml";

std::string advice_for(const std::string& yaml) {
  for (const auto& [name, text] : make_problem(read_case_text(yaml, "test.yaml"))->summary().lines)
    if (name.starts_with("periodic ")) return text;
  return "";
}

TEST(FourierAdvice, TheTextWorksWhenItIsPasted) {
  const std::string advice = advice_for(kPeriodic), line = "x: {range: [0, 6.283185307179586], basis: fourier}";
  test::expect_holds(advice, line);
  test::expect_holds(advice, "leave out of `boundary`: \"u(x=0) = u(x=2*pi)\", \"dx(u)(x=0) - dx(u)(x=2*pi) = 0\"");
  test::expect_holds(advice, "degree x: 11");  // 23 coefficients for 32
  std::string followed = replaced(kPeriodic, "x: [0, 2*pi]", line);
  followed = replaced(followed, "boundary: [\"u(x=0) = u(x=2*pi)\", \"dx(u)(x=0) - dx(u)(x=2*pi) = 0\"]\n", "");
  make_problem(read_case_text(replaced(followed, "x: 31", "x: 11"), "test.yaml"));
  EXPECT_EQ(advice_for(followed), "");
}

TEST(FourierAdvice, OnlyWhereEverythingIsPeriodic) {
  EXPECT_EQ(advice_for(replaced(kPeriodic, "\"dx(u)(x=0) - dx(u)(x=2*pi) = 0\"", "\"dx(u)(x=0) = 0\"")), "");
  EXPECT_EQ(advice_for(replaced(kPeriodic, "\"u(x=0) = u(x=2*pi)\"", "\"u(x=0) = 2*u(x=2*pi)\"")), "");
  EXPECT_EQ(advice_for(replaced(kPeriodic, "\"u(x=0) = u(x=2*pi)\"", "\"u(x=0) = u(x=pi)\"")), "");
  EXPECT_EQ(advice_for(replaced(kPeriodic, "1 + sin(x)", "x*(2*pi - x)^2*(1 + x)")), advice_for(kPeriodic));
  EXPECT_EQ(advice_for(replaced(kPeriodic, "= 0.1*dx(u,2)", "= 0.1*dx(u,2) + sin(x/4)")), "");
}

}  // namespace
}  // namespace gwrm::fourier_data_test
