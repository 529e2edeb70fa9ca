// The same case in one subdomain and in several, with every linear solver, against its exact solution.
#include "problems/run_case.hpp"

namespace gwrm::subdomains_test {
namespace {

using test::expect_exact;
using test::replaced;

// DOMAINS is replaced by each division, SOLVER by each solver.
void expect_exact_in(const std::string& yaml, const std::vector<std::string>& divisions, double bound) {
  for (const std::string& division : divisions)
    for (const char* solver : {"dense", "averaged", "auto"}) {
      SCOPED_TRACE(division + " " + solver);
      expect_exact(replaced(yaml, "DOMAINS", division) + "solver: {linear: " + solver + "}\n", bound);
    }
}

TEST(Subdomains, Heat) {
  expect_exact_in(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "dx(u)(x=1) + u(x=1) = -pi*exp(-0.1*pi^2*t)"]
exact: {u: "exp(-0.1*pi^2*t)*sin(pi*x)"}
resolution: {degree: {t: 10, x: 14}, domains: {t: 2, x: DOMAINS}}
)yaml",
                  {"1", "2", "5", "[0, 0.1, 0.7, 1]"}, 1e-10);
}

TEST(Subdomains, Advection) {
  expect_exact_in(R"yaml(
domain: {t: [0, 1], x: [0, 2]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "sin(2*x)"}
boundary: ["u(x=0) = -sin(2*t)"]
exact: {u: "sin(2*(x - t))"}
resolution: {degree: {t: 10, x: 16}, domains: {t: 4, x: DOMAINS}}
)yaml",
                  {"1", "2", "[0, 0.3, 1.5, 2]"}, 1e-9);
}

TEST(Subdomains, PeriodicAdvection) {
  expect_exact_in(R"yaml(
domain: {t: [0, 1], x: [0, 2*pi]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "sin(x)"}
boundary: ["u(x=0) = u(x=2*pi)"]
exact: {u: "sin(x - t)"}
resolution: {degree: {t: 10, x: 18}, domains: {t: 2, x: DOMAINS}}
)yaml",
                  {"1", "2", "3"}, 1e-8);
}

TEST(Subdomains, WaveOfSecondOrderInTime) {
  expect_exact_in(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2)"]
initial: {u: "sin(pi*x)", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "sin(pi*x)*cos(pi*t)"}
resolution: {degree: {t: 12, x: 14}, domains: {t: 2, x: DOMAINS}}
)yaml",
                  {"1", "2", "4"}, 1e-9);
}

// Soliton of speed 4: 2 sech^2(x - 4 t).
TEST(Subdomains, Kdv) {
  expect_exact_in(R"yaml(
domain: {t: [0, 0.1], x: [-4, 5]}
unknowns: [u]
equations: ["dt(u) + 6*u*dx(u) + dx(u,3) = 0"]
initial: {u: "2/cosh(x)^2"}
boundary: ["u(x=-4) = 2/cosh(-4 - 4*t)^2", "u(x=5) = 2/cosh(5 - 4*t)^2", "dx(u)(x=5) = -4*sinh(5 - 4*t)/cosh(5 - 4*t)^3"]
exact: {u: "2/cosh(x - 4*t)^2"}
resolution: {degree: {t: 8, x: 24}, domains: {t: 2, x: DOMAINS}}
)yaml",
                  {"3", "4", "[-4, -2, -0.5, 0.5, 2.5, 5]"}, 2e-6);
}

TEST(Subdomains, FourthOrder) {
  expect_exact_in(R"yaml(
domain: {t: [0, 0.5], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -0.01*dx(u,4)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "dx(u,2)(x=0) = 0", "u(x=1) = 0", "dx(u)(x=1) = -pi*exp(-0.01*pi^4*t)"]
exact: {u: "exp(-0.01*pi^4*t)*sin(pi*x)"}
resolution: {degree: {t: 10, x: 14}, domains: {t: 2, x: DOMAINS}}
)yaml",
                  {"1", "2", "3"}, 1e-8);
}

// c(t) drives the field and follows it: u = exp(-t) x (1 - x), int u dx = exp(-t)/6.
TEST(Subdomains, OrdinaryAndPartialEquation) {
  expect_exact_in(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, {name: c, dims: [t]}]
equations: ["dt(u) = dx(u,2) - u + 2*c", "dt(c) = -6*integral(u, x)"]
initial: {u: "x*(1 - x)", c: "1"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-t)*x*(1 - x)", c: "exp(-t)"}
resolution: {degree: {t: 10, x: 6}, domains: {t: 2, x: DOMAINS}}
)yaml",
                  {"1", "2", "6"}, 1e-11);
}

TEST(Subdomains, SteadyBoundaryLayer) {
  expect_exact_in(R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["0.05*dx(u,2) + dx(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 1 - exp(-20)"]
exact: {u: "1 - exp(-20*x)"}
resolution: {degree: {x: 20}, domains: {x: DOMAINS}}
)yaml",
                  {"2", "[0, 0.1, 0.3, 1]", "12"}, 1e-7);
}

// ---- tensor grids of subdomains

const std::vector<std::string> kGrids = {"", ", x: 2, y: 3", ", x: [0, 0.2, 1], y: 1"};

TEST(Subdomains, HeatOnATensorGrid) {
  expect_exact_in(R"yaml(
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*lap(u)"]
initial: {u: "sin(pi*x)*cos(pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
exact: {u: "exp(-0.2*pi^2*t)*sin(pi*x)*cos(pi*y)"}
resolution: {degree: {t: 6, x: 9, y: 9}, domains: {t: 2DOMAINS}}
)yaml",
                  kGrids, 1e-5);
}

// u = 1/(1 + exp((x + y - t)/(2 nu))) solves u_t + u (u_x + u_y) = nu lap u.
TEST(Subdomains, BurgersOnATensorGrid) {
  expect_exact_in(R"yaml(
domain: {t: [0, 0.5], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*(dx(u) + dy(u)) = 0.3*lap(u)"]
initial: {u: "1/(1 + exp((x + y)/0.6))"}
boundary: ["u(x=0) = 1/(1 + exp((y - t)/0.6))", "u(x=1) = 1/(1 + exp((1 + y - t)/0.6))",
           "u(y=0) = 1/(1 + exp((x - t)/0.6))", "u(y=1) = 1/(1 + exp((1 + x - t)/0.6))"]
exact: {u: "1/(1 + exp((x + y - t)/0.6))"}
resolution: {degree: {t: 5, x: 9, y: 9}, domains: {t: 1DOMAINS}}
)yaml",
                  kGrids, 1e-6);
}

TEST(Subdomains, PoissonOnATensorGrid) {
  expect_exact_in(R"yaml(
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = -2*pi^2*sin(pi*x)*sin(pi*y)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
exact: {u: "sin(pi*x)*sin(pi*y)"}
resolution: {degree: {x: 12, y: 12}DOMAINS}
)yaml",
                  {"", ", domains: {x: 2, y: 3}"}, 1e-8);
}

TEST(Subdomains, PeriodicHeatOnATensorGrid) {
  expect_exact_in(R"yaml(
domain: {t: [0, 0.5], x: [0, 2*pi], y: [0, 2*pi]}
unknowns: [u]
equations: ["dt(u) = 0.3*lap(u)"]
initial: {u: "cos(x) + sin(y)"}
boundary: ["u(x=0) = u(x=2*pi)", "dx(u)(x=0) = dx(u)(x=2*pi)", "u(y=0) = u(y=2*pi)", "dy(u)(y=0) = dy(u)(y=2*pi)"]
exact: {u: "(cos(x) + sin(y))*exp(-0.3*t)"}
resolution: {degree: {t: 5, x: 15, y: 15}, domains: {t: 1DOMAINS}}
)yaml",
                  {"", ", x: 2, y: 2"}, 1e-4);
}

}  // namespace
}  // namespace gwrm::subdomains_test
