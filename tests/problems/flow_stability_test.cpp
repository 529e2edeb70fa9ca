// Stability of flows, from runs in time of the linearised equations in velocity and pressure: growth rates and
// frequencies.
#include <cmath>
#include <complex>

#include "run_case.hpp"

namespace gwrm::flow_stability_test {
namespace {

using test::replaced;
using test::run_case;

// Plane Poiseuille flow, disturbances exp(i k (x - c t)); `end` is late enough for all but the first one to have died
// out.
constexpr const char* kPoiseuille = R"yaml(
domain: {t: [0, END], x: {range: [0, 2*pi/k], basis: fourier}, y: [-1, 1]}
constants: {Re: REYNOLDS, k: WAVE}
unknowns: [u, v, p]
equations:
  - "dt(u) + (1 - y^2)*dx(u) - 2*y*v = -dx(p) + lap(u)/Re"
  - "dt(v) + (1 - y^2)*dx(v) = -dy(p) + lap(v)/Re"
  - "dx(u) + dy(v) = 0"
initial: {u: "-4*y*(1 - y^2)*cos(k*x)", v: "k*(1 - y^2)^2*sin(k*x)"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
resolution: {degree: {t: 10, x: 1, y: 64}, domains: {t: WINDOWS}}
verification: {estimate: off, tail: 1.0e-2}
output: {grid: {t: 2, x: 2, y: 2}}
)yaml";

// c, from v(y=0) = Re A exp(i k x) at the end and one time before.
std::complex<double> phase_speed(const std::string& reynolds, const std::string& k, double end) {
  const auto text = [](double value) { return std::to_string(std::lround(value)); };
  std::string yaml = replaced(replaced(kPoiseuille, "REYNOLDS", reynolds), "WAVE", k);
  yaml = replaced(replaced(yaml, "END", text(end)), "WINDOWS", text(end / 2));
  const RunOutcome outcome = run_case(yaml);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const auto amplitude = [&](double t) {
    const auto part = [&](const std::string& wave) {
      return test::value_at(outcome.solution, "integral(v*" + wave + "(" + k + "*x), x)", {{"t", t}, {"y", 0.0}});
    };
    return std::complex<double>(part("cos"), -part("sin"));
  };
  constexpr double kApart = 2.0;
  const std::complex<double> ratio = amplitude(end) / amplitude(end - kApart);
  return std::complex<double>(0.0, 1.0) * std::log(ratio) / (std::stod(k) * kApart);
}

// S. A. Orszag, J. Fluid Mech. 50 (1971) 689: 0.23752649 + 0.00373967 i; more digits by Chebyshev collocation in numpy.
TEST(FlowStability, TollmienSchlichtingWaveGrows) {
  const std::complex<double> c = phase_speed("10000", "1", 440.0);
  EXPECT_NEAR(c.real(), 0.2375264888, 1e-8);
  EXPECT_NEAR(c.imag(), 0.0037396706, 1e-8);
}

TEST(FlowStability, TollmienSchlichtingWaveIsNeutral) {
  const std::complex<double> c = phase_speed("5772.2218", "1.02056", 440.0);
  EXPECT_NEAR(c.real(), 0.264001725, 3e-9);
  EXPECT_NEAR(c.imag(), 0.0, 3e-9);
}

// A layer of fluid at rest, heated from below, at the critical Rayleigh number of its wavenumber: one mode neither
// grows nor decays. Rigid walls: 1707.761893 at k = 3.117; walls without stress: 27 pi^4/4 at k = pi/sqrt(2).
constexpr const char* kRest = R"yaml(
domain: {t: [0, 3], x: {range: [0, 2*pi/k], basis: fourier}, y: [0, 1]}
constants: {Ra: RAYLEIGH, k: WAVE}
unknowns: [u, v, p, T]
equations:
  - "dt(u) = -dx(p) + lap(u)"
  - "dt(v) = -dy(p) + lap(v) + Ra*T"
  - "dx(u) + dy(v) = 0"
  - "dt(T) = v + lap(T)"
initial: {u: "0", v: "0", T: "sin(pi*y)*cos(k*x)"}
boundary: ["WALL(y=0) = 0", "WALL(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0", "T(y=0) = 0", "T(y=1) = 0"]
resolution: {degree: {t: 8, x: 1, y: 24}, domains: {t: 30}}
verification: {estimate: off, tail: 1, residual: 10}  # of the first instants, which do not fit the walls
output: {grid: {t: 2, x: 2, y: 2}}
)yaml";

double growth(const std::string& yaml) {
  const RunOutcome outcome = run_case(yaml);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const auto v = [&](double t) { return test::value_at(outcome.solution, "v", {{"t", t}, {"x", 0.0}, {"y", 0.5}}); };
  return std::log(v(3.0) / v(2.0));
}

std::string heated(const std::string& rayleigh, const std::string& wave, const std::string& at_walls) {
  const std::string yaml = replaced(replaced(kRest, "RAYLEIGH", rayleigh), "WAVE", wave);
  return replaced(replaced(yaml, "WALL", at_walls), "WALL", at_walls);
}

TEST(FlowStability, RayleighBenardIsNeutralAtTheCriticalNumber) {
  EXPECT_NEAR(growth(heated("1707.761893", "3.117", "u")), 0.0, 1e-7);
  EXPECT_NEAR(growth(heated("27*pi^4/4", "pi/sqrt(2)", "dy(u)")), 0.0, 1e-10);
  EXPECT_GT(growth(heated("1709", "3.117", "u")), 1e-3);
  EXPECT_LT(growth(heated("1706", "3.117", "u")), -1e-3);
}

}  // namespace
}  // namespace gwrm::flow_stability_test
