// Equations of every kind against solutions in closed form. Where the solution is a polynomial of the given degrees,
// the error is round-off times the condition of the system (1e-11 leaves room for 1e5); otherwise the Chebyshev
// coefficients fall like rho^-L, rho from the nearest singularity, and the bound beside each case is well above rho^-L
// and far below rho^-(L/2).
#include "problems/run_case.hpp"

namespace gwrm::exact_solutions_test {
namespace {

struct ExactCase {
  const char* name;
  double bound;
  const char* yaml;
};

void PrintTo(const ExactCase& c, std::ostream* out) {
  *out << c.name;
}

class ExactSolutions : public testing::TestWithParam<ExactCase> {};

TEST_P(ExactSolutions, AreFound) {
  test::expect_exact(GetParam().yaml, GetParam().bound);
}

// exp and trigonometric functions of arguments of size one are entire: degree 12 on an interval of length one has
// coefficients of (1/4)^12 / 12! = 1e-16.
const ExactCase kOrdinary[] = {
    {"scalar_linear_time_dependent_coefficient", 1e-10, R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = cos(t)*u"]
initial: {u: "1"}
exact: {u: "exp(sin(t))"}
resolution: {degree: {t: 14}, domains: {t: 2}}
)yaml"},
    // v has its pole at t = -1: in windows of length 1/2, rho = 5 + sqrt(24) = 9.9 in the first.
    {"nonlinear_system_in_windows", 1e-10, R"yaml(
domain: {t: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = u*v", "dt(v) = -v^2"]
initial: {u: "1", v: "1"}
exact: {u: "1 + t", v: "1/(1 + t)"}
resolution: {degree: {t: 12}, domains: {t: 2}}
)yaml"},
    // The map gives windows of equal ratio 10^(1/2): rho = 3.5 for the pole at t = 0 in each, 3.5^-20 = 1e-11.
    {"log_time_in_windows", 1e-9, R"yaml(
domain: {t: {range: [0.1, 10], map: log}}
unknowns: [u]
equations: ["dt(u) = -u/t"]
initial: {u: "10"}
exact: {u: "1/t"}
resolution: {degree: {t: 20}, domains: {t: 4}}
)yaml"},
    {"second_order_oscillator", 1e-10, R"yaml(
domain: {t: [0, 6]}
unknowns: [u]
equations: ["dt(u,2) = -u"]
initial: {u: "1", "dt(u)": "2"}
exact: {u: "cos(t) + 2*sin(t)"}
resolution: {degree: {t: 12}, domains: {t: 4}}
)yaml"},
    {"third_order_in_time", 1e-10, R"yaml(
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u,3) = -u"]
initial: {u: "1", "dt(u)": "-1", "dt(u,2)": "1"}
exact: {u: "exp(-t)"}
resolution: {degree: {t: 10}, domains: {t: 2}}
)yaml"},
    {"constraint_in_windows", 1e-10, R"yaml(
domain: {t: [0, 1]}
unknowns: [w, u]
equations: ["w = u^2", "dt(u) = -w"]
initial: {u: "1"}
exact: {u: "1/(1 + t)", w: "1/(1 + t)^2"}
resolution: {degree: {t: 14}, domains: {t: [0, 0.3, 1]}}
)yaml"},
    // Degree 3 in t is exact in either weighting.
    {"polynomial_chebyshev_weighting", 1e-13, R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = 3*t^2 - 1"]
initial: {u: "5"}
exact: {u: "t^3 - t + 5"}
resolution: {degree: {t: 3}}
verification: {tail: 1}
time: {weighting: chebyshev}
)yaml"},
};

const ExactCase kPartial[] = {
    {"advection_one_condition", 1e-10, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "sin(x)"}
boundary: ["u(x=0) = -sin(t)"]
exact: {u: "sin(x - t)"}
resolution: {degree: {t: 10, x: 12}}
)yaml"},
    {"heat_chebyshev_weighting", 1e-10, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "exp(x)"}
boundary: ["u(x=0) = exp(t)", "u(x=1) = exp(t + 1)"]
exact: {u: "exp(t + x)"}
resolution: {degree: {t: 12, x: 12}}
time: {weighting: chebyshev}
)yaml"},
    {"variable_coefficients", 1e-10, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx((1 + x^2)*dx(u)) + exp(-t)*(2*x*sin(x) + x^2*cos(x))"]
initial: {u: "cos(x)"}
boundary: ["u(x=0) = exp(-t)", "u(x=1) = exp(-t)*cos(1)"]
exact: {u: "exp(-t)*cos(x)"}
resolution: {degree: {t: 10, x: 12}}
)yaml"},
    // u = -2 log cosh x: branch points at +- i pi/2, on [-1/2, 1/2] rho = pi + sqrt(pi^2 + 1) = 6.4; 6.4^-16 = 1e-13.
    {"non_polynomial_nonlinearity", 1e-9, R"yaml(
domain: {x: [-0.5, 0.5]}
unknowns: [u]
equations: ["dx(u,2) + 2*exp(u) = 0"]
boundary: ["u(x=-0.5) = -2*log(cosh(0.5))", "u(x=0.5) = -2*log(cosh(0.5))"]
exact: {u: "-2*log(cosh(x))"}
resolution: {degree: {x: 16}}
verification: {tail: 1.0e-10}
)yaml"},
    // Benjamin, Bona and Mahony: the wave of speed 2 is 3 sech^2((x - 2t)/(2 sqrt 2)), poles at x - 2t = +- i pi
    // sqrt 2. Along x rho = 3.3, 3.3^-20 = 5e-11; along t rho = 18.
    {"mixed_derivative_solitary_wave", 1e-7, R"yaml(
domain: {t: [0, 0.5], x: [-3, 3]}
constants: {k: 1/(2*sqrt(2))}
unknowns: [u]
equations: ["dt(u) + dx(u) + u*dx(u) - dx(dt(u),2) = 0"]
initial: {u: "3/cosh(k*x)^2"}
boundary: ["u(x=-3) = 3/cosh(k*(3 + 2*t))^2", "u(x=3) = 3/cosh(k*(3 - 2*t))^2"]
exact: {u: "3/cosh(k*(x - 2*t))^2"}
resolution: {degree: {t: 8, x: 22}}
)yaml"},
    {"mixed_derivative_of_first_order", 1e-10, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dx(dt(u)) = u"]
initial: {u: "exp(x)"}
boundary: ["u(x=0) = exp(t)"]
exact: {u: "exp(t + x)"}
resolution: {degree: {t: 10, x: 12}}
)yaml"},
    // cos(log x): entire in log x, half-length 1.5: (0.75)^16 / 16! = 5e-16, amplified by second derivatives.
    {"logarithmic_space", 1e-9, R"yaml(
domain: {x: {range: [1, 20], map: log}}
unknowns: [u]
equations: ["x^2*dx(u,2) + x*dx(u) = -u"]
boundary: ["u(x=1) = 1", "u(x=20) = cos(log(20))"]
exact: {u: "cos(log(x))"}
resolution: {degree: {x: 16}}
)yaml"},
    {"poisson_3d_polynomial", 1e-11, R"yaml(
domain: {x: [-1, 1], y: [0, 1], z: [0, 2]}
unknowns: [u]
equations: ["lap(u) = 6*x*y^2*z + 2*x^3*z + 2*y"]
boundary:
  - "u(x=-1) = -y^2*z - y + z^2*y"
  - "u(x=1) = y^2*z + y + z^2*y"
  - "u(y=0) = 0"
  - "u(y=1) = x^3*z + x + z^2"
  - "u(z=0) = x*y"
  - "u(z=2) = 2*x^3*y^2 + x*y + 4*y"
exact: {u: "x^3*y^2*z + x*y + z^2*y"}
resolution: {degree: {x: 5, y: 4, z: 4}}
)yaml"},
    // Coefficients of sin on half a period fall like J_L(pi/2): (pi/4)^8 / 8! = 4e-6, times a few.
    {"poisson_3d_sines", 1e-4, R"yaml(
domain: {x: [0, 1], y: [0, 1], z: [0, 1]}
unknowns: [u]
equations: ["lap(u) = -3*pi^2*sin(pi*x)*sin(pi*y)*sin(pi*z)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0", "u(z=0) = 0", "u(z=1) = 0"]
exact: {u: "sin(pi*x)*sin(pi*y)*sin(pi*z)"}
resolution: {degree: {x: 8, y: 8, z: 8}}
verification: {tolerance: 1.0e-4}
)yaml"},
    {"wave_equation_in_windows", 1e-9, R"yaml(
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2)"]
initial: {u: "sin(pi*x)", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "cos(pi*t)*sin(pi*x)"}
resolution: {degree: {t: 12, x: 16}, domains: {t: 2}}
)yaml"},
    {"flux_without_dt_in_windows", 1e-10, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [q, u]
equations: ["q = u*dx(u)", "dt(u) = dx(q) + exp(t + x) - 2*exp(2*t + 2*x)"]
initial: {u: "exp(x)"}
boundary: ["u(x=0) = exp(t)", "u(x=1) = exp(t + 1)"]
exact: {u: "exp(t + x)", q: "exp(2*t + 2*x)"}
resolution: {degree: {t: 11, x: 14}, domains: {t: [0, 0.4, 1]}}
)yaml"},
    // w has no dt and no initial value; in every window it follows from its own conditions.
    {"elliptic_constraint_in_windows", 1e-10, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, w]
equations: ["dt(u) = w", "dx(w,2) = -u"]
initial: {u: "cos(x)"}
boundary: ["w(x=0) = exp(t)", "dx(w)(x=1) = -sin(1)*exp(t)"]
exact: {u: "cos(x)*exp(t)", w: "cos(x)*exp(t)"}
resolution: {degree: {t: 9, x: 13}, domains: {t: [0, 0.6, 1]}}
)yaml"},
    {"integral_in_the_equation", 1e-10, R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + integral(u, x) - exp(t)*(exp(1) - 1)"]
initial: {u: "exp(x)"}
boundary: ["u(x=0) = exp(t)", "u(x=1) = exp(t + 1)"]
exact: {u: "exp(t + x)"}
resolution: {degree: {t: 10, x: 12}}
)yaml"},
};

std::string name_of(const testing::TestParamInfo<ExactCase>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Ordinary, ExactSolutions, testing::ValuesIn(kOrdinary), name_of);
INSTANTIATE_TEST_SUITE_P(Partial, ExactSolutions, testing::ValuesIn(kPartial), name_of);

}  // namespace
}  // namespace gwrm::exact_solutions_test
