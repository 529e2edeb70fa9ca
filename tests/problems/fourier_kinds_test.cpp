// Every kind of problem along periodic axes: branches, second order in time, parameters, the shortest series beside
// others, manufactured solutions of the three dimensions, with every linear solver that serves.
#include <numbers>

#include "problems/convergence/manufactured.hpp"
#include "problems/run_case.hpp"

namespace gwrm::fourier_kinds_test {
namespace {

using test::replaced;
using test::value_at;

constexpr double kPi = std::numbers::pi;

// v = u - 0.3 cos x is the same everywhere: v = lam exp(v), which turns at v = 1, lam = 1/e, and comes back to lam =
// 0.1 with v exp(-v) = 0.1, v = 3.577152063957297 (Lambert's W_-1(-0.1)).
TEST(FourierKinds, ABranchWithAFold) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {x: {range: [0, 2*pi], basis: fourier}}
constants: {lam: 0.1}
unknowns: [u]
equations: ["dx(u,2) + 0.3*cos(x) - (u - 0.3*cos(x)) + lam*exp(u - 0.3*cos(x)) = 0"]
resolution: {degree: {x: 4}}
continue: {parameter: lam, to: 1}
verification: {values: [{expr: u, at: {x: 0.5}, value: "3.577152063957297 + 0.3*cos(0.5)"}]}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(test::find_check(outcome, "value").value, 1e-12);
  double highest = 0.0;
  const double end = outcome.solution.window_edges.back();
  for (int i = 0; i <= 4000; ++i)
    highest = std::max(highest, value_at(outcome.solution, "lam", {{"s", end * i / 4000}}));
  EXPECT_NEAR(highest, std::exp(-1.0), 1e-6);  // lam is flat there: a distance of ds costs ds^2
}

// Bratu's equation between walls, periodic along x: the branch of one dimension.
TEST(FourierKinds, ABranchBesideAChebyshevSeries) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {x: {range: [0, 2*pi], basis: fourier}, y: [0, 1]}
constants: {lam: 1}
unknowns: [u]
equations: ["lap(u) + lam*exp(u) = 0"]
boundary: ["u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {x: 1, y: 32}}
continue: {parameter: lam, to: 4}
verification: {values: [{expr: u, at: {x: 0.5, y: 0.5}, value: 4.0914672461892603}]}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(test::find_check(outcome, "value").value, 1e-7);
}

// Waves of two wavenumbers and the mean, which swings by itself.
TEST(FourierKinds, SecondOrderInTimeOnATorus) {
  const std::string waves = R"yaml(
domain: {t: [0, 2], x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}}
unknowns: [u]
equations: ["dt(u,2) = lap(u) - u"]
initial: {u: "cos(2*pi*x)*sin(pi*y) + 0.4", dt(u): "0.3"}
exact: {u: "cos(sqrt(5*pi^2 + 1)*t)*cos(2*pi*x)*sin(pi*y) + 0.4*cos(t) + 0.3*sin(t)"}
resolution: {degree: {t: 16, x: 1, y: 1}, domains: {t: 4}}
verification: {tail: 2, tolerance: 1.0e-8}
)yaml";
  for (const char* solver : {"auto", "dense", "averaged", "wavenumber"})
    test::expect_exact(waves + "solver: {linear: " + solver + "}\n", 1e-10);
  test::expect_exact(replaced(waves, "{degree: {t: 16, x: 1, y: 1}, domains: {t: 4}}", "{tolerance: 1.0e-8}"), 1e-9);
}

// A parameter in the equation and in the initial values; series of one function and of one wave beside a divided axis.
TEST(FourierKinds, ParametersAndShortSeriesBesideSubdomains) {
  const std::string carried = R"yaml(
domain: {t: [0, 0.5], a: [0.5, 2], x: {range: [0, 2*pi], basis: fourier}, z: {range: [0, 3], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + a*dx(u) + dz(u) = 0.1*lap(u)"]
initial: {u: "(1 + a*sin(x))*sin(pi*y)"}
boundary: ["u(y=0) = 0", "u(y=1) = 0"]
exact: {u: "exp(-0.1*pi^2*t)*(1 + a*exp(-0.1*t)*sin(x - a*t))*sin(pi*y)"}
resolution: {degree: {t: 9, a: 10, x: 1, z: 0, y: 10}, domains: {y: 2}}
verification: {tail: 2, tolerance: 1.0e-6}
output: {grid: {z: 2}}
)yaml";
  for (const char* solver : {"auto", "tensor"})
    test::expect_exact(carried + "solver: {linear: " + solver + "}\n", 1e-7);
}

double error_of_manufactured(const std::string& yaml) {
  const Case the_case = manufactured(problem_modules(), read_case_text(yaml, "test.yaml"));
  const RunOutcome outcome = make_problem(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  return test::worst_error(outcome);
}

// Quadratic terms of series that M holds: what is left is the error in time. Even and odd M and another along each
// axis.
TEST(FourierKinds, ManufacturedInABox) {
  const std::string box = R"yaml(
domain: {t: [0, 0.5], x: {range: [0, 1], basis: fourier}, y: {range: [-1, 1], basis: fourier}, z: {range: [0, 4], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dz(u) = 0.1*lap(u)", "dt(v) + u*dy(v) = 0.1*lap(v) + u"]
exact: {u: "exp(-t)*sin(2*pi*x)*cos(pi*y) + 0.5", v: "cos(t)*cos(pi*z/2 + 2*pi*x)"}
resolution: {degree: {t: 9, x: 2, y: 3, z: 4}}
)yaml";
  EXPECT_LT(error_of_manufactured(box), 1e-8);
  EXPECT_LT(error_of_manufactured(replaced(box, "x: 2, y: 3, z: 4", "x: 1, y: 1, z: 1")), 1e-8);
}

// Steady, with a coefficient that varies, in three dimensions of both kinds.
TEST(FourierKinds, ManufacturedSteadyProblems) {
  EXPECT_LT(error_of_manufactured(R"yaml(
domain: {x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}}
unknowns: [u]
equations: ["lap(u) - (2 + sin(2*pi*x))*u + u^3 = 0"]
exact: {u: "sin(2*pi*x)*cos(pi*y)"}
resolution: {degree: {x: 5, y: 4}}
)yaml"),
            1e-11);
  EXPECT_LT(error_of_manufactured(R"yaml(
domain: {x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}, z: [0, 1]}
unknowns: [u]
equations: ["lap(u) - u = 0"]
boundary: ["u(z=0) = 0", "dz(u)(z=1) = 0"]
exact: {u: "sin(2*pi*x)*cos(pi*y)*z*(2 - z) + z^2"}
resolution: {degree: {x: 2, y: 1, z: 5}}
)yaml"),
            1e-11);
}

}  // namespace
}  // namespace gwrm::fourier_kinds_test
