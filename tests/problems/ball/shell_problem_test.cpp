// Whole runs in a shell against closed solutions, the onset of convection against collocation, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"
#include "problems/ball/growth.hpp"
#include "shell_oracles.hpp"

namespace gwrm::test::shell_problem_test {
namespace {

using namespace ball;

constexpr double kInner = 0.35;

double value(const Jet& f, unsigned, double) {
  return f.value;
}

// The slowest poloidal dipole and a toroidal quadrupole, in units in which the radius is R.
TEST(ShellProblem, MagneticFieldsDecayAsTheyShouldInShellsOfAnySize) {
  const auto outside = [](const Jet& f, unsigned l, double r) { return r * f.slope + (l + 1.0) * f.value; };
  const auto inside = [](const Jet& f, unsigned l, double r) { return r * f.slope - l * f.value; };
  for (const double radius : {1.0, 3.0}) {
    const double k = slowest_wave({{radius, outside}, {radius * kInner, inside}}, 1, 0.05 / radius),
                 q = slowest_wave({{radius, value}, {radius * kInner, value}}, 1, 0.05 / radius);
    const Jet j = bessel_jet(false, 1, k, radius), y = bessel_jet(true, 1, k, radius);
    const double mixed = -(radius * j.slope + 2.0 * j.value) / (radius * y.slope + 2.0 * y.value),
                 turned = -bessel_jet(false, 1, q, radius).value / bessel_jet(true, 1, q, radius).value;
    // j_1(x) = sin(x)/x^2 - cos(x)/x, y_1(x) = -cos(x)/x^2 - sin(x)/x
    const auto factor = [](double wave, double second) {
      const std::string x = fmt::format("({:.17g}*r)", wave);
      return fmt::format("(sin({0})/{0}^2 - cos({0})/{0} + ({1:.17g})*(-cos({0})/{0}^2 - sin({0})/{0}))", x, second);
    };
    expect_exact(
        fmt::format(R"yaml(
problem: ball
domain: {{t: [0, {2:.17g}]}}
ball:
  radius: {0}
  inner_radius: {1:.17g}
  degree: {{t: 12, r: 20, l: 1}}
  windows: 4
  fields: {{B: {{kind: magnetic}}}}
initial: {{B: {{poloidal: {{"1,0": "{3}"}}, toroidal: {{"1,1": "{5}"}}}}}}
exact:
  B_r: "2/r*{3}*cos(theta)*exp(-{4:.17g}*t)"
  B_phi: "{5}*(-cos(theta)*cos(phi))*exp(-{6:.17g}*t)"
output: {{grid: {{t: 4, r: 5, theta: 4, phi: 5}}}}
verification: {{tolerance: 1.0e-10}}
)yaml",
                    radius, radius * kInner, 0.1 * radius * radius, factor(k, mixed), k * k, factor(q, turned), q * q),
        1e-10);
  }
}

// sin(k (r - a))/r decays with k^2, k = pi/(1 - a); on an insulating core, (r - a) cos + .. of the equation tan(k d) =
// k.
TEST(ShellProblem, HeatLeavesThroughBothWallsOrOne) {
  const auto decay = [](const std::string& boundary, const std::string& shape, double k) {
    expect_exact(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.05]}}
ball:
  inner_radius: 0.35
  degree: {{t: 12, r: 18, l: 1}}
  windows: 4
  fields: {{u: {{kind: scalar, boundary: {}}}}}
initial: {{u: "{}"}}
exact: {{u: "({})*exp(-{:.17g}*t)"}}
output: {{grid: {{t: 4, r: 5, theta: 3, phi: 3}}}}
verification: {{tolerance: 1.0e-10}}
)yaml",
                             boundary, shape, shape, k * k),
                 1e-10);
  };
  const double k = 3.14159265358979323846 / (1.0 - kInner);
  decay("value", fmt::format("sin({:.17g}*(r - 0.35))/r", k), k);
  // u = sin(q (1 - r))/r with u_r = 0 at a: q a cos(q d) + sin(q d) = 0.
  const double q = slowest_wave({{1.0, value}, {kInner, [](const Jet& f, unsigned, double) { return f.slope; }}}, 0);
  decay("{outer: value, inner: slope}", fmt::format("sin({:.17g}*(1 - r))/r", q), q);
}

struct Onset {
  std::string outer, inner;
  int l;
  bool conducts;
};

class ShellOnset : public testing::TestWithParam<Onset> {};

TEST_P(ShellOnset, IsMarginalAtTheRayleighNumberOfCollocation) {
  const auto& [outer, inner, l, conducts] = GetParam();
  const double rayleigh = critical_rayleigh(l, kInner, 32, outer == "stress_free", inner == "stress_free", conducts);
  for (const double prandtl : {1.0, 7.0}) {
    const Case the_case =
        read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
constants: {{Pr: {}, Ra: {:.17g}}}
ball:
  inner_radius: 0.35
  degree: {{t: 8, r: 22, l: {}, m: [{}]}}
  fields:
    Theta: {{kind: scalar, buoyancy: Pr*Ra, {}: 1}}
    U: {{kind: velocity, diffusivity: Pr, boundary: {{outer: {}, inner: {}}}}}
  terms: [buoyancy, background]
growth: {{modes: 1, tolerance: 1.0e-7}}
)yaml",
                                   prandtl, rayleigh, l, l, conducts ? "contrast" : "background", outer, inner),
                       "test.yaml");
    const BallModel model(the_case);
    const GrowthResult found = find_growth(model, BallSpace(model.parts(), model.degrees()), {});
    // The order l has the degree l only, and no rigid rotation above l = 1.
    EXPECT_NEAR(found.modes.at(0).rate, 0.0, 1e-6) << prandtl;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shells, ShellOnset,
    testing::Values(Onset{"no_slip", "no_slip", 2, true}, Onset{"no_slip", "no_slip", 3, true},
                    Onset{"no_slip", "no_slip", 4, true}, Onset{"stress_free", "stress_free", 1, true},
                    Onset{"stress_free", "stress_free", 2, true}, Onset{"stress_free", "no_slip", 2, true},
                    Onset{"no_slip", "no_slip", 3, false}, Onset{"stress_free", "stress_free", 2, false},
                    Onset{"no_slip", "stress_free", 2, false}));

// A shell three times as large, the same fluid: the contrast's gradient is three times smaller, gravity three times
// larger at the same place, and rates are nine times smaller.
TEST(ShellProblem, TheRadiusIsAUnitOfLength) {
  const auto rate = [](double radius, double buoyancy) {
    const Case the_case =
        read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  radius: {0}
  inner_radius: {1:.17g}
  degree: {{t: 8, r: 14, l: 3, m: 0}}
  fields: {{Theta: {{buoyancy: {2:.17g}, contrast: 1}}, U: {{kind: velocity}}}}
  terms: [buoyancy, background, coriolis]
  rotation: {3:.17g}
initial: {{Theta: "z*({0} - r)*(r - {1:.17g})"}}
growth: {{modes: 1, tolerance: 1.0e-8, window: {4:.17g}}}
)yaml",
                                   radius, radius * kInner, buoyancy, 30.0 / (radius * radius), 0.02 * radius * radius),
                       "test.yaml");
    const BallModel model(the_case);
    return find_growth(model, BallSpace(model.parts(), model.degrees()), {}).modes.at(0).rate;
  };
  // Ra is buoyancy contrast R^4 / kappa^2 with the force g Theta r.
  const double own = rate(1.0, 20000.0);
  EXPECT_GT(std::abs(own), 0.1);
  EXPECT_NEAR(rate(3.0, 20000.0 / 81.0) * 9.0, own, 1e-6 * std::abs(own));
}

TEST(ShellProblem, TheCaseIsKeptAsItIs) {
  const Case the_case = read_case_text(R"yaml(
problem: ball
domain: {t: [0, 1]}
ball:
  radius: 2
  inner_radius: 0.5
  degree: {t: 4, r: 8, l: 2}
  fields:
    Theta: {boundary: {outer: value, inner: robin}, robin: 3, contrast: 2, buoyancy: 1}
    U: {kind: velocity, boundary: {inner: stress_free}}
    B: {kind: magnetic, boundary: conducting}
  terms: [buoyancy, background]
)yaml",
                                       "test.yaml");
  EXPECT_EQ(read_case_text(the_case.resolved_text, "resolved.yaml").resolved_text, the_case.resolved_text);
  const auto& ball = section_of<BallCase>(the_case);
  EXPECT_EQ(ball.fields[0].inner_boundary, BoundaryWord::robin);
  EXPECT_EQ(ball.fields[1].boundary, BoundaryWord::no_slip);
  EXPECT_EQ(ball.fields[1].inner_boundary, BoundaryWord::stress_free);
  EXPECT_EQ(ball.fields[2].inner_boundary, BoundaryWord::conducting);
  EXPECT_EQ(the_case.domain[1].axis.lower, 0.5);
  EXPECT_EQ(the_case.domain[1].axis.upper, 2.0);
  std::string all;
  for (const auto& line : make_problem(the_case)->summary().system) all += line.text + "\n";
  EXPECT_NE(all.find("dr(Theta) - 3*Theta = 0 at r = 0.5"), std::string::npos) << all;
  EXPECT_NE(all.find("dr(dr(U_poloidal)) = 0 at r = 0.5"), std::string::npos) << all;
  EXPECT_NE(all.find("1.33333*U_r/r^2"), std::string::npos) << all;
}

// Degrees that the program chooses, and too low ones that it tells.
TEST(ShellProblem, DegreesAreChosenAndJudged) {
  const auto run = [](const std::string& degree) {
    return run_case("problem: ball\ndomain: {t: [0, 0.1]}\nball:\n  inner_radius: 0.35\n" + degree +
                    "  tolerance: 1.0e-7\n  fields: {B: {kind: magnetic, diffusivity: 0.2}}\n"
                    "  flow: {toroidal: {\"1,0\": \"(1 - r)*(r - 0.35)*20\"}, poloidal: {\"2,0\": "
                    "\"(1 - r)*(r - 0.35)*exp(r)*5\"}}\n"
                    "  terms: [induction]\ninitial: {B: {toroidal: {\"1,0\": \"(1 - r)*(r - 0.35)\"}}}\n"
                    "output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}\nverification: {tolerance: 1.0e-3}\n");
  };
  const RunOutcome chosen = run("");
  EXPECT_EQ(chosen.status, ExitStatus::converged) << chosen.report.reason;
  EXPECT_EQ(run("  degree: {t: 6, r: 4, l: 12}\n").status, ExitStatus::unresolved);
  EXPECT_EQ(run("  degree: {t: 6, r: 20, l: 3}\n").status, ExitStatus::unresolved);
}

void expect_refused(const std::string& ball, const std::string& more, const std::string& fragment) {
  expect_refused_case(ball_case(ball, more), fragment);
}

TEST(ShellProblem, BadCasesAreRefusedWithTheirPlaceAndCure) {
  const std::string degree = "  degree: {t: 4, r: 8, l: 4}\n", shell = "  inner_radius: 0.35\n" + degree;
  const auto fields = [](const std::string& text) { return "  fields: {" + text + "}\n"; };
  expect_refused("  inner_radius: 1\n" + degree + fields("u: {}"), "", "is not below the radius 1");
  expect_refused("  inner_radius: 1.5\n" + degree + fields("u: {}"), "", "take a smaller one");
  expect_refused("  radius: 0.3\n" + shell + fields("u: {}"), "", "is not below the radius 0.3");
  for (const char* radius : {"0", "-0.2"})
    for (const char* fragment : {"test.yaml:4:", "greater than 0", "leave it out for the full sphere"})
      expect_refused(fmt::format("  inner_radius: {}\n", radius) + degree + fields("u: {}"), "", fragment);
  expect_refused("  inner_radius: 0.35\n  degree: {t: 4, r: 8, l: 2, m: 3}\n" + fields("u: {}"), "", "take m <= l");
  expect_refused("  inner_radius: 0.35\n  degree: {t: 4, r: 1, l: 2}\n" + fields("u: {}"), "", "raise r to 2");
  expect_refused("  inner_radius: 0.35\n  degree: {t: 4, r: 3, l: 2}\n" + fields("U: {kind: velocity}"), "",
                 "raise r to 4");
  expect_refused(degree + fields("u: {boundary: {outer: value, inner: slope}}"), "", "a full sphere has one wall");
  expect_refused(degree + fields("u: {contrast: 1}"), "", "give ball.inner_radius");
  expect_refused(shell + fields("B: {kind: magnetic, contrast: 1}"), "", "for scalar fields");
  expect_refused(shell + fields("u: {boundary: {inner: no_slip}}"), "", "take one of value, slope, robin");
  expect_refused(shell + fields("u: {boundary: {core: value}}"), "", "core");
  expect_refused(shell + fields("U: {kind: velocity}, T: {buoyancy: 1}") + "  terms: [background]\n", "",
                 "Theta: {contrast: 1}");
  const std::string field = fields("B: {kind: magnetic}"), start = "initial: {B: {poloidal: {\"1,0\": \"";
  expect_refused(shell + field, start + "r*(5/3 - r^2)\"}}}\n", "dr(P) - l/r*P = 0 at the inner wall: it misses by");
  expect_refused(shell + field, start + "(1-r)*(r-0.35)^2\"}}}\n", "at the surface: it misses by");
  expect_refused(shell + field, start + "abs(r-0.6)\"}}}\n", "too low an r");
  const std::string flow = "  flow: {poloidal: {\"1,0\": \"";
  expect_refused(shell + field + flow + "1 - r\"}}\n  terms: [induction]\n", "", "leaves through the inner wall");
  expect_refused(shell + field + flow + "r - 0.35\"}}\n  terms: [induction]\n", "", "leaves through the surface");
  expect_refused(shell + field + flow + "abs(r-0.6)\"}}\n  terms: [induction]\n", "", "no smooth function of r");
}

}  // namespace
}  // namespace gwrm::test::shell_problem_test
