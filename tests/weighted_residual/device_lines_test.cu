// Systems along a bounded axis, wavenumber by wavenumber: the device's residual, preconditioner and Newton iteration
// against those of the CPU.
#include "weighted_residual/device_fixture.cuh"
//
#include <regex>

#include "weighted_residual/device/device_line_solver.cuh"
#include "weighted_residual/wavenumber_cases.hpp"

namespace gwrm {
namespace {

using namespace test;

// With two axes of space or three, which a device takes; and flows that are not linear.
std::vector<SpaceCase> cases() {
  std::vector<SpaceCase> cases = line_cases();
  cases.push_back({"ConvectionThatIsNotLinear", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 3], basis: fourier}, y: [0, 1]}
unknowns: [u, v, p, T]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p) + 0.4*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + 0.4*lap(v) + 3*T", "dx(u) + dy(v) = 0", "dt(T) + u*dx(T) + v*dy(T) = 0.3*lap(T)"]
initial: {u: "0", v: "0", T: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0", "T(y=0) = 1", "T(y=1) = 0"]
resolution: {degree: {t: 4, x: 19, y: 20}}
)yaml"});
  cases.push_back({"VorticityBetweenWalls", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 3], basis: fourier}, y: [0, 1]}
unknowns: [w, psi]
equations: ["dt(w) + dy(psi)*dx(w) - dx(psi)*dy(w) = 0.2*lap(w)", "lap(psi) + w = 0"]
initial: {w: "0"}
boundary: ["w(y=0) = 0", "w(y=1) = t", "psi(y=0) = 0", "psi(y=1) = 0"]
resolution: {degree: {t: 5, x: 11, y: 40}}
)yaml"});
  return cases;
}

class DeviceLines : public OnDevice<SpaceCase> {
 protected:
  void SetUp() override { assemble(GetParam().yaml, SpatialMethod::wavenumber); }
};
INSTANTIATE_TEST_SUITE_P(Systems, DeviceLines, ::testing::ValuesIn(cases()),
                         [](const auto& what) { return what.param.name; });

TEST_P(DeviceLines, ResidualAndJacobianAgree) {
  const std::unique_ptr<cuda::DeviceWindow> window = make_window();
  std::vector<double> expected(x_.size());
  a_->system.residual(x_, expected);
  const DeviceArray x = send(x_), f = poisoned();
  window->residual(x.data(), f.data());
  EXPECT_LE(relative_difference(fetch(f), expected), 3e-13);
  const std::vector<double> v = random_vector(a_->system.size(), 9);
  a_->system.apply_jacobian(a_->system.linearise(x_), v, expected);
  const DeviceArray direction = send(v), product = poisoned();
  window->linearise(x.data());
  window->apply_jacobian(direction.data(), product.data());
  EXPECT_LE(relative_difference(fetch(product), expected), 3e-13);
}

// The CPU's factors in double precision, time mode by time mode.
TEST_P(DeviceLines, PreconditionerAgrees) {
  const std::unique_ptr<cuda::DeviceWindow> window = make_window();
  const TimeBasis* time = a_->discretisation.time();
  const TimeModes* modes = time == nullptr ? nullptr : &time_modes(time->n_unknowns());
  const SpatialLayout layout(a_->system);
  std::vector<std::complex<double>> z{0.0};
  if (modes != nullptr) {
    z = modes->eigenvalues;
    for (std::complex<double>& value : z) value *= time->length() / 2.0;
  }
  const FactorResult factors = wavenumber_factors(
      a_->system, layout, time_averages(a_->system, a_->system.linearise(x_)), z, Precision::double_complex);
  ASSERT_EQ(factors.status, LuStatus::regular);
  const DeviceArray x = send(x_);
  window->linearise(x.data());
  cuda::DevicePreconditionerResult made = cuda::make_preconditioner(
      *tools_, a_->system, SpatialMethod::wavenumber,
      [&](int coefficient, int axis) { return window->coefficient_mean(coefficient, axis); }, [] {});
  ASSERT_EQ(made.status, LuStatus::regular);
  const std::vector<double> v = random_vector(a_->system.size(), 11);
  const std::vector<double> expected = apply_factors(*factors.factors, layout, modes, z.size(), v);
  const DeviceArray on_device = send(v), result = poisoned();
  made.preconditioner->apply(on_device.data(), result.data());
  const std::vector<double> once = fetch(result);
  // Round-off times the condition of the systems, 1e5 where the step leaves the pressure alone.
  EXPECT_LE(relative_difference(once, expected), 1e-9);
  made.preconditioner->apply(on_device.data(), result.data());
  EXPECT_EQ(fetch(result), once) << "two applications differ";
}

TEST_P(DeviceLines, NewtonAgrees) {
  newton_agrees(SpatialMethod::wavenumber, 1e-11, 2, 3);
}

class DeviceLinesInTime : public DeviceLines {};
INSTANTIATE_TEST_SUITE_P(Systems, DeviceLinesInTime, ::testing::ValuesIn(in_time(cases())),
                         [](const auto& what) { return what.param.name; });

TEST_P(DeviceLinesInTime, EquationsAtOneTimeAgree) {
  equations_at_one_time_agree();
}

// Steady, insulated walls: nothing fixes the mean.
TEST(DeviceLinesAlone, ReportAMeanThatNothingFixes) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  Assembled a(R"yaml(schema: 1
domain: {x: {range: [-1, 2], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = cos(2*pi*y)"]
boundary: ["dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
resolution: {degree: {x: 3, y: 6}}
)yaml");
  std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0), same = x;
  AveragedSolver on_cpu(a.system, SpatialMethod::wavenumber);
  const LinearOutcome expected = on_cpu.linearise(same, true);
  ASSERT_EQ(expected.status, LinearStatus::singular);
  std::shared_ptr<DeviceFactors> none;
  const auto solver = make_device_solver(Context::create(BackendChoice::cuda, 1));
  const NewtonResult result = solver->solve(a.system, x, SpatialMethod::wavenumber, {}, none, {});
  EXPECT_EQ(result.status, NewtonStatus::singular);
  EXPECT_EQ(result.detail, expected.detail);
}

// 16 N^2 bytes for each of 3 time modes and 81 wavenumbers, N = 4 x 23: 33 MB. One z more, for pressure at the window's
// end, where inverses stay for the next window: with the row of a pressure's mean as without, not where a coefficient
// depends on t.
TEST(DeviceLinesAlone, CountTheirInversesInTheEstimate) {
  const std::string steady = std::regex_replace(kFlows[0].yaml, std::regex("t: 3, x: 4, y: 9"), "t: 5, x: 40, y: 22");
  const std::string outlet = std::regex_replace(steady, std::regex("v.y=1. = 0"), "0.4*dy(v)(y=1) - p(y=1) = 0");
  const std::string varying = std::regex_replace(steady, std::regex("v.y=1. = 0"), "(1 + t)*v(y=1) = 0");
  for (const auto& [yaml, n_inverses] : {std::pair(steady, 4), std::pair(outlet, 4), std::pair(varying, 3)}) {
    const Assembled a(yaml);
    ASSERT_FALSE(a.model.multipliers.empty());
    ASSERT_EQ(a.model.autonomous_jacobian, n_inverses == 4);
    const auto bytes = [&](SpatialMethod method) {
      return device_memory_of(a.model, a.plan, a.model.subdomains, method);
    };
    EXPECT_NEAR(bytes(SpatialMethod::wavenumber) - bytes(SpatialMethod::tensor) - 3e8, 16.0 * n_inverses * 81 * 92 * 92,
                1.0);
  }
}

}  // namespace
}  // namespace gwrm
