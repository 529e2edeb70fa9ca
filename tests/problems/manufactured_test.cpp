// Manufactured solutions: whatever the equation, `exact` solves the case that is made from it.
#include "problems/convergence/manufactured.hpp"

#include "run_case.hpp"

namespace gwrm::manufactured_test {
namespace {

// Largest error of the manufactured case, or its norm of another kind.
double error_of(const std::string& yaml, const std::string& kind = "error_max") {
  const Case the_case = manufactured(problem_modules(), read_case_text(yaml, "test.yaml"));
  const RunOutcome outcome = make_problem(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  // The resolved text is that of the manufactured case.
  EXPECT_EQ(read_case_text(the_case.resolved_text, "resolved.yaml").resolved_text, the_case.resolved_text);
  return kind == "error_max" ? test::worst_error(outcome) : test::find_check(outcome, kind).value;
}

const std::string kBurgers = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "dx(u)(x=1) + u(x=1)^2 = 0"]
exact: {u: "exp(-t)*sin(2*x) + x^2"}
resolution: {degree: {t: 10, x: 14}}
)yaml";

TEST(Manufactured, NonlinearEquationAndCondition) {
  EXPECT_LT(error_of(kBurgers), 1e-11);
}

// Where `exact` solves the case as it is, the terms of the source cancel: their rounding is no feature of the data.
TEST(Manufactured, NothingIsMadeOfASolutionOfTheCase) {
  const Case the_case = manufactured(problem_modules(), read_case_text(R"yaml(
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*nu*pi*sin(pi*x)/(2 + cos(pi*x))"}
exact: {u: "2*nu*pi*exp(-nu*pi^2*t)*sin(pi*x)/(2 + exp(-nu*pi^2*t)*cos(pi*x))"}
resolution: {degree: {t: 8, x: 16}, domains: {t: 4}}
)yaml",
                                                                       "test.yaml"));
  const RunOutcome outcome = make_problem(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(test::worst_error(outcome), 1e-8);
}

// With another equation under the same data the solution is another one: the test can fail.
TEST(Manufactured, TheUnchangedCaseHasAnotherSolution) {
  EXPECT_GT(test::worst_error(test::run_case(kBurgers)), 0.1);
}

// Incompressible flow with heat in a box: exact velocities may have a divergence, which becomes a source of the
// constraint; p has a mean that nothing fixes, and its errors are those without it; an outflow fixes it.
TEST(Manufactured, FlowInABox) {
  const std::string closed = R"yaml(
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
unknowns: [u, v, p, T]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.05*lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.05*lap(v) + T"
  - "dx(u) + dy(v) = 0"
  - "dt(T) + u*dx(T) + v*dy(T) = 0.05*lap(T)"
initial: {u: "0", v: "0", T: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0",
           "v(y=1) = 0", "T(x=0) = 0.5", "T(x=1) = -0.5", "dy(T)(y=0) = 0", "dy(T)(y=1) = 0"]
exact: {u: "sin(x + 2*y)*cos(t)", v: "-sin(x + 2*y)*cos(t)/2", p: "3 + cos(x*y + t)", T: "exp(-t)*cos(x - y)"}
resolution: {degree: {t: 5, x: 11, y: 12}, domains: {t: 4}}
)yaml";
  EXPECT_LT(error_of(closed), 1e-6);
  EXPECT_LT(error_of(test::replaced(closed, "v: \"-sin(x + 2*y)*cos(t)/2\"", "v: \"cos(x - y)*exp(t)\"")), 1e-6);
  const std::string open =
      test::replaced(test::replaced(closed, "u(x=1) = 0", "-p(x=1) + dx(u)(x=1) = 0"), "v(x=1) = 0", "dx(v)(x=1) = 0");
  EXPECT_LT(error_of(open), 1e-6);
}

TEST(Manufactured, NonlinearSystem) {
  EXPECT_LT(error_of(R"yaml(
domain: {t: [0, 1]}
unknowns: [X, Y]
equations: ["dt(X) = -Y^2 - X*Y", "dt(Y) = X*Y - sin(X)"]
initial: {X: "0"}
exact: {X: "cos(t)", Y: "1/(1 + t)"}
resolution: {degree: {t: 18}}
)yaml"),
            1e-12);
}

TEST(Manufactured, TwoDimensionsWithALaplacian) {
  EXPECT_LT(error_of(R"yaml(
domain: {t: [0, 0.5], x: [0, 1], y: [-1, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = lap(u)", "dt(v) + u*dx(v) + v*dy(v) = lap(v)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=-1) = 0", "u(y=1) = 0",
           "v(x=0) = 0", "dx(v)(x=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
exact: {u: "sin(x + 2*y)*exp(-t)", v: "cos(x - y)*(1 + t)"}
resolution: {degree: {t: 8, x: 10, y: 14}}
)yaml"),
            1e-8);
}

TEST(Manufactured, SecondOrderInTimeNeedsTwoInitialValues) {
  EXPECT_LT(error_of(R"yaml(
domain: {t: [0, 1], x: [0, 2]}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2) - sin(u)"]
boundary: ["u(x=0) = 0", "dx(u)(x=2) = 0"]
exact: {u: "sin(x)*cos(2*t) + t"}
resolution: {degree: {t: 12, x: 14}}
)yaml"),
            1e-10);
}

TEST(Manufactured, Integrals) {
  EXPECT_LT(error_of(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.3*dx(u,2) + integral(x*u^2, x)"]
boundary: ["u(x=0) = 0", "integral(u, x) = 1"]
exact: {u: "cos(2*x + t)"}
resolution: {degree: {t: 12, x: 12}}
)yaml"),
            1e-11);
}

TEST(Manufactured, ParametersAndUnknownNumbers) {
  EXPECT_LT(error_of(R"yaml(
domain: {x: [0, 1], p: [1, 2]}
unknowns: [u, {name: c, dims: [p]}]
equations: ["dx(u,2) + p*u = c", "integral(u, x) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "sin(p*x)", c: "p^2"}
resolution: {degree: {x: 14, p: 12}}
)yaml"),
            1e-11);
}

const std::string kPoisson = R"yaml(
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
sbp_sat: {order: 4, intervals: COUNT, coefficient: {xx: "2 + x", xy: "0.3*y", yy: 1}, source: "0"}
boundary: ["u(x=0) = 0", "flux(x=1) + 2*u(x=1) = 0", "dy(u)(y=0) = 0", "u(y=1) = 5"]
exact: {u: "exp(x)*cos(2*y)"}
verification: {tolerance: 1}
)yaml";

TEST(Manufactured, PoissonWithAMatrixOfCoefficients) {
  const double coarse = error_of(test::replaced(kPoisson, "COUNT", "24"), "error_l2"),
               fine = error_of(test::replaced(kPoisson, "COUNT", "48"), "error_l2");
  EXPECT_LT(fine, 1e-5);
  EXPECT_GT(coarse / fine, 10.0);  // order 4, near 16
}

TEST(Manufactured, PoissonOnAMappedGrid) {
  const std::string ring = R"yaml(
problem: sbp_sat_poisson
domain: {r: [1, 2], s: [0, 1.5]}
unknowns: [u]
sbp_sat:
  order: 4
  intervals: COUNT
  mapping: {x: "r*cos(s)", y: "r*sin(s)"}
  coefficient: {xx: 3, xy: 0.5, yy: "1 + 0.2*x"}
  source: "0"
boundary: ["flux(r=1) + u(r=1) = 0", "flux(r=2) = 0", "u(s=0) = 0", "flux(s=1.5) = x"]
exact: {u: "sin(x + 2*y)"}
verification: {tolerance: 1}
)yaml";
  const double coarse = error_of(test::replaced(ring, "COUNT", "24"), "error_l2"),
               fine = error_of(test::replaced(ring, "COUNT", "48"), "error_l2");
  EXPECT_LT(fine, 1e-4);
  EXPECT_GT(coarse / fine, 10.0);
}

TEST(Manufactured, RecurrenceWithAnIntegralCondition) {
  const std::string bvp = R"yaml(
problem: recurrence_bvp
domain: {x: [0, 2]}
unknowns: [u]
boundary: ["dx(u)(x=0) = 0", "2*integral(u, x) - u(x=2) = 7"]
recurrence: {intervals: COUNT, source: "1", order: 4}
exact: {u: "exp(x/2)*sin(3*x)"}
verification: {tolerance: 1}
)yaml";
  const double coarse = error_of(test::replaced(bvp, "COUNT", "200")),
               fine = error_of(test::replaced(bvp, "COUNT", "400"));
  EXPECT_LT(fine, 1e-7);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.3);
}

TEST(Manufactured, RecurrenceWithReaction) {
  const std::string bvp = R"yaml(
problem: recurrence_bvp
domain: {x: [0, 2]}
unknowns: [u]
boundary: ["dx(u)(x=0) - u(x=0) = 0", "u(x=2) = 7"]
recurrence: {intervals: COUNT, source: "1", reaction: 9, order: 4}
exact: {u: "exp(x/2)*sin(3*x)"}
verification: {tolerance: 1}
)yaml";
  const double coarse = error_of(test::replaced(bvp, "COUNT", "200")),
               fine = error_of(test::replaced(bvp, "COUNT", "400"));
  EXPECT_LT(fine, 1e-7);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.3);
}

std::string message_of(const std::string& yaml) {
  try {
    manufactured(problem_modules(), read_case_text(yaml, "test.yaml"));
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

TEST(Manufactured, EveryUnknownNeedsItsSolution) {
  test::expect_holds(message_of(test::replaced(kBurgers, "exact: {u: \"exp(-t)*sin(2*x) + x^2\"}", "")), "exact: {u:");
  test::expect_holds(
      message_of(test::replaced(test::replaced(kPoisson, "COUNT", "8"), "exact: {u: \"exp(x)*cos(2*y)\"}", "")),
      "exact");
}

TEST(Manufactured, KnownValuesOfAnotherSolutionAreDropped) {
  const Case the_case = manufactured(
      problem_modules(),
      read_case_text(kBurgers + "verification: {values: [{expr: u, at: {t: 1, x: 0.5}, value: 3}]}\n", "test.yaml"));
  EXPECT_TRUE(the_case.verification.values.empty());
}

}  // namespace
}  // namespace gwrm::manufactured_test
