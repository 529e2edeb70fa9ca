// The device's window, preconditioner and Newton iteration against those of the CPU, on random data.
#include "weighted_residual/device_fixture.cuh"
//
#include <algorithm>
#include <regex>

#include "basis/time_modes.hpp"
#include "weighted_residual/device/device_tensor_solver.cuh"
#include "weighted_residual/device/device_wavenumber_solver.cuh"
#include "weighted_residual/space_cases.hpp"
#include "weighted_residual/wavenumber_cases.hpp"

namespace gwrm {
namespace {

using namespace test;

std::vector<SpaceCase> all_cases() {
  std::vector<SpaceCase> cases(std::begin(kSeparable), std::end(kSeparable));
  cases.insert(cases.end(), std::begin(kNotSeparable), std::end(kNotSeparable));
  cases.push_back({"FunctionsAndRestrictions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = lap(u) + exp(-u)*sin(x + t) - abs(v)^3/(2 + u^2) + u(x=0.3)*y", "dt(v) = dy(v,2) + min(u, v) - v^5 + sqrt(4 + u^2) + erf(v)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = exp(y)", "dx(u)(x=2) = u(x=2)^3", "u(y=0) = sin(x)", "u(y=1) = v(y=1)", "v(y=0) = 0", "v(y=1) = t*x"]
resolution: {degree: {t: K, x: 33, y: 20}}
)yaml"});
  // Larger than a block of every kernel, and no multiple of it.
  cases.push_back({"LargerBurgers", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.2*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = 0.2*lap(v)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = y", "u(y=0) = t", "u(y=1) = 0", "v(x=-1) = 0", "v(x=2) = 0", "v(y=0) = 0", "v(y=1) = 0"]
resolution: {degree: {t: K, x: 36, y: 41}}
)yaml"});
  cases.push_back({"LargerInThreeDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1], z: [0, 3]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) + 0.1*dz(u) = lap(u) + y*dx(dz(u))"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=2) = y*z", "u(y=0) = 0", "u(y=1) = x", "u(z=0) = t", "u(z=3) = 0"]
resolution: {degree: {t: 2, x: 17, y: 12, z: 21}}
)yaml"});
  return cases;
}

// Boxes with two or three periodic axes: means in place of rows, integrals nested and within what is not linear, fields
// without one or all of the axes, odd and even derivatives.
std::vector<SpaceCase> periodic_boxes() {
  std::vector<SpaceCase> cases = periodic_cases();
  std::erase_if(cases, [](const SpaceCase& a) { return std::string(a.yaml).find("y: {") == std::string::npos; });
  cases.push_back({"PeriodicBurgers", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.2*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = (0.2 + 0.05*cos(y))*lap(v)"]
initial: {u: "0", v: "0"}
resolution: {degree: {t: K, x: 19, y: 23}}
)yaml"});
  cases.push_back({"PeriodicVorticity", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
unknowns: [w, psi]
equations: ["dt(w) + dy(psi)*dx(w) - dx(psi)*dy(w) = 0.1*lap(w)", "lap(psi) + w = 0"]
initial: {w: "0"}
boundary: ["integral(integral(psi, x), y) = t"]
resolution: {degree: {t: 5, x: 7, y: 9}}
)yaml"});
  cases.push_back({"IntegralsWithin", R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 1], basis: fourier}, y: {range: [0, 2], basis: fourier}}
unknowns: [u, {name: m, dims: [t, y]}]
equations: ["dt(u) = 0.1*lap(u) + dx(u) - m*u*integral(integral(u^2, x)*dy(u), y)", "dt(m) = 0.2*dy(m,2) + integral(u*dx(u,2), x) - sin(integral(2 + t, x)*m)"]
initial: {u: "0", m: "0"}
resolution: {degree: {t: 4, x: 6, y: 5}}
)yaml"});
  return cases;
}

class DeviceWindows : public OnDevice<SpaceCase> {
 protected:
  void SetUp() override {
    // 13 nodes: the CPU's preconditioner is in double precision from there on.
    assemble(std::regex_replace(GetParam().yaml, std::regex("\\bK\\b"), "13"), SpatialMethod::tensor);
    if (!IsSkipped() && !HasFatalFailure()) window_ = make_window();
  }

  std::unique_ptr<cuda::DeviceWindow> window_;
};
INSTANTIATE_TEST_SUITE_P(Systems, DeviceWindows, ::testing::ValuesIn(all_cases()),
                         [](const auto& what) { return what.param.name; });

INSTANTIATE_TEST_SUITE_P(PeriodicSystems, DeviceWindows, ::testing::ValuesIn(periodic_boxes()),
                         [](const auto& what) { return what.param.name; });
INSTANTIATE_TEST_SUITE_P(SystemsWithAPeriodicAxis, DeviceWindows,
                         ::testing::ValuesIn(kExact + std::size(kExact) - 5, kExact + std::size(kExact)),
                         [](const auto& what) { return what.param.name; });

// Without the system that is made for single evaluations: it may have no solution.
class SolvableDeviceWindows : public DeviceWindows {};

std::vector<SpaceCase> solvable_cases() {
  std::vector<SpaceCase> cases = all_cases();
  std::erase_if(cases, [](const SpaceCase& a) { return std::string(a.name) == "FunctionsAndRestrictions"; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Systems, SolvableDeviceWindows, ::testing::ValuesIn(solvable_cases()),
                         [](const auto& what) { return what.param.name; });

// Sums of some ten thousand products of size 1 in another order.
constexpr double kRoundOff = 3e-13;

TEST_P(DeviceWindows, ResidualAgrees) {
  std::vector<double> expected(x_.size());
  a_->system.residual(x_, expected);
  const DeviceArray x = send(x_), f = poisoned();
  window_->residual(x.data(), f.data());
  const std::vector<double> once = fetch(f);
  EXPECT_LE(relative_difference(once, expected), kRoundOff);
  window_->residual(x.data(), f.data());
  EXPECT_EQ(fetch(f), once) << "two evaluations differ";
}

TEST_P(DeviceWindows, JacobianTimesAVectorAgrees) {
  const std::vector<double> v = random_vector(a_->system.size(), 9);
  std::vector<double> expected(v.size());
  a_->system.apply_jacobian(a_->system.linearise(x_), v, expected);
  const DeviceArray x = send(x_), direction = send(v), f = poisoned();
  window_->linearise(x.data());
  // A residual in between does not disturb it.
  const DeviceArray other = send(random_vector(a_->system.size(), 10)), unused = poisoned();
  window_->residual(other.data(), unused.data());
  window_->apply_jacobian(direction.data(), f.data());
  EXPECT_LE(relative_difference(fetch(f), expected), kRoundOff);
}

// Without a compiler: residual and Jacobian-vector product against the CPU, and the same bits twice.
TEST_P(DeviceWindows, InterpretedEquationsAgree) {
  const std::unique_ptr<cuda::DeviceWindow> interpreted = make_window(true);
  std::vector<double> expected(x_.size());
  a_->system.residual(x_, expected);
  const DeviceArray x = send(x_), f = poisoned();
  interpreted->residual(x.data(), f.data());
  const std::vector<double> once = fetch(f);
  EXPECT_LE(relative_difference(once, expected), kRoundOff);
  interpreted->residual(x.data(), f.data());
  EXPECT_EQ(fetch(f), once) << "two evaluations differ";

  const std::vector<double> v = random_vector(a_->system.size(), 9);
  a_->system.apply_jacobian(a_->system.linearise(x_), v, expected);
  const DeviceArray direction = send(v), product = poisoned();
  interpreted->linearise(x.data());
  interpreted->apply_jacobian(direction.data(), product.data());
  EXPECT_LE(relative_difference(fetch(product), expected), kRoundOff);
}

// In the separable systems the CPU's factors are those of the whole operator (tensor_factors_test.cpp).
TEST_P(DeviceWindows, PreconditionerAgrees) {
  const TimeBasis* time = a_->discretisation.time();
  if (time != nullptr && time->n_unknowns() < 13) {
    // Single precision on the CPU: this system again with more nodes.
    std::string yaml = std::regex_replace(GetParam().yaml, std::regex("t: [23],"), "t: 13,");
    a_ = std::make_unique<Assembled>(yaml);
    window_ = make_window();
    x_ = random_vector(a_->system.size(), 5);
    time = a_->discretisation.time();
  }
  const Linearisation at_x = a_->system.linearise(x_);
  const std::vector<Array> averages = time_averages(a_->system, at_x);
  const SpatialLayout layout(a_->system);
  const TimeModes* modes = time == nullptr ? nullptr : &time_modes(time->n_unknowns());
  std::vector<std::complex<double>> z{0.0};
  if (modes != nullptr) {
    z = modes->eigenvalues;
    for (std::complex<double>& value : z) value *= 0.35;
  }
  const FactorResult factors = tensor_factors(a_->system, layout, averages, z, Precision::double_complex);
  const DeviceArray x = send(x_);
  window_->linearise(x.data());
  std::vector<TensorField> fields;
  const LuStatus status = tensor_operators(
      a_->system, layout, [&](int coefficient, int axis) { return window_->coefficient_mean(coefficient, axis); }, z,
      fields);
  ASSERT_EQ(status, factors.status);
  if (status != LuStatus::regular) return;  // on both
  cuda::DeviceTensorSolver solver(*tools_, a_->system, fields, modes, z);

  for (bool with_conditions : {true, false}) {
    std::vector<double> v = random_vector(a_->system.size(), 11);
    for (const RowBlock& row : a_->system.rows())
      if (!with_conditions && row.kind != RowBlock::Kind::equation)
        std::fill_n(v.begin() + row.offset, element_count(row.extents), 0.0);
    const std::vector<double> expected = apply_factors(*factors.factors, layout, modes, z.size(), v);
    const DeviceArray on_device = send(v), result = poisoned();
    solver.apply(on_device.data(), result.data());
    const std::vector<double> once = fetch(result);
    // 13 time modes amplify round-off by the condition 5e6 of their eigenvectors; 1.4e-8 was seen.
    EXPECT_LE(relative_difference(once, expected), modes == nullptr ? 1e-11 : 2e-7) << with_conditions;
    solver.apply(on_device.data(), result.data());
    EXPECT_EQ(fetch(result), once) << "two applications differ";
  }
}

TEST_P(SolvableDeviceWindows, NewtonAgrees) {
  newton_agrees(SpatialMethod::tensor, 1e-11, 1, 12);
}

// Wavenumber by wavenumber.
class PeriodicDeviceWindows : public DeviceWindows {
 protected:
  void SetUp() override {
    DeviceWindows::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(device_unsupported_reason(a_->model, a_->plan, a_->model.subdomains, SpatialMethod::wavenumber), "");
  }
};
INSTANTIATE_TEST_SUITE_P(Systems, PeriodicDeviceWindows, ::testing::ValuesIn(periodic_boxes()),
                         [](const auto& what) { return what.param.name; });

TEST_P(PeriodicDeviceWindows, PreconditionerAgrees) {
  const TimeBasis* time = a_->discretisation.time();
  const bool many_modes = time != nullptr && time->n_unknowns() > 6;
  // The CPU's is in double precision.
  AveragedSolver on_cpu(a_->system, SpatialMethod::wavenumber);
  ASSERT_EQ(on_cpu.linearise(x_, true).status, LinearStatus::solved);
  const DeviceArray x = send(x_);
  window_->linearise(x.data());
  cuda::DevicePreconditionerResult made = cuda::make_preconditioner(
      *tools_, a_->system, SpatialMethod::wavenumber,
      [&](int coefficient, int axis) { return window_->coefficient_mean(coefficient, axis); }, [] {});
  ASSERT_EQ(made.status, LuStatus::regular);
  const std::vector<double> v = random_vector(a_->system.size(), 11);
  std::vector<double> expected = v;
  on_cpu.apply_preconditioner(expected);
  const DeviceArray on_device = send(v), result = poisoned();
  made.preconditioner->apply(on_device.data(), result.data());
  const std::vector<double> once = fetch(result);
  // Time modes amplify round-off by the condition of their eigenvectors, 5e6 for 13.
  EXPECT_LE(relative_difference(once, expected), many_modes ? 1e-8 : 1e-11);
  made.preconditioner->apply(on_device.data(), result.data());
  EXPECT_EQ(fetch(result), once) << "two applications differ";
}

class PeriodicDeviceWindowsInTime : public PeriodicDeviceWindows {};
INSTANTIATE_TEST_SUITE_P(Systems, PeriodicDeviceWindowsInTime, ::testing::ValuesIn(in_time(periodic_boxes())),
                         [](const auto& what) { return what.param.name; });

TEST_P(PeriodicDeviceWindowsInTime, EquationsAtOneTimeAgree) {
  equations_at_one_time_agree();
}

TEST_P(PeriodicDeviceWindows, NewtonAgrees) {
  newton_agrees(SpatialMethod::wavenumber, 1e-12, 1, 3);
}

// Steady, on a torus: nothing fixes the mean.
TEST(DeviceSolverAlone, ReportsAMeanThatNothingFixes) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  Assembled a(R"yaml(schema: 1
domain: {x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["lap(u) = sin(2*pi*y)"]
resolution: {degree: {x: 3, y: 3}}
)yaml");
  std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
  std::shared_ptr<DeviceFactors> none;
  const auto solver = make_device_solver(Context::create(BackendChoice::cuda, 1));
  EXPECT_EQ(solver->solve(a.system, x, SpatialMethod::wavenumber, {}, none, {}).status, NewtonStatus::singular);
}

// Asked whether to stop behind every iteration of GMRES, not between Newton's steps alone; the next solve is whole.
TEST(DeviceSolverAlone, StopsWithinALinearSolve) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  Assembled a(std::regex_replace(kNotSeparable[0].yaml, std::regex("\\bK\\b"), "4"));
  const auto solver = make_device_solver(Context::create(BackendChoice::cuda, 1));
  const auto solve = [&](const std::function<bool()>& interrupted) {
    std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
    std::shared_ptr<DeviceFactors> none;
    return solver->solve(a.system, x, SpatialMethod::tensor, {}, none, interrupted);
  };
  int n_asked = 0;
  const auto count = [&] { return ++n_asked < 0; };
  const NewtonResult whole = solve(count);
  ASSERT_TRUE(succeeded(whole.status)) << whole.detail;
  const int n_all = std::exchange(n_asked, 0), n_steps = static_cast<int>(whole.iterations.size());
  EXPECT_GT(n_all, 2 * n_steps);
  EXPECT_EQ(solve([&] { return ++n_asked == 3; }).status, NewtonStatus::interrupted);
  EXPECT_EQ(n_asked, 3);
  n_asked = 0;
  EXPECT_TRUE(succeeded(solve(count).status));
  EXPECT_EQ(n_asked, n_all);
}

TEST(DeviceSolverAlone, RefusesWhatDoesNotFitBeforeItBegins) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  Assembled a(std::regex_replace(kNotSeparable[0].yaml, std::regex("\\bK\\b"), "4"));
  const auto solver = make_device_solver(Context::create(BackendChoice::cuda, 1), 1e5);
  std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
  try {
    std::shared_ptr<DeviceFactors> none;
    solver->solve(a.system, x, SpatialMethod::tensor, {}, none, {});
    FAIL() << "it ran";
  } catch (const MemoryError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("336 unknowns needs up to"), std::string::npos) << message;
    EXPECT_NE(message.find("allowed by solver.memory"), std::string::npos) << message;
  }
  EXPECT_EQ(solver->use().largest_memory, 0u);
}

}  // namespace
}  // namespace gwrm
