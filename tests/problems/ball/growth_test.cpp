// Growth rates against values that others found by eigenvalue solvers: kinematic dynamos of Dudley and James, the onset
// of convection (method/ball, section 5).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

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

// The order l has the degree l only.
GrowthResult convection(const Onset& onset, double rayleigh, double prandtl) {
  return growth_of(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
constants: {{Pr: {}, Ra: {:.17g}}}
ball:
  degree: {{t: 8, r: 16, l: {}, m: [{}]}}
  fields:
    Theta: {{kind: scalar, buoyancy: Pr*Ra, background: 1}}
    U: {{kind: velocity, diffusivity: Pr, boundary: {}}}
  terms: [buoyancy, background]
growth: {{modes: 1, tolerance: 1.0e-7}}
)yaml",
                               prandtl, rayleigh, onset.l, onset.l, onset.boundary));
}

TEST_P(BallOnset, IsMarginalAtItsRayleighNumberForAllPrandtlNumbers) {
  const Onset& onset = GetParam();
  // Without stress a rigid rotation, of the degree 1, neither grows nor decays at any Rayleigh number.
  const bool has_rotation = onset.boundary == "stress_free" && onset.l == 1;
  for (const double prandtl : {1.0, 7.0}) {
    EXPECT_NEAR(convection(onset, onset.rayleigh, prandtl).modes.at(0).rate, 0.0, 1e-6) << prandtl;
    EXPECT_GT(convection(onset, 1.1 * onset.rayleigh, prandtl).modes.at(0).rate, 0.1) << prandtl;
    const double below = convection(onset, 0.9 * onset.rayleigh, prandtl).modes.at(0).rate;
    if (has_rotation)
      EXPECT_NEAR(below, 0.0, 1e-6) << prandtl;
    else
      EXPECT_LT(below, -0.1) << prandtl;
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

TEST(BallGrowth, WindowsThatAreTooLongForTheLinearSolverAreShortened) {
  // A flow with an order, which only GMRES solves.
  const std::string flow = "toroidal: {\"2,1\": \"r^2*sin(pi*r)\"}, poloidal: {\"2,0\": \"0.14*r^2*sin(pi*r)\"}";
  const GrowthResult modes = growth_of(dynamo(100.0, 8, 6, flow, "window: 1, tolerance: 1.0e-6"));
  EXPECT_EQ(modes.failure, "");
  EXPECT_LT(modes.window, 0.1);
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_LE(modes.modes[0].residual, 1e-6);
  const GrowthResult known = growth_of(dynamo(100.0, 8, 6, flow, "window: 0.002, tolerance: 1.0e-6"));
  EXPECT_NEAR(modes.modes[0].rate, known.modes.at(0).rate, 1e-4);
  const std::string yaml = dynamo(400.0, 8, 6, flow, "window: 1"), march = yaml.substr(0, yaml.find("growth:"));
  const Case long_windows =
      read_case_text(march, "test.yaml", {parse_override("domain.t=[0, 4]"), parse_override("ball.windows=1")});
  const RunOutcome windows = make_problem(long_windows)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_EQ(windows.status, ExitStatus::unresolved);
  EXPECT_NE(windows.report.reason.find("give more windows"), std::string::npos) << windows.report.reason;
}

// A rigid rotation about another axis than that of the frame: in the inertial frame it stays, so that in a frame with
// the angular velocity rotation/2 it turns with that; without stress at the surface nothing damps it. A window given of
// 0.02 is longer than pi over the frequency of the last two: they came out as 114.159 and not at all.
TEST(BallGrowth, TheSpinOverModeTurnsWithHalfTheRotation) {
  for (const auto& [rotation, window] : {std::pair{20.0, 0.02}, {400.0, 0.0}, {400.0, 0.02}, {3333.0, 0.02}}) {
    const RunOutcome outcome = run_case(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.001]}}
ball:
  degree: {{t: 8, r: 8, l: 5, m: [1]}}
  fields: {{U: {{kind: velocity, boundary: stress_free}}}}
  terms: [coriolis]
  rotation: {}
growth: {{modes: 1, tolerance: 1.0e-7, window: {}}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
)yaml",
                                                    rotation, window));
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    for (const NamedArray& array : outcome.module_arrays->arrays) {
      if (array.name == "growth_rate") {
        EXPECT_NEAR(array.values.at(0), 0.0, 1e-7) << rotation;
      } else if (array.name == "growth_frequency") {
        EXPECT_NEAR(array.values.at(0), rotation / 2.0, 1e-8 * rotation) << rotation;
      }
    }
  }
}

// Decay rates of u = 0 at the surface: squares of the zeros of spherical Bessel functions (Abramowitz and Stegun, table
// 10.6), cosines and sines counted once.
TEST(BallGrowth, DecayRatesAreSquaresOfZerosOfBesselFunctions) {
  const auto decays = [](const std::string& degree, int modes) {
    return run_case(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.01]}}
ball:
  degree: {{{}}}
  fields: {{u: {{boundary: value}}}}
growth: {{modes: {}, tolerance: 1.0e-8}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
)yaml",
                                degree, modes));
  };
  const auto expect = [](const RunOutcome& outcome, const std::vector<double>& zeros) {
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    for (const NamedArray& array : outcome.module_arrays->arrays)
      if (array.name == "growth_rate") {
        ASSERT_EQ(array.values.size(), zeros.size());
        for (std::size_t i = 0; i < zeros.size(); ++i)
          EXPECT_NEAR(array.values[i] / (zeros[i] * zeros[i]), -1.0, 1e-9) << i;
      }
  };
  const double pi = 3.14159265358979323846;
  expect(decays("t: 12, r: 24, l: 0, m: [0]", 3), {pi, 2 * pi, 3 * pi});
  expect(decays("t: 10, r: 24, l: 4, m: 4", 12),
         {pi, 4.4934094579, 5.7634591969, 2 * pi, 6.9879320005, 7.7252518369, 8.1825614526, 9.0950113305, 3 * pi,
          10.4171185474, 10.9041216594, 11.7049071546});
  // A window of 0.02 is as long as a hundred decay times of l = 64; the first zero of j_64 bisected.
  double below = 66.0, above = 76.0;
  while (above - below > 1e-13) {
    const double middle = (below + above) / 2.0;
    (std::sph_bessel(64, middle) > 0.0 ? below : above) = middle;
  }
  expect(decays("t: 12, r: 24, l: 64, m: [64]", 1), {below});
}

// `initial` has the degree l = 1 only, the fastest mode another one: the same modes as from any other initial values.
TEST(BallGrowth, TheFastestModeIsFoundFromInitialValuesOfAnotherSymmetry) {
  const auto rate = [](const std::string& initial) {
    const GrowthResult found = growth_of(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  degree: {{t: 8, r: 16, l: 5, m: 0}}
  fields:
    Theta: {{kind: scalar, boundary: value, buoyancy: 60000, background: 1}}
    U: {{kind: velocity, boundary: no_slip}}
  terms: [buoyancy, background]
initial: {{Theta: "{}*(1 - r^2)^3"}}
growth: {{modes: 1, tolerance: 1.0e-8}}
)yaml",
                                                     initial));
    return found.modes.at(0).rate;
  };
  const double found = rate("z");
  EXPECT_GT(found, 57.7);  // 45.7 with l = 1
  EXPECT_EQ(found, rate("(3*z^2 - r^2)"));
}

// Rotating convection without slip, E = 1e-3, m = 2 (method/ball-rotation, sections 2 and 3: an eigenvalue solver in
// numpy): the critical Rayleigh number, and a case whose modes antisymmetric about the equator decay at 34.38.
TEST(BallGrowth, RotatingConvectionHasTheModesOfBothParities) {
  const auto modes = [](double rayleigh) {
    return growth_of(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.001]}}
ball:
  degree: {{t: 8, r: 20, l: 20, m: [2]}}
  fields:
    Theta: {{kind: scalar, boundary: value, buoyancy: {:.17g}, background: 1}}
    U: {{kind: velocity, boundary: no_slip}}
  terms: [coriolis, buoyancy, background]
  rotation: 1000
growth: {{modes: 2, tolerance: 1.0e-6}}
)yaml",
                                 1000.0 * rayleigh))
        .modes;
  };
  const std::vector<GrowthMode> critical = modes(80.15269350), above = modes(96.0);
  EXPECT_NEAR(critical.at(0).rate, 0.0, 1e-6);
  EXPECT_NEAR(critical.at(0).frequency, 10.69587400, 1e-7);
  EXPECT_NEAR(above.at(0).rate, 6.118, 5e-4);
  EXPECT_NEAR(above.at(1).rate, -34.38, 5e-3);
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
