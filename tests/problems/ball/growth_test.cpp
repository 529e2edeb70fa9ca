// Growth rates against values that others found by eigenvalue solvers: kinematic dynamos of Dudley and James, the onset
// of convection (method/ball, section 5).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"
#include "problems/ball/growth.hpp"
#include "problems/ball/sphere_transform.hpp"

namespace gwrm::test::growth_test {
namespace {

using namespace ball;

GrowthResult growth_of(const std::string& yaml) {
  const Case the_case = read_case_text(yaml, "test.yaml");
  const BallModel model(the_case);
  const BallSpace space(model.parts(), model.degrees());
  return find_growth(model, space, {});
}

std::string dynamo(double reynolds, int r, int l, const std::string& flow, const std::string& growth) {
  return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  degree: {{t: 8, r: {}, l: {}, m: 1}}
  fields: {{B: {{kind: magnetic, boundary: insulating}}}}
  flow: {{{}, factor: {:.17g}}}
  terms: [induction]
initial: {{B: {{poloidal: {{"1,1": "r*(5/3 - r^2)", "2,1": "r^2*(7/5 - r^2)"}}}}}}
growth: {{{}}}
)yaml",
                     r, l, flow, reynolds, growth);
}

const std::string kS2t2 = "toroidal: {\"2,0\": \"r^2*sin(pi*r)\"}, poloidal: {\"2,0\": \"0.14*r^2*sin(pi*r)\"}";
const std::string kS2t1 = "toroidal: {\"1,0\": \"r*sin(pi*r)\"}, poloidal: {\"2,0\": \"0.13*r^2*sin(pi*r)\"}";

TEST(BallGrowth, TheDynamoS2t2IsMarginalAtItsCriticalNumber) {
  const GrowthResult found = growth_of(dynamo(53.562588, 30, 24, kS2t2, "tolerance: 1.0e-8, window: 0.02"));
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_LE(std::abs(found.modes[0].rate), 1e-6);
  EXPECT_EQ(found.modes[0].frequency, 0.0);
  EXPECT_LE(found.modes[0].residual, 1e-8);
}

TEST(BallGrowth, TheDynamoS2t2DecaysBelowAndGrowsAbove) {
  const std::string growth = "tolerance: 1.0e-5, window: 0.02";
  EXPECT_LT(growth_of(dynamo(53.0, 18, 14, kS2t2, growth)).modes.at(0).rate, -0.01);
  EXPECT_GT(growth_of(dynamo(54.0, 18, 14, kS2t2, growth)).modes.at(0).rate, 0.01);
}

// The residual of a mode knows nothing of the harmonics that are not there.
TEST(BallGrowth, RatesOfTooFewHarmonicsFail) {
  const RunOutcome coarse =
      run_case(dynamo(53.562588, 8, 4, kS2t2, "tolerance: 1.0e-5, window: 0.02") +
               "output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}\nverification: {tolerance: 1.0e-2}\n");
  EXPECT_LE(find_check(coarse, "growth").value, 1e-5);
  EXPECT_GT(find_check(coarse, "goal").value, 1e-2);
  EXPECT_EQ(coarse.status, ExitStatus::unresolved);
}

TEST(BallGrowth, TheDynamoS2t1Oscillates) {
  const GrowthResult found = growth_of(dynamo(94.92484, 24, 18, kS2t1, "tolerance: 1.0e-5, window: 0.01"));
  EXPECT_NEAR(found.modes.at(0).rate, 0.0, 1e-4);
  EXPECT_NEAR(found.modes.at(0).frequency, 18.20986, 1e-4);
}

TEST(BallGrowth, TheRadiusIsAUnitOfLength) {
  // Lengths twice as large, the same diffusivity: rates four times smaller, speeds half as large.
  std::string twice = dynamo(25.0, 12, 8, kS2t2, "tolerance: 1.0e-7, window: 0.08");
  const double own = growth_of(dynamo(50.0, 12, 8, kS2t2, "tolerance: 1.0e-7, window: 0.02")).modes.at(0).rate;
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = twice.find(from); at != std::string::npos; at = twice.find(from, at + to.size()))
      twice.replace(at, from.size(), to);
  };
  replace("ball:\n", "ball:\n  radius: 2\n");
  replace("\"r^2*sin(pi*r)\"", "\"r^2/2*sin(pi*r/2)\"");  // t = r T: twice t(r/2) for the same T
  replace("\"0.14*r^2*sin(pi*r)\"", "\"0.14*r^2*sin(pi*r/2)\"");
  replace("r*(5/3 - r^2)", "r*(5/3 - r^2/4)");
  replace("r^2*(7/5 - r^2)", "r^2*(7/5 - r^2/4)");
  EXPECT_NEAR(growth_of(twice).modes.at(0).rate, own / 4.0, 1e-6);
}

struct Onset {
  std::string boundary;
  int l;
  double rayleigh;
};

class BallOnset : public testing::TestWithParam<Onset> {};

TEST_P(BallOnset, IsMarginalAtItsRayleighNumberForAllPrandtlNumbers) {
  const auto& [boundary, l, rayleigh] = GetParam();
  const char* const harmonics[] = {"", "z", "(3*z^2 - r^2)", "(5*z^3 - 3*z*r^2)"};
  for (const double prandtl : {1.0, 7.0}) {
    const GrowthResult found = growth_of(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
constants: {{Pr: {}, Ra: {:.17g}}}
ball:
  degree: {{t: 8, r: 16, l: {}, m: 0}}
  fields:
    Theta: {{kind: scalar, buoyancy: Pr*Ra, background: 1}}
    U: {{kind: velocity, diffusivity: Pr, boundary: {}}}
  terms: [buoyancy, background]
initial: {{Theta: "{}*(1 - r^2)"}}
growth: {{modes: 3, tolerance: 1.0e-7}}
)yaml",
                                                     prandtl, rayleigh, l, boundary, harmonics[l]));
    // Lower degrees l grow already; rounding brings them in.
    double nearest = 1.0;
    for (const GrowthMode& mode : found.modes) nearest = std::min(nearest, std::abs(mode.rate));
    EXPECT_LE(nearest, 1e-6) << prandtl;
  }
}

INSTANTIATE_TEST_SUITE_P(Spheres, BallOnset,
                         testing::Values(Onset{"no_slip", 1, 8040.0468905}, Onset{"no_slip", 2, 10389.0013970},
                                         Onset{"no_slip", 3, 15104.5663742}, Onset{"stress_free", 1, 3091.1927271},
                                         Onset{"stress_free", 2, 5224.1109431}, Onset{"stress_free", 3, 8774.5146845}));

TEST(BallGrowth, MomentsAreTheAdjointsOfVectorFields) {
  const Degrees degrees{1, 4, 5, 3};
  std::vector<Part> parts;
  for (const PartKind kind : {PartKind::toroidal, PartKind::poloidal})
    parts.push_back({0, kind, 1.0, [](Index) { return std::vector<WallCondition>{{1.0, 0.0, 0.0}}; }, false});
  const BallSpace space(parts, degrees);
  const SphereQuadrature quadrature(*radial_functions(0.0), degrees, {0, 20, 8, 5});
  const SphereTransform transform(*radial_functions(0.0), degrees, quadrature.points());
  const auto n = static_cast<std::size_t>(space.series().size());
  std::vector<double> e(n), moments(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) e[i] = std::cos(2.3 * static_cast<double>(i));
  const auto field = transform.vector(space.series(), 0, 1, e.data());
  quadrature.curl_moments(space.series(), 0, field, 1.0, moments.data());
  // <curl(E_n Y r), B> / (l (l+1)) = T_n.
  const auto n_toroidal = static_cast<std::size_t>(space.series().place(0, degrees.l + 1));
  for (std::size_t i = 0; i < n_toroidal; ++i) EXPECT_NEAR(moments[i], e[i], 1e-12) << i;
  // <curl curl(E_n Y r), B> is the energy's derivative: sum of e_n times it is that of the poloidal part.
  quadrature.curl_curl_moments(space.series(), 1, field, 1.0, moments.data());
  double by_moments = 0.0, by_points = 0.0;
  for (Index l = 1; l <= degrees.l; ++l)
    for (Index i = space.series().place(1, l); i < space.series().place(1, l + 1); ++i)
      by_moments +=
          static_cast<double>(l * (l + 1)) * e[static_cast<std::size_t>(i)] * moments[static_cast<std::size_t>(i)];
  const auto poloidal = transform.vector(space.series(), -1, 1, e.data());
  std::vector<double> square(poloidal[0].size());
  for (std::size_t i = 0; i < square.size(); ++i)
    square[i] = poloidal[0][i] * poloidal[0][i] + poloidal[1][i] * poloidal[1][i] + poloidal[2][i] * poloidal[2][i];
  // E_0 Y_0^0 is constant: the integral is its moment over its value.
  const std::vector<Part> scalar = {{0, PartKind::scalar, 1.0, parts[0].conditions, false}};
  const BallSpace scalars(scalar, degrees);
  std::vector<double> integral(static_cast<std::size_t>(scalars.series().size()));
  quadrature.moments(scalars.series(), 0, square, integral.data());
  by_points = integral[0] * std::sqrt(4.0 * 3.14159265358979323846 / 3.0);
  EXPECT_NEAR(by_moments / by_points, 1.0, 1e-12);
}

TEST(BallGrowth, WindowsThatAreTooLongForTheLinearSolverAreTold) {
  // A flow with an order, which only GMRES solves.
  const std::string flow = "toroidal: {\"2,1\": \"r^2*sin(pi*r)\"}, poloidal: {\"2,0\": \"0.14*r^2*sin(pi*r)\"}";
  const std::string yaml = dynamo(400.0, 8, 6, flow, "window: 1");
  const RunOutcome modes = run_case(replaced(yaml, "t: [0, 0.1]", "t: [0, 1.0e-4]"));
  EXPECT_EQ(modes.status, ExitStatus::not_converged);
  EXPECT_NE(modes.report.reason.find("take a shorter growth.window"), std::string::npos) << modes.report.reason;
  const std::string march = yaml.substr(0, yaml.find("growth:"));
  const Case long_windows =
      read_case_text(march, "test.yaml", {parse_override("domain.t=[0, 4]"), parse_override("ball.windows=1")});
  const RunOutcome windows = make_problem(long_windows)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_EQ(windows.status, ExitStatus::unresolved);
  EXPECT_NE(windows.report.reason.find("give more windows"), std::string::npos) << windows.report.reason;
}

// A rigid rotation about another axis than that of the frame: in the inertial frame it stays, so that in a frame with
// the angular velocity rotation/2 it turns with that; without stress at the surface nothing damps it.
TEST(BallGrowth, TheSpinOverModeTurnsWithHalfTheRotation) {
  const GrowthResult found = growth_of(R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  degree: {t: 8, r: 6, l: 3, m: 1}
  fields: {U: {kind: velocity, boundary: stress_free}}
  terms: [coriolis]
  rotation: 20
initial: {U: {toroidal: {"1,1": "r"}}}
growth: {modes: 1, tolerance: 1.0e-9, window: 0.02}
)yaml");
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_NEAR(found.modes[0].rate, 0.0, 1e-8);
  EXPECT_NEAR(found.modes[0].frequency, 10.0, 1e-8);
}

void expect_refused(const std::string& terms, const std::string& fragment,
                    const std::string& fields = "B: {kind: magnetic}") {
  expect_refused_case(ball_case("  degree: {t: 4, r: 8, l: 4}\n  fields: {" + fields + "}\n", terms), fragment);
}

TEST(BallGrowth, TermsThatDoNotFitAreRefused) {
  expect_refused("  terms: [induction]\n", "induction needs a flow");
  expect_refused("  terms: [buoyancy]\n", "buoyancy drives a velocity");
  expect_refused("  terms: [coriolis]\n", "needs ball.rotation", "U: {kind: velocity}");
  expect_refused("  terms: [buoyancy]\n", "needs its factor", "u: {}, U: {kind: velocity}");
  expect_refused("  terms: [induction, induction]\n", "stands twice");
  expect_refused("  flow: {toroidal: {\"4,0\": \"r^5\"}}\n  terms: [induction]\n", "ball.degree has l: 4: raise it");
  expect_refused("  flow: {toroidal: {\"2,0\": \"r^2\"}}\n  terms: [induction]\n", "vanishes like r^3");
  expect_refused("  flow: {poloidal: {\"1,0\": \"r^2\"}}\n  terms: [induction]\n", "leaves through the surface");
  expect_refused("  flow: {poloidal: {\"1,2\": \"r^2\"}}\n  terms: [induction]\n", "take |m| <= l");
  expect_refused("growth: {modes: 1}\n", "without sources", "u: {source: \"x\"}");
}

}  // namespace
}  // namespace gwrm::test::growth_test
