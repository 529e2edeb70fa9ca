// Incompressible flow in boxes with walls on all sides, where velocities are solved for by tensor products and pressure
// by its Schur complement: known values, exact solutions, iteration counts.
#include <fmt/format.h>

#include <cmath>

#include "flow_equations.hpp"
#include "run_case.hpp"

namespace gwrm::cavity_flow_test {
namespace {

using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;

// The lid starts to move smoothly; Re = 100.
const std::string kCavity = R"yaml(
domain: {t: [0, T], x: [0, 1], y: [0, 1]}
)yaml" + test::flow_equations("1/100*") +
                            R"yaml(
initial: {u: "0", v: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 16*x^2*(1 - x)^2*(1 - exp(-5*t))^2", "v(y=0) = 0", "v(y=1) = 0",
           "u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
resolution: {degree: {t: 4, x: N, y: N}, domains: {t: windows}}
verification: {estimate: off}
)yaml";

std::string cavity(double end, int degree, int windows) {
  return replaced(replaced(replaced(kCavity, "[0, T]", fmt::format("[0, {}]", end)), "x: N, y: N",
                           fmt::format("x: {0}, y: {0}", degree)),
                  "t: windows", fmt::format("t: {}", windows));
}

constexpr double kEnergy = 0.018824912;  // steady: other programs, other spaces (to all digits)
constexpr const char* kEnergyText = "integral(integral(u^2 + v^2, x), y)/2";

// A prototype took 22 to 25.
TEST(CavityFlow, TheRampTakesFewIterations) {
  for (int degree : {16, 24, 32}) {
    const RunOutcome outcome = run_case(cavity(1.0, degree, 10));
    EXPECT_LE(outcome.report.n_linear_iterations, 10 * 20) << degree;
    EXPECT_GE(outcome.report.n_linear_iterations, 10) << degree;
    expect_holds(outcome.report.linear_solver, "block LU with tensor products and Cahouet-Chabard");
  }
}

TEST(CavityFlow, MarchesToTheSteadyState) {
  const RunOutcome outcome = run_case(cavity(40.0, 24, 40));
  EXPECT_NEAR(test::value_at(outcome.solution, kEnergyText, {{"t", 40.0}}), kEnergy, 1e-9);
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"t", 40.0}, {"x", 0.5}, {"y", 0.5}}), -0.161252, 2e-6);
}

const std::string kSteady = R"yaml(
domain: {x: [0, 1], y: [0, 1]}
constants: {Re: 100}
)yaml" + test::flow_equations("1/Re*", test::Flow::steady) +
                            R"yaml(
boundary: ["u(y=0) = 0", "u(y=1) = 16*x^2*(1 - x)^2", "v(y=0) = 0", "v(y=1) = 0",
           "u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
)yaml";

TEST(CavityFlow, SteadyByATolerance) {
  const RunOutcome outcome = run_case(std::string(kSteady) + "resolution: {tolerance: 1.0e-4}\n");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(test::value_at(outcome.solution, kEnergyText, {}), kEnergy, 1e-9);
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"x", 0.5}, {"y", 0.5}}), -0.161252, 2e-6);
}

// Without the wind that averages lose GMRES stagnates from Re = 200 on. Counts: 192 and 235, and a tenth more; the
// velocity in the middle is the dense solver's.
TEST(CavityFlow, SteadyAtHigherReynoldsNumbers) {
  const std::string fixed = std::string(kSteady) + R"yaml(
resolution: {degree: {x: 24, y: 24}}
verification: {estimate: off, tail: 1, residual: 1}
)yaml";
  for (const auto& [reynolds, at_most] : {std::pair{"200", 210}, {"400", 260}}) {
    SCOPED_TRACE(reynolds);
    const std::string yaml = replaced(fixed, "Re: 100", std::string("Re: ") + reynolds);
    const RunOutcome blocks = run_case(yaml);
    expect_holds(blocks.report.linear_solver, "block LU with tensor products and Cahouet-Chabard");
    EXPECT_LE(blocks.report.n_linear_iterations, at_most);
    const RunOutcome dense = run_case(yaml + "solver: {linear: dense}\n");
    const auto middle = [](const RunOutcome& one) {
      return test::value_at(one.solution, "u", {{"x", 0.5}, {"y", 0.5}});
    };
    EXPECT_NEAR(middle(blocks), middle(dense), 1e-8);  // Newton's method ends at a thousandth of the last coefficients
  }
}

// Newton's method from rest with corrections of GMRES ends without a step; the dense matrix finds the flow.
TEST(CavityFlow, SteadyFarFromRest) {
  const RunOutcome outcome = run_case(replaced(std::string(kSteady) + R"yaml(
resolution: {degree: {x: 24, y: 24}}
verification: {estimate: off, tail: 1, residual: 1}
)yaml",
                                               "Re: 100", "Re: 1000"));
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  expect_holds(outcome.report.linear_solver, "dense");
}

// Dense answers and those of the blocks are of the same equations.
TEST(CavityFlow, AgreesWithTheDenseSolver) {
  const std::string coarse =
      replaced(cavity(0.5, 10, 1), "verification:", "solver: {newton: {tolerance: 1.0e-11}, linear: X}\nverification:");
  const RunOutcome dense = run_case(replaced(coarse, "linear: X", "linear: dense")),
                   blocks = run_case(replaced(coarse, "linear: X", "linear: saddle"));
  for (std::size_t f = 0; f < 3; ++f)
    for (std::size_t k = 0; k < dense.solution.fields[f].windows[0].data.size(); ++k)
      EXPECT_NEAR(blocks.solution.fields[f].windows[0].data[k], dense.solution.fields[f].windows[0].data[k], 1e-9);
}

// Three dimensions: an exact unsteady solution of the Navier-Stokes equations (Ethier and Steinman, Int. J. Numer.
// Meth. Fluids 19 (1994) 369), velocities given on all faces. f(x, y, z) is a component, the others by turning the
// axes.
std::string turned(const std::string& x, const std::string& y, const std::string& z) {
  return fmt::format("-a*(exp(a*{0})*sin(a*{1} + d*{2}) + exp(a*{2})*cos(a*{0} + d*{1}))", x, y, z);
}

TEST(CavityFlow, EthierAndSteinmansInABox) {
  std::string conditions;
  const char* const axes[] = {"x", "y", "z"};
  const char* const fields[] = {"u", "v", "w"};
  std::string velocity[3];
  for (int f = 0; f < 3; ++f) {
    velocity[f] = turned(axes[f], axes[(f + 1) % 3], axes[(f + 2) % 3]);
    for (int axis = 0; axis < 3; ++axis)
      for (const char* side : {"-1", "1"}) {
        std::string at[3];
        for (int i = 0; i < 3; ++i) {
          const int which = (f + i) % 3;
          at[i] = which == axis ? fmt::format("({})", side) : axes[which];
        }
        conditions += fmt::format("{}\"{}({}={}) = ({})*exp(-d^2*t)\"", conditions.empty() ? "" : ", ", fields[f],
                                  axes[axis], side, turned(at[0], at[1], at[2]));
      }
  }
  const RunOutcome outcome = run_case(fmt::format(R"yaml(
domain: {{t: [0, 0.1], x: [-1, 1], y: [-1, 1], z: [-1, 1]}}
constants: {{a: "pi/4", d: "pi/2"}}
unknowns: [u, v, w, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) + w*dz(u) = -dx(p) + lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) + w*dz(v) = -dy(p) + lap(v)"
  - "dt(w) + u*dx(w) + v*dy(w) + w*dz(w) = -dz(p) + lap(w)"
  - "dx(u) + dy(v) + dz(w) = 0"
initial: {{u: "{0}", v: "{1}", w: "{2}"}}
boundary: [{3}]
exact: {{u: "({0})*exp(-d^2*t)", v: "({1})*exp(-d^2*t)", w: "({2})*exp(-d^2*t)"}}
resolution: {{degree: {{t: 4, x: 11, y: 11, z: 11}}, domains: {{t: 2}}}}
verification: {{estimate: off}}
)yaml",
                                                  velocity[0], velocity[1], velocity[2], conditions));
  for (const char* field : fields) EXPECT_LT(find_check(outcome, "error_max", field).value, 1e-7) << field;
  expect_holds(outcome.report.linear_solver, "block LU");
  EXPECT_LE(outcome.report.n_linear_iterations, 60);
}

}  // namespace
}  // namespace gwrm::cavity_flow_test
