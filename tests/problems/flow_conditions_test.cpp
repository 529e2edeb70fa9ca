// Incompressible flow with the conditions that users give: walls without friction, a given gradient of pressure, a
// given flow rate, magnetic fields between walls, nearly incompressible solids; all against exact solutions.
#include <cmath>

#include "flow_equations.hpp"
#include "run_case.hpp"

namespace gwrm::flow_conditions_test {
namespace {

using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;

void expect_right(const RunOutcome& outcome, double error) {
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  for (const Check& check : outcome.report.verification.checks) {
    if (check.kind == "error_max") {
      EXPECT_LT(check.value, error) << check.subject;
    }
  }
}

// One vortex of Taylor and Green in a box whose walls take no stress; the pressure has another name, the axes and
// equations another order, one equation its sides exchanged.
constexpr const char* kFreeSlip = R"yaml(
domain: {y: [0, pi], x: [0, pi], t: [0, 0.5]}
constants: {nu: 0.1}
unknowns: [q, v, u]
equations:
  - "dy(v) + dx(u) = 0"
  - "dt(v) + u*dx(v) + v*dy(v) + dy(q) = nu*lap(v)"
  - "nu*lap(u) = dx(q) + dt(u) + u*dx(u) + v*dy(u)"
initial: {u: "sin(x)*cos(y)", v: "-cos(x)*sin(y)"}
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "dy(u)(y=0) = 0", "dy(u)(y=pi) = 0",
           "dx(v)(x=0) = 0", "dx(v)(x=pi) = 0", "v(y=0) = 0", "v(y=pi) = 0"]
exact:
  u: "sin(x)*cos(y)*exp(-2*nu*t)"
  v: "-cos(x)*sin(y)*exp(-2*nu*t)"
  q: "(cos(2*x) + cos(2*y))/4*exp(-4*nu*t)"
resolution: {degree: {t: 6, x: 14, y: 14}, domains: {t: 4}}
)yaml";

TEST(FlowConditions, FreeSlipInABox) {
  const RunOutcome outcome = run_case(kFreeSlip);
  expect_right(outcome, 1e-7);
  EXPECT_LT(find_check(outcome, "error_max", "u").value, 1e-10);
  expect_holds(outcome.report.linear_solver, "block LU");
  EXPECT_LE(outcome.report.n_linear_iterations, 40);
}

const std::string kPlaneChannel = R"yaml(
domain: {t: [0, 2], x: {range: [0, 2], basis: fourier}, y: [-1, 1]}
constants: {nu: 0.1, G: 0.3}
unknowns: [u, v, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = G - dx(p) + nu*lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + nu*lap(v)"
  - "dx(u) + dy(v) = 0"
initial: {u: "G/(2*nu)*(1 - y^2) + cos(pi*y/2)", v: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
exact: {u: "G/(2*nu)*(1 - y^2) + cos(pi*y/2)*exp(-nu*pi^2/4*t)", v: "0", p: "0"}
resolution: {degree: {t: 6, x: 2, y: 16}, domains: {t: 4}}
)yaml";

// v, p and all terms of two equations are zero but for rounding, which no check takes for an error, with an estimate
// and without.
TEST(FlowConditions, GivenPressureGradient) {
  expect_right(run_case(kPlaneChannel), 1e-11);
  expect_right(run_case(kPlaneChannel + "verification: {estimate: off}\n"), 1e-11);
}

// The gradient is an unknown number at each time, and the flow rate is its equation: over the whole channel (wavenumber
// by wavenumber), or in one cross-section, which couples the wavenumbers.
TEST(FlowConditions, GivenFlowRate) {
  const std::string rate =
      replaced(replaced(replaced(replaced(kPlaneChannel, "constants: {nu: 0.1, G: 0.3}", "constants: {nu: 0.1}"),
                                 "unknowns: [u, v, p]", "unknowns: [u, v, p, {name: G, dims: [t]}]"),
                        "  - \"dx(u) + dy(v) = 0\"\n",
                        "  - \"dx(u) + dy(v) = 0\"\n  - \"integral(integral(u, x), y) = 8/3*(2 - exp(-t))\"\n"),
               "initial: {u: \"G/(2*nu)*(1 - y^2) + cos(pi*y/2)\"", "initial: {u: \"1 - y^2\"");
  // u = (1 - y^2)(2 - exp(-t)) with a force that makes it so.
  const std::string forced =
      replaced(replaced(rate, "= G - dx(p)", "= G - dx(p) + (1 - y^2)*exp(-t)"),
               "exact: {u: \"G/(2*nu)*(1 - y^2) + cos(pi*y/2)*exp(-nu*pi^2/4*t)\", v: \"0\", p: \"0\"}",
               "exact: {u: \"(1 - y^2)*(2 - exp(-t))\", v: \"0\", p: \"0\", G: \"2*nu*(2 - exp(-t))\"}");
  const RunOutcome whole = run_case(forced);
  expect_right(whole, 1e-6);  // G, of index 2 as p is
  EXPECT_LT(find_check(whole, "error_max", "u").value, 1e-8);
  expect_holds(whole.report.linear_solver, "wavenumber by wavenumber");
  expect_right(run_case(replaced(forced, "integral(integral(u, x), y) = 8/3", "integral(u, y)(x=0.3) = 4/3")), 1e-6);
}

// Hartmann's flow across a magnetic field, with div b = 0 and its multiplier: psi and p are zero.
TEST(FlowConditions, MagneticFieldBetweenWalls) {
  const std::string yaml = R"yaml(
domain: {t: [0, 1], x: {range: [0, 1], basis: fourier}, y: [-1, 1]}
constants: {nu: 0.5, eta: 0.25, B: 1.2, G: 1, Ha: "B/sqrt(nu*eta)"}
unknowns: [u, v, p, bx, by, psi]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = G - dx(p) + bx*dx(bx) + by*dy(bx) + nu*lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + bx*dx(by) + by*dy(by) + nu*lap(v)"
  - "dx(u) + dy(v) = 0"
  - "dt(bx) + u*dx(bx) + v*dy(bx) - bx*dx(u) - by*dy(u) = -dx(psi) + eta*lap(bx)"
  - "dt(by) + u*dx(by) + v*dy(by) - bx*dx(v) - by*dy(v) = -dy(psi) + eta*lap(by)"
  - "dx(bx) + dy(by) = 0"
initial: {u: "G*sqrt(eta/nu)/B/tanh(Ha)*(1 - cosh(Ha*y)/cosh(Ha))", v: "0", bx: "G/B*(sinh(Ha*y)/sinh(Ha) - y)", by: "B"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "bx(y=-1) = 0", "bx(y=1) = 0",
           "by(y=-1) = B", "by(y=1) = B"]
exact:
  u: "G*sqrt(eta/nu)/B/tanh(Ha)*(1 - cosh(Ha*y)/cosh(Ha))"
  v: "0"
  bx: "G/B*(sinh(Ha*y)/sinh(Ha) - y)"
  by: "B"
  p: "0"
  psi: "0"
resolution: {degree: {t: 4, x: 2, y: 22}, domains: {t: 2}}
)yaml";
  for (const char* end : {"", "verification: {estimate: off}\n"}) expect_right(run_case(yaml + end), 1e-11);
}

// A solid that hardly gives way, whose pressure happens to vanish, and one whose does not: rounding in p ends Newton's
// method, and does not keep it going.
TEST(FlowConditions, NearlyIncompressibleSolid) {
  const std::string yaml = R"yaml(
domain: {x: [0, 1], y: [0, 2]}
constants: {mu: 1, lam: 1.0e+4, P: 0}
unknowns: [u, v, p]
equations:
  - "mu*lap(u) - dx(p) = -2*pi^2*sin(pi*x)*cos(pi*y)*mu - P*pi*cos(pi*x)*cos(pi*y)"
  - "mu*lap(v) - dy(p) = 2*pi^2*cos(pi*x)*sin(pi*y)*mu + P*pi*sin(pi*x)*sin(pi*y)"
  - "dx(u) + dy(v) = (P*sin(pi*x)*cos(pi*y) - p)/lam"
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = -sin(pi*y)", "v(x=1) = sin(pi*y)",
           "u(y=0) = sin(pi*x)", "u(y=2) = sin(pi*x)", "v(y=0) = 0", "v(y=2) = 0"]
exact: {u: "sin(pi*x)*cos(pi*y)", v: "-cos(pi*x)*sin(pi*y)", p: "P*sin(pi*x)*cos(pi*y)"}
resolution: {degree: {x: 18, y: 24}}
)yaml";
  for (const char* pressure : {"P: 0", "P: 1"}) {
    const RunOutcome outcome = run_case(replaced(yaml, "P: 0", pressure));
    expect_right(outcome, 1e-8);
    expect_holds(outcome.report.linear_solver, "block LU");
  }
}

}  // namespace
}  // namespace gwrm::flow_conditions_test
