// Whole runs with products of fields: a manufactured solution of Boussinesq's equations, reactions, rotation of a
// scalar by a given flow, dynamos that act on their flow; what is not resolved, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"

namespace gwrm::test::convection_test {
namespace {

// Theta = (1 - r^2) (1 + y B) exp(z/2),  U = A curl((1 - r^2) exp(x) r) + B curl curl((1 - r^2)^2 z exp(r^2) r),
// A = sin(3t), B = sin(2t): sources by computer algebra in x, y, z, with dA, dB the derivatives of A, B.
std::string in_time(std::string text) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("dA", "(3*cos(3*t))");
  replace("dB", "(2*cos(2*t))");
  replace("A", "sin(3*t)");
  replace("B", "sin(2*t)");
  replace("E", "exp(r^2)");
  replace("H", "exp(x)");
  replace("G", "exp(z/2)");
  replace("S", "(r^2)");
  return text;
}

const std::string kForceX =
    "A^2*H^2*(y^2 + z^2)*(S*(2 - S) + 2*x*(1 - S) - 1) + 2*E*(A*B*H*y*(S*(S*(S^2 - 4) + 4) + "
    "x*(S*(S*(S*(2*S + 9) - 9) - 9) + 7) - 1) + 2*B^2*E*x*(S*(S*(S*(-S*(S*(2*S + 11) + 1) + 32) - 10) - "
    "13) + z^2*(S*(S*(S*(S*(2*S + 9) - 4) - 14) + 2) + 5) + 5) + B*x*z*(S*(S*(2*S + 15) + 16) - 7) + "
    "dB*x*z*(1 - S^2)) + 5*G*x*(S - 1)*(B*y + 1)";
const std::string kForceY =
    "2*E*(A*B*H*(2*S*(S*(S^2 - 4) + 4) + y^2*(S*(S*(S*(2*S + 9) - 9) - 9) + 7) + z^2*(2*S*(S*(2 - S) - 1) "
    "+ x*(S*(S*(1 - S) + 1) - 1)) - 2) + 2*B^2*E*y*(S*(S*(S*(-S*(S*(2*S + 11) + 1) + 32) - 10) - 13) + "
    "z^2*(S*(S*(S*(S*(2*S + 9) - 4) - 14) + 2) + 5) + 5) + B*y*z*(S*(S*(2*S + 15) + 16) - 7) + dB*y*z*(1 "
    "- S^2)) + 5*G*y*(S - 1)*(B*y + 1) + H*(4*A^2*H*y*(S*(2 - S) + y^2*(1 - S) + z^2*(1 - S) - 1) - "
    "A*z*(S + 4*x + 9) + 2*dA*z*(S - 1))/2";
const std::string kForceZ =
    "2*E*(A*B*H*y*z*(S*(S*(S*(2*S + 11) - 13) - 7) + x*(S*(S*(S - 1) - 1) + 1) + 7) + "
    "2*B^2*E*z*(S*(S*(S*(S*(-S*(2*S + 9) + 4) + 14) - 2) - 5) + z^2*(S*(S*(S*(S*(2*S + 9) - 4) - 14) + 2) "
    "+ 5)) + B*(S*(-S*(S*(2*S + 17) + 25) + 9) + z^2*(S*(S*(2*S + 15) + 16) - 7) + 5) + S*dB*(S*(S + 1) - "
    "3) + dB*z^2*(1 - S^2) + dB) + 5*G*z*(S - 1)*(B*y + 1) + H*(4*A^2*H*z*(S*(2 - S) + y^2*(1 - S) + "
    "z^2*(1 - S) - 1) + A*y*(S + 4*x + 9) + 2*dA*y*(1 - S))/2";
const std::string kSourceOfHeat =
    "4*B*E*z*(S*(2 - S) - 1) + G*(2*A*H*(B*(y^2*(S*(S - 2) + 1) + 2*z*(S*(2 - S) - 1)) + y*(S*(S - 2) + "
    "1)) + 4*B*E*(B*y*(S*(S*(4 - S^2) - 4) + z*(2*S*(S*(S - 3) + 3) + z*(S*(S*(S - 1) - 1) + 1) - 2) + 1) "
    "+ S*(S*(4 - S^2) - 4) + z*(4*S*(2 - S) + z*(S*(S*(S - 1) - 1) + 1) - 4) + 1) + B*y*(S + 8*z + 39) + "
    "S + 4*dB*y*(1 - S) + 8*z + 23)/4";
const std::string kVelocityX = "(2*E*B*x*z*(1 - S^2))";
const std::string kVelocityY = "(z*(A*H*(S - 1) + 2*E*B*y*(1 - S^2)))";
const std::string kVelocityZ = "(A*H*y*(1 - S) + 2*E*B*(S*(S*(S + 1) - 3) + z^2*(1 - S^2) + 1))";

std::string boussinesq(int t, int r, int l, const std::string& verification) {
  const std::string across = fmt::format("({}*cos(phi) + {}*sin(phi))", kVelocityX, kVelocityY);
  return fmt::format(
      R"yaml(
problem: ball
domain: {{t: [0, 0.4]}}
ball:
  degree: {{t: {}, r: {}, l: {}}}
  windows: 1
  fields:
    Theta: {{kind: scalar, buoyancy: 5, background: 2, source: "{}"}}
    U: {{kind: velocity, diffusivity: 0.5, source: {{x: "{}", y: "{}", z: "{}"}}}}
  terms: [buoyancy, background, advection, inertia]
initial: {{Theta: "(1 - r^2)*exp(z/2)"}}
exact:
  Theta: "{}"
  U_r: "{}"
  U_theta: "cos(theta)*{} - sin(theta)*{}"
  U_phi: "{}*cos(phi) - {}*sin(phi)"
output: {{grid: {{t: 4, r: 7, theta: 7, phi: 8}}}}
verification: {}
)yaml",
      t, r, l, in_time(kSourceOfHeat), in_time(kForceX), in_time(kForceY), in_time(kForceZ),
      in_time("(1 - S)*(1 + y*B)*G"), in_time("2*E*B*cos(theta)*(1 - S)^2"), in_time(across), in_time(kVelocityZ),
      in_time(kVelocityY), in_time(kVelocityX), verification);
}

double error_of_boussinesq(int t, int r, int l) {
  const RunOutcome outcome = run_case(boussinesq(t, r, l, "{estimate: off}"));
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  return worst_error(outcome);
}

// The error falls with each of the three degrees alone where the others are high enough.
TEST(BallConvection, ErrorsOfTheManufacturedSolutionAreSpectral) {
  const double finest = error_of_boussinesq(8, 9, 9);
  EXPECT_LE(finest, 2e-8);
  const double coarse_t = error_of_boussinesq(4, 9, 9), coarse_r = error_of_boussinesq(8, 6, 9),
               coarse_l = error_of_boussinesq(8, 9, 5);
  EXPECT_GT(coarse_t, 100.0 * finest);
  EXPECT_GT(coarse_r, 100.0 * finest);
  EXPECT_GT(coarse_l, 100.0 * finest);
}

// What is judged knows by how much the answer is wrong, without being told the exact one.
TEST(BallConvection, TheEstimateSeesTheErrorOfTheManufacturedSolution) {
  const RunOutcome outcome = run_case(boussinesq(6, 5, 6, "{tolerance: 1.0e-2}"));
  const double error = worst_error(outcome);
  double estimate = 0.0;
  for (const FieldError& field : outcome.report.verification.estimate.fields)
    estimate = std::max(estimate, field.largest);
  EXPECT_GT(estimate, error / 5.0);
  EXPECT_LT(estimate, error * 5.0);
}

std::string convection(const std::string& degree, const std::string& more, const std::string& rayleigh = "20000") {
  return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.3]}}
ball:
  degree: {}
  tolerance: 1.0e-6
  fields:
    Theta: {{kind: scalar, buoyancy: {}, background: 1}}
    U: {{kind: velocity}}
  terms: [buoyancy, background, advection, inertia]
initial: {{Theta: "z*(1 - r^2)^3"}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
{}
)yaml",
                     degree, rayleigh, more);
}

TEST(BallConvection, ResolvedPassesAndTooFewHarmonicsFail) {
  const std::string judged = "verification: {tolerance: 1.0e-3}", blind = "verification: {estimate: off}";
  EXPECT_EQ(run_case(convection("{t: 6, r: 12, l: 12, m: 0}", judged)).status, ExitStatus::converged);
  EXPECT_EQ(run_case(convection("{t: 6, r: 12, l: 3, m: 0}", judged)).status, ExitStatus::unresolved);
  EXPECT_EQ(run_case(convection("{t: 6, r: 5, l: 12, m: 0}", judged)).status, ExitStatus::unresolved);
  // Without the finer run the residual and the tails are what judges.
  EXPECT_EQ(run_case(convection("{t: 6, r: 12, l: 3, m: 0}", blind)).status, ExitStatus::unresolved);
  EXPECT_EQ(run_case(convection("{t: 6, r: 5, l: 12, m: 0}", blind)).status, ExitStatus::unresolved);
}

// Orders 0, 2, 4: the tail is that of the order 4, not of the order 5, which is not there.
TEST(BallConvection, TheLastOrdersAreThoseThatTheAnswerHas) {
  const std::string yaml = replaced(convection("{t: 6, r: 8, l: 5, m: 3}", "verification: {estimate: off}"),
                                    "z*(1 - r^2)^3", "(z + x^2 - y^2)*(1 - r^2)^3");
  const RunOutcome outcome = run_case(yaml);
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_GT(find_check(outcome, "tail", "Theta along m").value, 1e-2);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
}

TEST(BallConvection, WindowsThatAreTooLongForNewtonAreTold) {
  const RunOutcome outcome = run_case(
      replaced(convection("{t: 6, r: 8, l: 4, m: 0}", "", "1000000"), "tolerance:", "windows: 1\n  tolerance:"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_NE(outcome.report.reason.find("Newton's method did not converge"), std::string::npos) << outcome.report.reason;
  EXPECT_NE(outcome.report.reason.find("give more windows"), std::string::npos) << outcome.report.reason;
}

// The logistic equation from a constant: u = 1/(1 + 3 exp(-2t)), no flux at the surface.
TEST(BallReactions, TheLogisticEquationHasItsSolution) {
  expect_exact(R"yaml(
problem: ball
domain: {t: [0, 2]}
ball:
  degree: {t: 10, r: 3, l: 1}
  fields: {u: {kind: scalar, boundary: slope, reaction: "2*u*(1 - u)"}}
initial: {u: "0.25"}
exact: {u: "1/(1 + 3*exp(-2*t))"}
output: {grid: {t: 5, r: 3, theta: 3, phi: 3}}
verification: {tolerance: 1.0e-8}
)yaml",
               1e-8);
}

// Two scalars that react with each other, one of the reactions no polynomial: u = sin(t) x (1 - r^2), v = cos(t) (r^2 -
// r^4/2), whose Laplacians are -10 x and 6 - 10 r^2 times the same.
TEST(BallReactions, TwoScalarsReactAsGiven) {
  expect_exact(R"yaml(
problem: ball
domain: {t: [0, 1]}
ball:
  degree: {t: 10, r: 8, l: 4}
  windows: 2
  fields:
    u: {kind: scalar, reaction: "u*exp(-v)", source: "(cos(t)*(1 - r^2) + 10*sin(t))*x
         - exp(-cos(t)*(r^2 - r^4/2))*sin(t)*x*(1 - r^2)"}
    v: {kind: scalar, boundary: slope, reaction: "u^2",
        source: "-sin(t)*(r^2 - r^4/2) - cos(t)*(6 - 10*r^2) - (sin(t)*x*(1 - r^2))^2"}
initial: {v: "r^2 - r^4/2"}
exact: {u: "sin(t)*x*(1 - r^2)", v: "cos(t)*(r^2 - r^4/2)"}
output: {grid: {t: 3, r: 4, theta: 4, phi: 4}}
verification: {tolerance: 1.0e-8}
)yaml",
               1e-8);
}

// A rigid rotation carries a field about the axis: j_1(k r) sin(theta) cos(phi - w t), j_1(k) = 0.
TEST(BallConvection, ARigidRotationCarriesAScalarAbout) {
  expect_exact(R"yaml(
problem: ball
domain: {t: [0, 0.1]}
constants: {w: 5, k: 4.493409457909064}
ball:
  degree: {t: 12, r: 10, l: 2}
  fields: {u: {kind: scalar}}
  flow: {toroidal: {"1,0": "r^2"}, factor: w}
  terms: [advection]
initial: {u: "(sin(k*r)/(k*r)^2 - cos(k*r)/(k*r))*sin(theta)*cos(phi)"}
exact: {u: "(sin(k*r)/(k*r)^2 - cos(k*r)/(k*r))*sin(theta)*cos(phi - w*t)*exp(-k^2*t)"}
output: {grid: {t: 3, r: [0.2, 0.5, 0.9], theta: 4, phi: 4}}
verification: {tolerance: 1.0e-8}
)yaml",
               1e-8);
}

TEST(BallConvection, FlowAndFieldExchangeTheirEnergy) {
  expect_energy_exchanged([](const std::string& terms) {
    return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.02]}}
ball:
  degree: {{t: 6, r: 10, l: 6, m: 0}}
  windows: 4
  fields:
    U: {{kind: velocity, diffusivity: 1.0e-6, boundary: stress_free}}
    B: {{kind: magnetic, diffusivity: 1.0e-6, boundary: conducting, lorentz: 3}}
  terms: {}
initial:
  U: {{toroidal: {{"1,0": "4*r", "2,0": "9*r^2*(1 - r^2/3)"}}}}
  B: {{poloidal: {{"2,0": "r^2*(1 - r^2)^2"}}}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
verification: {{estimate: off}}
)yaml",
                       terms);
  });
}

// T = (4 - r^2) z and P = (4 - r^2)^2 z in a sphere of radius 2: their Laplacians are -10 z and (28 r^2 - 80) z, the
// fields T (-y, x, 0)/z and 2 q e_z + q'/r (r^2 e_z - z r) of q = P/z. The force in Cartesian and in spherical
// components.
TEST(BallConvection, ForcesInALargerSphereMakeTheFlowThatTheyShould) {
  const auto expect_flow = [](const std::string& force) {
    expect_exact(
        "problem: ball\ndomain: {t: [0, 1]}\nball:\n  radius: 2\n  degree: {t: 12, r: 6, l: 2, m: 1}\n"
        "  windows: 2\n  fields: {U: {kind: velocity, diffusivity: 0.5, source: " +
            force +
            "}}\nexact: {U_r: \"2*sin(t)*(4 - r^2)^2*cos(theta)\", U_phi: \"sin(t)*(4 - r^2)*r*sin(theta)\"}\n"
            "output: {grid: {t: 3, r: 4, theta: 4, phi: 4}}\nverification: {tolerance: 1.0e-9}\n",
        1e-9);
  };
  const std::string turning = "(cos(t)*(4 - r^2) + 5*sin(t))";
  const std::string along_z = "(cos(t)*(4 - r^2)*(8 - 6*r^2) - sin(t)*(56*r^2 - 80))",  // 2 q + r q', halves of both
      along_r = "(4*cos(t)*(4 - r^2) + 28*sin(t))*z";
  expect_flow("{x: \"-y*" + turning + " + x*" + along_r + "\", y: \"x*" + turning + " + y*" + along_r + "\", z: \"" +
              along_z + " + z*" + along_r + "\"}");
  expect_flow("{r: \"cos(theta)*" + along_z + " + r*" + along_r + "\", theta: \"-sin(theta)*" + along_z +
              "\", phi: \"r*sin(theta)*" + turning + "\"}");
}

// A force of a degree that neither the run nor the finer one of its estimate has; one that is a gradient is no force.
TEST(BallConvection, ForcesThatTheHarmonicsDoNotHoldFail) {
  const auto run = [](const std::string& force, const std::string& degree) {
    return run_case("problem: ball\ndomain: {t: [0, 0.3]}\nball:\n  degree: " + degree +
                    "\n  tolerance: 1.0e-7\n  fields: {U: {kind: velocity, source: " + force +
                    "}}\noutput: {grid: {t: 2, r: 3, theta: 3, phi: 3}}\nverification: {tolerance: 1.0e-3}\n");
  };
  const std::string degree = "{t: 8, r: 14, l: 3, m: 2}", still = "y*(1 - r^2)", turned = "x*(1 - r^2)";
  EXPECT_EQ(run("{x: \"-" + still + "\", y: \"" + turned + "\"}", degree).status, ExitStatus::converged);
  EXPECT_EQ(run("{x: \"7*x^6 - " + still + "\", y: \"" + turned + "\"}", degree).status, ExitStatus::converged);
  const RunOutcome unseen = run("{x: \"-" + still + "\", y: \"" + turned + " + 3*z^7\"}", degree);
  EXPECT_EQ(unseen.status, ExitStatus::unresolved);
  EXPECT_GT(find_check(unseen, "data").value, 1e-3);
}

void expect_refused(const std::string& fields, const std::string& more, const std::string& fragment) {
  expect_refused_case(ball_case("  degree: {t: 4, r: 8, l: 4}\n  fields: {" + fields + "}\n", more), fragment);
}

TEST(BallConvection, TermsThatDoNotFitAreRefused) {
  expect_refused("T: {}", "  terms: [advection]\n", "advection needs a flow");
  expect_refused("U: {kind: velocity}", "  terms: [advection]\n", "advection is of scalars");
  expect_refused("T: {}, U: {kind: velocity}, V: {kind: velocity}", "  terms: [advection]\n", "one velocity");
  expect_refused("T: {}", "  terms: [inertia]\n", "inertia is that of a velocity");
  expect_refused("U: {kind: velocity}", "  terms: [lorentz]\n", "add a field of each kind");
  expect_refused("T: {lorentz: 2}", "", "for magnetic fields");
  expect_refused("U: {kind: velocity, reaction: \"1\"}", "", "for scalar fields");
  expect_refused("T: {reaction: \"T*U_r\"}, U: {kind: velocity}", "", "a component of a vector");
  expect_refused("T: {reaction: \"dr(T)\"}", "", "derivatives");
  expect_refused("T: {source: {x: \"1\"}}", "", "one expression");
  expect_refused("U: {kind: velocity, source: {x: \"1\", r: \"2\"}}", "", "take one of the two");
  expect_refused("U: {kind: velocity, source: {x: \"U_r\"}}", "", "before the fields are");
  expect_refused("U: {kind: velocity}", "  terms: [inertia]\ngrowth: {modes: 1}\n", "product of fields");
  expect_refused("T: {reaction: \"T\"}", "growth: {modes: 1}\n", "sources and reactions");
}

}  // namespace
}  // namespace gwrm::test::convection_test
