// Linear problems on one interval of high degree: when the banded solver is taken, when it refuses, and what it costs.
#include "problems/run_case.hpp"

namespace gwrm::banded_test {
namespace {

using test::expect_exact;
using test::expect_holds;
using test::replaced;
using test::run_case;

const std::string kHeat = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = (1 + x)*dx(u,2) - x*exp(t + x)"]
initial: {u: "exp(x)"}
boundary: ["u(x=0) = exp(t)", "u(x=1) = exp(t + 1)"]
exact: {u: "exp(t + x)"}
resolution: {degree: {t: 6, x: 300}, domains: {t: 3}}
)yaml";

TEST(Banded, IsChosenAndFactorsOnceForEqualWindows) {
  const RunOutcome outcome = expect_exact(kHeat, 1e-7);
  expect_holds(outcome.report.linear_solver, "banded LU");
  expect_holds(outcome.report.linear_solver, "coefficients of degree 1");
  EXPECT_EQ(outcome.report.n_factorisations, 1);
  EXPECT_LE(outcome.report.n_linear_iterations, 2 * outcome.report.n_newton_iterations);
}

TEST(Banded, FactorsEveryWindowWhereCoefficientsDependOnTime) {
  const RunOutcome outcome =
      expect_exact(replaced(kHeat, "(1 + x)*dx(u,2) - x*exp(t + x)", "(1 + t*x)*dx(u,2) - t*x*exp(t + x)"), 1e-7);
  expect_holds(outcome.report.linear_solver, "banded LU");
  EXPECT_EQ(outcome.report.n_factorisations, 3);
}

TEST(Banded, IsNotChosenForOtherProblems) {
  const auto solver = [](const std::string& yaml) {
    return make_problem(read_case_text(yaml, "test.yaml"))->summary().linear_solver;
  };
  expect_holds(solver(kHeat), "banded LU");
  for (const std::string& other : {replaced(kHeat, "(1 + x)", "(1 + u)"), replaced(kHeat, "(1 + x)", "(1 + x^30)"),
                                   replaced(kHeat, "x: 300", "x: 200"), replaced(kHeat, "{t: 3}", "{t: 3, x: 2}")})
    expect_holds(solver(other), "condensed");
  // A band as wide as the matrix: coefficients of degree 20 with 12 nodes.
  expect_holds(solver(replaced(replaced(kHeat, "t: 6", "t: 12"), "(1 + x)", "(1 + x^20)")), "condensed");
}

TEST(Banded, RefusesByName) {
  const std::string asked = kHeat + "solver: {linear: banded}\n";
  const auto refusal = [](const std::string& yaml) -> std::string {
    try {
      make_problem(read_case_text(yaml, "test.yaml"));
    } catch (const CaseError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(asked), "accepted");
  expect_holds(refusal(replaced(asked, "(1 + x)", "(1 + u)")), "not linear");
  expect_holds(refusal(replaced(asked, "(1 + x)", "(1 + x^30)")), "degree 24");
  expect_holds(refusal(replaced(asked, "x: 300", "x: 200")), "above 256");
  expect_holds(refusal(replaced(asked, "{t: 3}", "{t: 3, x: 2}")), "subdomains");
  expect_holds(refusal(asked + "time: {weighting: chebyshev}\n"), "chebyshev");
}

// At the middle of the parameter's range cos(a x) is of degree 24 to round-off, at its end it is not.
TEST(Banded, GivesWayWhereACoefficientIsNotOfLowDegreeAfterAll) {
  const RunOutcome outcome = expect_exact(R"yaml(
domain: {a: [0, 10], x: [-1, 1]}
unknowns: [u]
equations: ["dx(u,2) = cos(a*x)*(u - exp(x)) + exp(x)"]
boundary: ["u(x=-1) = exp(-1)", "u(x=1) = exp(1)"]
exact: {u: "exp(x)"}
resolution: {degree: {a: 2, x: 300}}
)yaml",
                                          1e-11);
  ASSERT_FALSE(outcome.report.warnings.empty());
  expect_holds(outcome.report.warnings.back(), "the linear solver was exchanged");
  expect_holds(outcome.report.warnings.back(), "condensed");
}

// Singular problems still end with the names of what depends on what.
TEST(Banded, SingularProblemsAreNamed) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) = 1 + x"]
boundary: ["u(x=0) = 0", "2*u(x=0) = 5"]
resolution: {degree: {x: 300}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  expect_holds(outcome.report.reason, "2*u(x=0) = 5");
}

// In the first equation w has a derivative although the equation takes none of the conditions: it is written in C^(1)
// all the same.
TEST(Banded, DerivativesAboveTheShareOfTheConditions) {
  const std::string system = R"yaml(
domain: {x: [0, 1]}
unknowns: [u, w]
equations: ["u + dx(w) = 4*x^2", "dx(w,2) = 6*x + 0*u"]
boundary: ["w(x=0) = 0", "w(x=1) = 1"]
exact: {u: "x^2", w: "x^3"}
resolution: {degree: {x: 300}}
)yaml";
  expect_holds(expect_exact(system, 1e-11).report.linear_solver, "banded LU");
  for (const char* solver : {"dense", "averaged"}) expect_exact(system + "solver: {linear: " + solver + "}\n", 1e-11);
}

}  // namespace
}  // namespace gwrm::banded_test
