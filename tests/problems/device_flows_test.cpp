// Flows in velocity and pressure on the device, between walls wavenumber by wavenumber, in boxes by block LU: the
// answer of the CPU.
#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "run_case.hpp"

namespace gwrm::device_flows_test {
namespace {

const std::string kConvection = R"yaml(schema: 1
domain: {t: [0, 0.02], x: {range: [0, 2*pi/3.117], basis: fourier}, y: [0, 1]}
constants: {Ra: 5000, k: 3.117}
unknowns: [u, v, p, T]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + lap(v) + Ra*T"
  - "dx(u) + dy(v) = 0"
  - "dt(T) + u*dx(T) + v*dy(T) = lap(T)"
initial:
  u: "-2*pi/k*sin(pi*y)*cos(pi*y)*sin(k*x)"
  v: "sin(pi*y)^2*cos(k*x)"
  T: "1 - y"
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0", "T(y=0) = 1", "T(y=1) = 0"]
resolution: {degree: {t: 6, x: 8, y: 16}, domains: {t: 3}}
backend: cuda
solver: {newton: {tolerance: 9.0e-13}}  # given: iterations go to the end on both sides
verification: {tolerance: 1.0, tail: 10, residual: 1.0e+6, estimate: off}
)yaml";

// A mean flow along x, and waves across it.
const std::string kChannel = R"yaml(schema: 1
domain: {t: [0, 0.5], x: {range: [0, 2*pi], basis: fourier}, y: [-1, 1], z: {range: [0, pi], basis: fourier}}
constants: {Re: 200, a: 0.05}
unknowns: [u, v, w, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) + w*dz(u) = -dx(p) + 2/Re + lap(u)/Re"
  - "dt(v) + u*dx(v) + v*dy(v) + w*dz(v) = -dy(p) + lap(v)/Re"
  - "dt(w) + u*dx(w) + v*dy(w) + w*dz(w) = -dz(p) + lap(w)/Re"
  - "dx(u) + dy(v) + dz(w) = 0"
initial:
  u: "1 - y^2 - 4*a*y*(1 - y^2)*cos(x)"
  v: "a*(1 - y^2)^2*sin(x)"
  w: "a*(1 - y^2)*sin(x)"
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0", "w(y=-1) = 0", "w(y=1) = 0"]
resolution: {degree: {t: 4, x: 3, y: 14, z: 2}, domains: {t: 2}}
backend: cuda
solver: {newton: {tolerance: 9.0e-13}}
verification: {tolerance: 1.0, tail: 10, residual: 1.0e+6, estimate: off}
)yaml";

// Heavy fluid above light: the factor of dt(u) is an unknown that varies along the averaged axis.
const std::string kVariableDensity = R"yaml(schema: 1
domain: {t: [0, 0.4], x: {range: [0, 1], basis: fourier}, y: [0, 1]}
unknowns: [rho, u, v, p]
equations:
  - "dt(rho) + u*dx(rho) + v*dy(rho) = 0.05*lap(rho)"
  - "rho*(dt(u) + u*dx(u) + v*dy(u)) = -dx(p) + 0.05*lap(u)"
  - "rho*(dt(v) + u*dx(v) + v*dy(v)) = -dy(p) + 0.05*lap(v) - rho"
  - "dx(u) + dy(v) = 0"
initial: {rho: "1.5 - 0.5*cos(pi*y) + 0.3*cos(2*pi*x)*sin(pi*y)^2", u: "0", v: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = t^2", "v(y=0) = 0", "v(y=1) = 0", "dy(rho)(y=0) = 0", "dy(rho)(y=1) = 0"]
resolution: {degree: {t: 5, x: 8, y: 16}, domains: {t: 2}}
backend: cuda
solver: {newton: {tolerance: 9.0e-13}}
verification: {tolerance: 1.0, tail: 10, residual: 1.0e+6, estimate: off}
)yaml";

// No multiplier: vorticity and stream function.
const std::string kVorticity = R"yaml(schema: 1
domain: {t: [0, 0.5], x: {range: [0, 2*pi], basis: fourier}, y: [0, 1]}
unknowns: [w, psi]
equations: ["dt(w) + dy(psi)*dx(w) - dx(psi)*dy(w) = 0.05*lap(w)", "lap(psi) + w = 0"]
initial: {w: "sin(pi*y)*cos(x) + sin(2*pi*y)"}
boundary: ["w(y=0) = 0", "w(y=1) = 0", "psi(y=0) = 0", "psi(y=1) = 0"]
resolution: {degree: {t: 6, x: 8, y: 18}, domains: {t: 2}}
backend: cuda
solver: {newton: {tolerance: 9.0e-13}}
verification: {tolerance: 1.0, tail: 10, residual: 1.0e+6, estimate: off}
)yaml";

// A lid that begins to move, walls on all sides: the mean of p is the program's.
const std::string kCavity = R"yaml(schema: 1
domain: {t: [0, 0.4], x: [0, 1], y: [0, 1]}
constants: {Re: 50}
unknowns: [u, v, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + lap(u)/Re"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + lap(v)/Re"
  - "dx(u) + dy(v) = 0"
initial: {u: "0", v: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 16*t*x^2*(1-x)^2", "v(y=0) = 0", "v(y=1) = 0",
           "u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
resolution: {degree: {t: 4, x: 14, y: 13}, domains: {t: 2}}
backend: cuda
solver: {newton: {tolerance: 9.0e-13}}
verification: {tolerance: 1.0, tail: 10, residual: 1.0e+6, estimate: off}
)yaml";

// Through a box, with heat: a wind along x, pressure given at the outlet, conditions along x before those along y.
const std::string kOutlet = R"yaml(schema: 1
domain: {t: [0, 0.4], x: [0, 2], y: [0, 1]}
constants: {Re: 50}
unknowns: [u, v, p, T]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + lap(u)/Re"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + lap(v)/Re + T"
  - "dx(u) + dy(v) = 0"
  - "dt(T) + u*dx(T) + v*dy(T) = lap(T)/Re"
initial: {u: "6*y*(1-y)", v: "0", T: "0"}
boundary: ["u(x=0) = 6*y*(1-y)", "p(x=2) = 0", "v(x=0) = 0", "v(x=2) = 0", "u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0",
           "v(y=1) = 0", "T(x=0) = 0", "dx(T)(x=2) = 0", "T(y=0) = 4*t*x*(2-x)", "T(y=1) = 0"]
resolution: {degree: {t: 4, x: 16, y: 12}, domains: {t: 2}}
backend: cuda
solver: {newton: {tolerance: 9.0e-13}}
verification: {tolerance: 1.0, tail: 10, residual: 1.0e+6, estimate: off}
)yaml";

const std::string kBox = R"yaml(schema: 1
domain: {t: [0, 0.2], x: [0, 1], y: [0, 1.5], z: [0, 1]}
constants: {Re: 20}
unknowns: [u, v, w, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) + w*dz(u) = -dx(p) + lap(u)/Re"
  - "dt(v) + u*dx(v) + v*dy(v) + w*dz(v) = -dy(p) + lap(v)/Re"
  - "dt(w) + u*dx(w) + v*dy(w) + w*dz(w) = -dz(p) + lap(w)/Re"
  - "dx(u) + dy(v) + dz(w) = 0"
initial: {u: "0", v: "0", w: "0"}
boundary: ["u(z=0) = 0", "u(z=1) = 100*t*(x*(1-x)*y*(1.5-y))^2", "v(z=0) = 0", "v(z=1) = 0", "w(z=0) = 0", "w(z=1) = 0",
           "u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0", "w(x=0) = 0", "w(x=1) = 0",
           "u(y=0) = 0", "u(y=1.5) = 0", "v(y=0) = 0", "v(y=1.5) = 0", "w(y=0) = 0", "w(y=1.5) = 0"]
resolution: {degree: {t: 3, x: 8, y: 9, z: 8}, domains: {t: 2}}
backend: cuda
solver: {newton: {tolerance: 9.0e-13}}
verification: {tolerance: 1.0, tail: 10, residual: 1.0e+6, estimate: off}
)yaml";

class DeviceFlows : public ::testing::TestWithParam<std::pair<const char*, std::string>> {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
  }
};
INSTANTIATE_TEST_SUITE_P(Cases, DeviceFlows,
                         ::testing::Values(std::pair{"Convection", kConvection}, std::pair{"Channel", kChannel},
                                           std::pair{"VariableDensity", kVariableDensity},
                                           std::pair{"Vorticity", kVorticity}, std::pair{"Cavity", kCavity},
                                           std::pair{"Outlet", kOutlet}, std::pair{"Box", kBox}),
                         [](const auto& what) { return std::string(what.param.first); });

TEST_P(DeviceFlows, GiveTheAnswerOfTheCpuAndTheSameBitsTwice) {
  const std::string yaml = GetParam().second;
  const auto on_device = [&] {
    return make_problem(read_case_text(yaml, "test.yaml"))->run(Context::create(BackendChoice::cuda, 1), {});
  };
  const RunOutcome once = on_device(), again = on_device(), expected = test::run_case(yaml);
  ASSERT_TRUE(once.complete) << once.report.reason;
  const bool by_wavenumber = yaml.find("fourier") != std::string::npos;
  test::expect_holds(once.report.linear_solver, by_wavenumber ? "wavenumber by wavenumber" : "block LU");
  EXPECT_GT(once.report.device_memory, 0.0);
  // The CPU's factors are in single precision, and the last correction of a window may be one of round-off.
  EXPECT_NEAR(once.report.n_linear_iterations, expected.report.n_linear_iterations,
              (by_wavenumber ? 1.0 : 8.0) * expected.report.n_newton_iterations);
  for (std::size_t f = 0; f < once.solution.fields.size(); ++f)
    for (std::size_t w = 0; w < once.solution.fields[f].windows.size(); ++w) {
      const std::vector<double>&x = once.solution.fields[f].windows[w].data,
            &y = expected.solution.fields[f].windows[w].data;
      double largest = 0.0, difference = 0.0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        largest = std::max(largest, std::abs(y[i]));
        difference = std::max(difference, std::abs(x[i] - y[i]));
      }
      EXPECT_LE(difference, 1e-11 * largest) << f << " " << w;
      EXPECT_EQ(x, again.solution.fields[f].windows[w].data);
    }
}

// What a device does not take is said by `check`, as is what it takes. Needs no device.
TEST(FlowsOnADevice, AreAnnounced) {
  const auto line = [](const std::string& yaml) {
    for (const auto& [name, text] : make_problem(read_case_text(yaml, "test.yaml"))->summary().lines)
      if (name == "device") return text;
    return std::string();
  };
  EXPECT_NE(line(kChannel).find("takes the whole solve of a window"), std::string::npos) << line(kChannel);
  EXPECT_NE(line(test::replaced(kChannel, "{t: 4, x", "{t: 20, x")).find("more than 16 time nodes"), std::string::npos);
  EXPECT_EQ(line(test::replaced(kChannel, "backend: cuda", "backend: cpu")), "");
  for (const std::string& box : {kCavity, kOutlet, kBox}) test::expect_holds(line(box), "takes the whole solve");
}

}  // namespace
}  // namespace gwrm::device_flows_test
