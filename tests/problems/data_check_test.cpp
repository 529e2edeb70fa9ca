// Data that hide between the points of a run: found before or after it, never where the points resolve them, and an
// automatic run puts edges where they are.
#include "problems/time_spectral/data_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "expression/printer.hpp"
#include "problems/run_case.hpp"
#include "problems/time_spectral/data_edges.hpp"
#include "problems/unseen_data.hpp"

namespace gwrm::data_check_test {
namespace {

using test::expect_exact;
using test::expect_holds;
using test::replaced;
using test::run_case;

const std::string kSteady = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["-dx(u,2) = SOURCE"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 24}}
)yaml";

Model model_of(const std::string& yaml) {
  return build_model(read_case_text(yaml, "test.yaml"));
}

std::vector<Check> checks_of(const std::string& yaml, std::vector<std::string>* warnings = nullptr) {
  const Case the_case = read_case_text(yaml, "test.yaml");
  std::vector<std::string> undecided;
  std::vector<Check> checks = check_data(the_case, build_model(the_case), undecided);
  if (warnings != nullptr)
    *warnings = undecided;
  else
    EXPECT_TRUE(undecided.empty()) << undecided.front();
  return checks;
}

TEST(DataCheck, FindsTheDataOfACase) {
  const std::string text = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
constants: {a: 2}
equations: ["dt(u) = (1 + x^2)*dx(u,2) + a*u*integral(u*cos(x), x) - exp(t)*u^2 + sin(x) + cos(t)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = sin(a*t)", "u(x=1) = 0"]
exact: {u: "x"}
resolution: {degree: {t: 4, x: 8}}
)yaml";
  std::vector<std::string> found;
  Model model = model_of(text);
  for (const Data& data : data_of(model)) found.push_back(data.where + ": " + expression::print(data.e));
  const std::vector<std::string> expected = {
      "equation 1: 1 + x^2",         "equation 1: cos(x)",
      "equation 1: exp(t)",          "equation 1: sin(x) + cos(t)",
      "u(x=0) = sin(a*t): sin(2*t)", "the initial value of u: x*(1 - x)",
      "the exact solution of u: x",  "equation 1, the reciprocal of a coefficient: -(1/(1 + x^2))"};
  EXPECT_EQ(found, expected);
}

TEST(DataCheck, ASourceBetweenThePointsFailsTheRun) {
  const RunOutcome outcome = run_case(replaced(kSteady, "SOURCE", "1000*step(x - 0.41)*step(0.4101 - x)"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  const Check check = test::find_check(outcome, "data");
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.value, 1.0);
  expect_holds(check.subject, "equation 1");
  expect_holds(check.subject, "reaches");
  expect_holds(check.subject, "at x = 0.410");
  expect_holds(outcome.report.reason, check.subject);
  expect_holds(check.subject, "resolution.domains: {x: [0, 0.41, 0.4101, 1]}");
}

// The cure that the check names: u is then the exact answer, a straight line outside the pulse.
TEST(DataCheck, TheEdgesItNamesCureIt) {
  const std::string yaml = replaced(replaced(kSteady, "SOURCE", "1000*step(x - 0.41)*step(0.4101 - x)"), "{x: 24}}",
                                    "{x: 4}, domains: {x: [0, 0.41, 0.4101, 1]}}");
  const RunOutcome outcome = run_case(yaml);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"x", 0.2}}), 0.1 * (1 - 0.41005) * 0.2, 1e-12);
}

TEST(DataCheck, NoRandomPulseIsMissed) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> anywhere(0.02, 0.98);
  for (const char* w : {"3e5", "3e6"})
    for (int i = 0; i < 60; ++i) {
      const std::string source = fmt::format("exp(-{}*(x - {})^2)", w, anywhere(random));
      EXPECT_EQ(checks_of(replaced(kSteady, "SOURCE", source)).size(), 1u) << source;
    }
}

TEST(DataCheck, CoefficientsConditionsAndInitialValuesToo) {
  const std::string heat = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 16}, domains: {t: 3}}
)yaml";
  EXPECT_TRUE(checks_of(heat).empty());
  const auto only = [&](const std::string& from, const std::string& to) {
    const std::vector<Check> checks = checks_of(replaced(heat, from, to));
    EXPECT_EQ(checks.size(), 1u) << to;
    return checks.empty() ? std::string() : checks.front().subject;
  };
  expect_holds(only("dx(u,2)\"", "(1 + exp(-1e6*(x - 0.43)^2))*dx(u,2)\""), "equation 1: 1 + exp(");
  expect_holds(only("dx(u,2)\"", "dx(u,2) - u*exp(-1e6*(t - 0.77)^2)\""), "at t = 0.77");
  expect_holds(only("x*(1 - x)", "x*(1 - x) + exp(-1e6*(x - 0.43)^2)"), "the initial value of u");
  expect_holds(only("u(x=1) = 0", "u(x=1) = exp(-1e6*(t - 0.43)^2)"), "u(x=1) = exp(");
  expect_holds(only("u(x=1) = 0", "u(x=1) = exp(-1e6*(t - 0.43)^2)"), "domains: {t: [0, 0.3333333333, 0.43");
  expect_holds(only("dx(u,2)\"", "dx(u,2) + exp(-1e5*(t - 0.77)^2 - 1e5*(x - 0.6)^2)\""), "t = 0.7");
}

const std::string kTransport = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["(C)*dx(u) + u = cos(x)"]
boundary: ["u(x=0) = 0"]
resolution: {degree: {x: 24}}
)yaml";

TEST(DataCheck, CoefficientsThatNearlyVanish) {
  for (const char* c : {"1e-18 + (x - 0.4137)^2", "-1e-12 - (x - 0.6)^4"}) {
    const std::vector<Check> checks = checks_of(replaced(kTransport, "C", c));
    ASSERT_EQ(checks.size(), 1u) << c;
    expect_holds(checks.front().subject, "the reciprocal of a coefficient");
  }
}

TEST(DataCheck, SmoothCoefficientsAndThoseWithZerosAreNoFinding) {
  for (const char* c :
       {"x", "x - 0.4137", "1 - x^2", "x*(1 - x)", "exp(-10*x)", "1e-2 + x^2", "1.1 - x", "2 + sin(20*x)",
        "1 - 1.9*x + x^2", "0.1 + x", "cosh(3*x - 1)", "(1 + x)^-3", "x^2", "1e-18*x^2"})
    for (const Check& check : checks_of(replaced(kTransport, "C", c))) ADD_FAILURE() << c << ": " << check.subject;
}

TEST(DataCheck, CoefficientsOfLowerDerivativesAreNot) {
  const std::vector<Check> checks =
      checks_of(replaced(replaced(kSteady, "SOURCE", "1"), "-dx(u,2)", "-dx(u,2) + (1e-6 + (x - 0.4137)^2)*dx(u)"));
  EXPECT_TRUE(checks.empty());
}

TEST(DataCheck, PulsesInAParameter) {
  const std::string decay = R"yaml(
domain: {t: [0, 1], k: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -(1 + RATE)*u"]
initial: {u: "1"}
resolution: {degree: {t: 12, k: 8}}
parameters: {method: collocation}
)yaml";
  for (const char* method : {"collocation", "coupled"}) {
    const std::string yaml = replaced(decay, "collocation", method);
    const std::vector<Check> checks = checks_of(replaced(yaml, "RATE", "3*exp(-3e5*(k - 0.3137)^2)"));
    ASSERT_EQ(checks.size(), 1u) << method;
    expect_holds(checks.front().subject, "k = 0.31");
    EXPECT_TRUE(checks_of(replaced(yaml, "RATE", "k*sin(6*k)")).empty()) << method;
  }
}

TEST(DataCheck, ResolvedDataPass) {
  for (const char* source : {"1", "sin(20*x)", "exp(-100*(x - 0.4)^2)", "1/(1 + 25*(2*x - 1)^2)", "tanh(500*(x - 0.3))",
                             "x^20", "exp(3*x) - exp(3*x)", "step(x - 0.4)", "cos(30*x)*(1 - x)"})
    EXPECT_TRUE(checks_of(replaced(kSteady, "SOURCE", source)).empty()) << source;
}

TEST(DataCheck, WhatCannotBeDecidedIsAWarning) {
  std::vector<std::string> warnings;
  EXPECT_TRUE(checks_of(replaced(kSteady, "SOURCE", "exp(30*x) - exp(15*x)*exp(15*x)"), &warnings).empty());
  ASSERT_EQ(warnings.size(), 1u);
  expect_holds(warnings.front(), "could not be decided");
}

TEST(DataCheck, AllThatCannotBeDecidedIsOneWarning) {
  std::vector<Check> checks;
  std::vector<std::string> warnings;
  const auto undecided = [](const std::string& where) {
    UnseenData data;
    data.where = where;
    data.undecided = true;
    return data;
  };
  report_unseen({undecided("equation 1"), undecided("u(x=0) = sin(t) = 0"), undecided("u(x=0) = t")}, checks, warnings);
  EXPECT_TRUE(checks.empty());
  ASSERT_EQ(warnings.size(), 1u);
  expect_holds(warnings.front(), "equation 1, u(x=0): whether these data have extremes");
  std::vector<UnseenData> many;
  for (int i = 1; i <= 9; ++i) many.push_back(undecided(fmt::format("equation {}", i)));
  report_unseen(many, checks, warnings);
  ASSERT_EQ(warnings.size(), 2u);
  expect_holds(warnings.back(), "equation 6 and 3 more: whether");
}

const std::string kAutomatic = "{tolerance: 1.0e-8}";

TEST(DataEdges, AnAutomaticRunStartsWithEdgesAtKinksInSpace) {
  const std::string yaml =
      replaced(replaced(kSteady, "SOURCE", "step(x - 0.3)*step(0.7 - x)"), "{degree: {x: 24}}", kAutomatic);
  const Case the_case = read_case_text(yaml, "test.yaml");
  EXPECT_EQ(with_edges_at_features(the_case, build_model(the_case)).subdomains[0].edges,
            (std::vector<double>{0.0, 0.3, 0.7, 1.0}));
  // u' = 0.2 at 0, and quadratic between: u(1/2) = 0.2*0.3 + 0.2*0.2 - 0.2^2/2
  const RunOutcome outcome = run_case(yaml);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"x", 0.5}}), 0.08, 1e-12);

  const std::string given = replaced(yaml, kAutomatic, "{tolerance: 1.0e-8, domains: {x: [0, 0.5, 1]}}");
  const Case own = read_case_text(given, "test.yaml");
  EXPECT_EQ(with_edges_at_features(own, build_model(own)).subdomains[0].edges,
            (std::vector<double>{0.0, 0.3, 0.5, 0.7, 1.0}));
}

// int_0^1 of the pulse is sqrt(pi/w): u' falls by it at c, u(x) = sqrt(pi/w) (1 - c) x before.
TEST(DataEdges, AnAutomaticRunFindsAHiddenPulse) {
  const std::string yaml =
      replaced(replaced(kSteady, "SOURCE", "exp(-3e6*(x - 0.437)^2)"), "{degree: {x: 24}}", kAutomatic);
  const Case the_case = read_case_text(yaml, "test.yaml");
  const std::vector<double> edges = with_edges_at_features(the_case, build_model(the_case)).subdomains[0].edges;
  ASSERT_GE(edges.size(), 3u);
  EXPECT_TRUE(std::any_of(edges.begin(), edges.end(), [](double edge) { return std::abs(edge - 0.437) < 3e-4; }));
  const RunOutcome outcome = run_case(yaml);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const double expected = std::sqrt(std::acos(-1.0) / 3e6) * (1.0 - 0.437) * 0.2;
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"x", 0.2}}), expected, 1e-6 * expected);
}

TEST(DataEdges, AnAutomaticRunFindsAHiddenPulseInTime) {
  const std::string yaml = R"yaml(
domain: {t: [0, 10]}
unknowns: [u]
equations: ["dt(u) = 1000*exp(-1e6*(t - 4.321)^2)"]
initial: {u: "1"}
exact: {u: "1 + 500*sqrt(pi/1e6)*(1 + erf(1e3*(t - 4.321)))"}
resolution: {tolerance: 1.0e-8}
)yaml";
  expect_exact(yaml, 1e-6);
}

// An oscillation has more unseen extremes than edges would help: that is what tails see.
TEST(DataEdges, NoneForAnOscillation) {
  const std::string yaml = replaced(replaced(kSteady, "SOURCE", "sin(900*x)"), "{degree: {x: 24}}", kAutomatic);
  const Case the_case = read_case_text(yaml, "test.yaml");
  EXPECT_EQ(with_edges_at_features(the_case, build_model(the_case)).subdomains[0].edges,
            (std::vector<double>{0.0, 1.0}));
}

TEST(DataEdges, AKinkWithinASubdomainIsWarnedOf) {
  const RunOutcome outcome = run_case(replaced(kSteady, "SOURCE", "step(x - 0.3)"));
  const auto& warnings = outcome.report.warnings;
  ASSERT_EQ(warnings.size(), 1u);
  expect_holds(warnings.front(), "x = 0.3, within a subdomain");
  const RunOutcome cured = run_case(
      replaced(replaced(kSteady, "SOURCE", "step(x - 0.3)"), "{x: 24}}", "{x: 4}, domains: {x: [0, 0.3, 1]}}"));
  EXPECT_EQ(cured.status, ExitStatus::converged);
  EXPECT_TRUE(cured.report.warnings.empty());
}

}  // namespace
}  // namespace gwrm::data_check_test
