// Scalars with hyperdiffusion against the modes of clamped balls, combinations of j_l(alpha r) and i_l(beta r), whose
// rates are roots of a transcendental equation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"
#include "problems/ball/growth.hpp"

namespace gwrm::test::hyperdiffusion_test {
namespace {

using namespace ball;

// x^l sum (+-x^2/2)^k / (k! (2l+2k+1)!!): j_l with the sign -, i_l with +.
long double spherical_bessel(int l, long double x, int sign) {
  long double term = 1.0L, sum = 0.0L;
  for (int i = 1; i <= l; ++i) term *= x / (2 * i + 1);
  for (int k = 0; k < 80; ++k) {
    sum += term;
    term *= sign * x * x / 2 / ((k + 1) * (2.0L * l + 2 * k + 3));
  }
  return sum;
}
long double slope_of_bessel(int l, long double x, int sign) {
  return l / x * spherical_bessel(l, x, sign) + sign * spherical_bessel(l + 1, x, sign);
}

// The root between a and b of alpha j_l'(alpha) i_l(beta) - beta j_l(alpha) i_l'(beta), beta^2 = alpha^2 + difference:
// a mode of kappa lap - kappa_4 lap lap for the difference kappa/kappa_4, with the rate kappa alpha^2 + kappa_4
// alpha^4.
long double clamped_root(int l, long double difference, long double a, long double b) {
  const auto f = [&](long double alpha) {
    const long double beta = std::sqrt(alpha * alpha + difference);
    return alpha * slope_of_bessel(l, alpha, -1) * spherical_bessel(l, beta, 1) -
           beta * spherical_bessel(l, alpha, -1) * slope_of_bessel(l, beta, 1);
  };
  for (int i = 0; i < 200; ++i) {
    const long double middle = (a + b) / 2;
    (f(a) * f(middle) <= 0 ? b : a) = middle;
  }
  return (a + b) / 2;
}

GrowthResult decay(const std::string& field, int l, const std::string& harmonic, double radius = 1.0) {
  const Case the_case = read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  radius: {}
  degree: {{t: 12, r: 18, l: {}, m: 0}}
  fields: {{u: {}}}
initial: {{u: "{}*({} - r^2)^2"}}
growth: {{modes: 3, tolerance: 1.0e-9}}
)yaml",
                                                   radius, l, field, harmonic, radius * radius),
                                       "test.yaml");
  const BallModel model(the_case);
  return find_growth(model, BallSpace(model.parts(), model.degrees()), {});
}

// Other harmonics come in by rounding.
double nearest(const GrowthResult& found, double rate) {
  double best = INFINITY;
  for (const GrowthMode& mode : found.modes)
    if (std::abs(mode.rate - rate) < std::abs(best - rate)) best = mode.rate;
  return best;
}

// From the energy of degree l at two times, when the slowest mode of it is the only one left.
double rate_by_energy(int l, const std::string& harmonic, double from, double to) {
  const RunOutcome outcome = run_case(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, {3}]}}
ball:
  degree: {{t: 12, r: 18, l: {0}, m: 0}}
  tolerance: 1.0e-12
  fields: {{u: {{hyperdiffusion: 1, diffusivity: 0}}}}
initial: {{u: "{1}*(1 - r^2)^2"}}
output: {{grid: {{t: [0, {2}, {3}], r: 3, theta: 3, phi: 3}}}}
verification: {{estimate: off}}
)yaml",
                                                  l, harmonic, from, to));
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  for (const NamedArray& array : outcome.module_arrays->arrays)
    if (array.name == "u_energy_of_l") {
      const auto at = [&](std::size_t time) { return array.values[(time + 1) * static_cast<std::size_t>(l + 1) - 1]; };
      return std::log(at(2) / at(1)) / (2.0 * (to - from));
    }
  return NAN;
}

TEST(BallHyperdiffusion, ClampedBallsDecayWithTheFourthPowersOfTheirRoots) {
  const auto first = static_cast<double>(clamped_root(1, 0.0L, 4.0L, 6.0L)),
             fourth = static_cast<double>(clamped_root(4, 0.0L, 8.0L, 10.0L));
  // method/ball, section 4: as printed there.
  EXPECT_NEAR(first, 5.2676575, 5e-8);
  EXPECT_NEAR(fourth, 8.9386927, 5e-8);
  const double of_first = -std::pow(first, 4), of_fourth = -std::pow(fourth, 4);
  EXPECT_NEAR(nearest(decay("{hyperdiffusion: 1, diffusivity: 0}", 1, "z"), of_first) / of_first, 1.0, 1e-10);
  EXPECT_NEAR(rate_by_energy(1, "z", 0.005, 0.006) / of_first, 1.0, 1e-10);
  EXPECT_NEAR(rate_by_energy(4, "(35*z^4 - 30*z^2*r^2 + 3*r^4)", 0.0011, 0.0016) / of_fourth, 1.0, 1e-10);
}

TEST(BallHyperdiffusion, DiffusionAndTheRadiusAreTakenWithIt) {
  // Radius 2: kappa/R^2 and kappa_4/R^4 in the unit ball.
  const double kappa = 3.0, kappa_4 = 0.8, radius = 2.0;
  const double unit = kappa / std::pow(radius, 2), unit_4 = kappa_4 / std::pow(radius, 4);
  for (int l : {0, 2}) {
    const auto alpha = static_cast<double>(clamped_root(l, unit / unit_4, l == 0 ? 3.2L : 5.8L, l == 0 ? 4.4L : 7.0L));
    const double rate = -(unit * alpha * alpha + unit_4 * std::pow(alpha, 4));
    const GrowthResult found = decay("{diffusivity: 3, hyperdiffusion: 0.8}", l, l == 0 ? "1" : "x*y", radius);
    EXPECT_NEAR(nearest(found, rate) / rate, 1.0, 1e-10) << l;
  }
}

// lap of (4 - r^2)^2 and of x z (4 - r^2)^2: -48 + 20 r^2, (36 r^2 - 112) x z; their Laplacians: 120, 504 x z.
const std::string kMade = R"yaml(
problem: ball
domain: {t: [0, 1]}
ball:
  radius: 2
  degree: {t: 12, r: 6, l: 2, m: 1}
  fields:
    u: {diffusivity: 0.5, hyperdiffusion: 0.1, source: "cos(t)*(4 - r^2)^2*(1 + x*z)
          - 0.5*sin(t)*(20*r^2 - 48 + (36*r^2 - 112)*x*z) + 0.1*sin(t)*(120 + 504*x*z)"}
exact: {u: "sin(t)*(4 - r^2)^2*(1 + x*z)"}
output: {grid: {t: 4, r: 5, theta: 5, phi: 5}}
verification: {tolerance: 1.0e-9}
)yaml";

TEST(BallHyperdiffusion, SourcesAndAllChecksKnowIt) {
  const RunOutcome outcome = expect_exact(kMade, 1e-9);
  EXPECT_LE(find_check(outcome, "residual").value, 1e-9);
  EXPECT_LE(find_check(outcome, "boundary").value, 1e-12);
}

// The nearest clamped field is another one.
TEST(BallHyperdiffusion, AFieldThatIsNotClampedFails) {
  const RunOutcome outcome = run_case(R"yaml(
problem: ball
domain: {t: [0, 0.001]}
ball:
  degree: {t: 8, r: 16, l: 1, m: 0}
  tolerance: 1.0e-6
  fields: {u: {hyperdiffusion: 1, diffusivity: 0}}
initial: {u: "z*(1 - r^2)"}
output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_GT(find_check(outcome, "initial").value, 1e-4);
}

// With a velocity that stays zero, so that Theta is the clamped mode all the same; with terms the residual is another.
TEST(BallHyperdiffusion, TheResidualOfCoupledEquationsKnowsIt) {
  const RunOutcome outcome =
      run_case(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.001]}}
constants: {{k: {0:.17g}, c: {1:.17g}}}
ball:
  degree: {{t: 10, r: 16, l: 1, m: 0}}
  tolerance: 1.0e-11
  fields:
    Theta: {{hyperdiffusion: 1, diffusivity: 0, background: 1}}
    U: {{kind: velocity, boundary: no_slip}}
  terms: [background]
initial: {{Theta: "(sin(k*r)/(k*r)^2 - cos(k*r)/(k*r) - c*(cosh(k*r)/(k*r) - sinh(k*r)/(k*r)^2))*cos(theta)"}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
verification: {{tolerance: 1.0e-9}}
)yaml",
                           static_cast<double>(clamped_root(1, 0.0L, 4.0L, 6.0L)), -0.008762391698174629));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(find_check(outcome, "residual", "Theta").value, 1e-8);
}

void expect_refused(const std::string& field, const std::string& fragment, int degree = 8) {
  expect_refused_case(ball_case(fmt::format("  degree: {{t: 4, r: {}, l: 2}}\n  fields: {{u: {}}}\n", degree, field)),
                      fragment);
}

TEST(BallHyperdiffusion, BadCasesAreRefusedWithTheirPlaceAndCure) {
  expect_refused("{hyperdiffusion: 1, boundary: value}", "takes two conditions at the surface, `value` is one");
  expect_refused("{boundary: clamped}", "give a factor in hyperdiffusion");
  expect_refused("{diffusivity: 0}", "give a factor in hyperdiffusion");
  expect_refused("{kind: magnetic, diffusivity: 0}", "must be greater than 0");
  expect_refused("{kind: velocity, hyperdiffusion: 1}", "for scalar fields");
  expect_refused("{hyperdiffusion: -1}", "at least 0");
  expect_refused("{hyperdiffusion: 1}", "raise r to 2", 1);
}

TEST(BallHyperdiffusion, TheResolvedCaseKeepsIt) {
  const Case the_case = read_case_text(kMade, "test.yaml");
  EXPECT_EQ(read_case_text(the_case.resolved_text, "resolved.yaml").resolved_text, the_case.resolved_text);
  EXPECT_NE(the_case.resolved_text.find("hyperdiffusion"), std::string::npos);
}

}  // namespace
}  // namespace gwrm::test::hyperdiffusion_test
