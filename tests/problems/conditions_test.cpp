// Every kind of condition closes an equation: the same exact solution through each of them.
#include "problems/run_case.hpp"

namespace gwrm::conditions_test {
namespace {

using test::expect_exact;
using test::expect_holds;
using test::replaced;
using test::run_case;
using test::value_at;

// exp(t + x) solves the heat equation. Its coefficients fall like (1/4)^L / L!: below round-off at degree 12 in x,
// 1e-13 in t, and round-off is amplified by the condition of second derivatives.
constexpr double kBound = 1e-10;

std::string heat(const std::string& conditions) {
  return "domain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u,2)\"]\ninitial: {u: \"exp(x)\"}\n"
         "boundary: [" +
         conditions + "]\nexact: {u: \"exp(t + x)\"}\nresolution: {degree: {t: 10, x: 12}}\n";
}

TEST(Conditions, Dirichlet) {
  expect_exact(heat(R"x("u(x=0) = exp(t)", "u(x=1) = exp(t + 1)")x"), kBound);
}

TEST(Conditions, Neumann) {
  expect_exact(heat(R"x("dx(u)(x=0) = exp(t)", "dx(u)(x=1) = exp(t + 1)")x"), kBound);
}

TEST(Conditions, Robin) {
  expect_exact(heat(R"x("u(x=0) - 2*dx(u)(x=0) = -exp(t)", "dx(u)(x=1) + 3*u(x=1) = 4*exp(t + 1)")x"), kBound);
}

TEST(Conditions, Integral) {
  expect_exact(heat(R"x("u(x=0) = exp(t)", "integral(u, x) = exp(t)*(exp(1) - 1)")x"), kBound);
}

TEST(Conditions, WeightedIntegral) {  // integral of x exp(x) from 0 to 1 is 1
  expect_exact(heat(R"x("integral(x*u, x) = exp(t)", "u(x=1) = exp(t + 1)")x"), kBound);
}

TEST(Conditions, InteriorPoint) {
  expect_exact(heat(R"x("u(x=0.5) = exp(t + 0.5)", "dx(u)(x=1) = exp(t + 1)")x"), kBound);
}

TEST(Conditions, Nonlinear) {
  expect_exact(heat(R"x("u(x=0)*dx(u)(x=0) = exp(2*t)", "dx(u)(x=1) + u(x=1)^4 = exp(t + 1) + exp(4*t + 4)")x"),
               kBound);
}

TEST(Conditions, BetweenTwoPoints) {
  expect_exact(heat(R"x("u(x=1) = exp(1)*u(x=0)", "dx(u)(x=1) + u(x=0) = exp(t)*(1 + exp(1))")x"), kBound);
}

TEST(Conditions, InteriorPointOfFirstOrderEquation) {
  expect_exact(R"yaml(
domain: {x: [0, 2]}
unknowns: [u]
equations: ["dx(u) = cos(x)"]
boundary: ["u(x=0.5) = sin(0.5)"]
exact: {u: "sin(x)"}
resolution: {degree: {x: 14}}
)yaml",
               1e-12);
}

TEST(Conditions, BothOnOneFieldOfAFirstOrderSystem) {
  expect_exact(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, q]
equations: ["dt(u) = dx(q)", "q = dx(u)"]
initial: {u: "exp(x)"}
boundary: ["u(x=0) = exp(t)", "u(x=1) = exp(t + 1)"]
exact: {u: "exp(t + x)", q: "exp(t + x)"}
resolution: {degree: {t: 10, x: 13}}
)yaml",
               kBound);
}

// exp(-2 nu t) sin(x - t) cos(y - t). Coefficients over a full period fall like J_L(pi): (pi/2)^15 / 15! = 7e-10.
TEST(Conditions, PeriodicInTwoDimensions) {
  expect_exact(R"yaml(
domain: {t: [0, 0.2], x: [0, 2*pi], y: [0, 2*pi]}
constants: {nu: 0.3}
unknowns: [u]
equations: ["dt(u) + dx(u) + dy(u) = nu*lap(u)"]
initial: {u: "sin(x)*cos(y)"}
boundary:
  - "u(x=0) = u(x=2*pi)"
  - "dx(u)(x=0) = dx(u)(x=2*pi)"
  - "u(y=0) = u(y=2*pi)"
  - "dy(u)(y=0) = dy(u)(y=2*pi)"
exact: {u: "exp(-2*nu*t)*sin(x - t)*cos(y - t)"}
resolution: {degree: {t: 5, x: 14, y: 14}}
verification: {tail: 1.0e-5}
)yaml",
               1e-6);
}

// Pure Neumann conditions leave a constant free and ask the data to be compatible: one unknown number makes them so,
// one integral fixes the constant. Coefficients of cos on half a period: (pi/4)^13 / 13! = 7e-12.
TEST(Conditions, IntegralGaugeWithAnUnknownNumber) {
  const RunOutcome outcome = expect_exact(R"yaml(
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u, {name: c, dims: []}]
equations: ["lap(u) = -2*pi^2*cos(pi*x)*cos(pi*y) - 3 + c", "integral(integral(u, x), y) = 0"]
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
exact: {u: "cos(pi*x)*cos(pi*y)", c: "3"}
resolution: {degree: {x: 14, y: 14}}
)yaml",
                                          1e-8);
  EXPECT_NEAR(value_at(outcome.solution, "c"), 3.0, 1e-8);
}

// The smallest eigenvalue of -u'' on [0, pi] is 1, with u = sin x normalised to integral u^2 = pi/2.
TEST(Conditions, EigenvalueAsAnUnknownNumber) {
  const RunOutcome outcome = expect_exact(R"yaml(
domain: {x: [0, pi]}
unknowns: [u, {name: k, dims: []}]
equations: ["dx(u,2) + k*u = 0", "integral(u^2, x) = pi/2"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0"]
guess: {u: "x*(pi - x)/2.4", k: "1.1"}
exact: {u: "sin(x)", k: "1"}
resolution: {degree: {x: 18}}
)yaml",
                                          1e-10);
  EXPECT_NEAR(value_at(outcome.solution, "k"), 1.0, 1e-11);
}

// Conditions that hold along a line must be met at every time: what the verification reports is their error off the
// grid.
TEST(Conditions, ErrorsAreReportedForEach) {
  const RunOutcome outcome = run_case(heat(R"x("u(x=0) = exp(t)", "dx(u)(x=1) = exp(t + 1)")x"));
  EXPECT_LE(test::find_check(outcome, "boundary", "u(x=0) = exp(t)").value, kBound);
  EXPECT_LE(test::find_check(outcome, "boundary", "dx(u)(x=1)").value, kBound);
  EXPECT_LE(test::find_check(outcome, "initial", "u").value, kBound);
}

TEST(Conditions, PeriodicInTimeIsPeriodicInX) {
  const std::string yaml = R"yaml(
domain: {t: [0, 2*pi]}
unknowns: [y]
equations: ["dt(y) = -y + cos(t)"]
boundary: ["y(t=0) = y(t=2*pi)"]
resolution: {degree: {t: 20}}
)yaml";
  try {
    run_case(yaml);
    ADD_FAILURE() << "no error";
  } catch (const CaseError& error) {
    expect_holds(error.what(), "write time as x");
  }
  std::string in_x = replaced(replaced(replaced(yaml, "t:", "x:"), "dt(", "dx("), "cos(t)", "cos(x)");
  in_x = replaced(replaced(replaced(in_x, "(t=0)", "(x=0)"), "(t=2", "(x=2"), "{t: 20}", "{x: 20}");
  expect_exact(in_x + "exact: {y: \"(cos(x) + sin(x))/2\"}\n", 1e-9);
}

}  // namespace
}  // namespace gwrm::conditions_test
