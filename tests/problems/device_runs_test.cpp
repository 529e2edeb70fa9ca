// Whole runs on the device: the answer of the CPU, the same bits twice, and what a run says of itself.
#include <algorithm>
#include <cstdlib>

#include "core/errors.hpp"
#include "run_case.hpp"

namespace gwrm::device_runs_test {
namespace {

class DeviceRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
  }
  static RunOutcome on_device(const std::string& yaml) {
    return make_problem(read_case_text(yaml, "test.yaml"))->run(Context::create(BackendChoice::cuda, 1), {});
  }
};

double difference(const Solution& a, const Solution& b) {
  double worst = 0.0;
  EXPECT_EQ(a.n_windows(), b.n_windows());
  for (std::size_t f = 0; f < a.fields.size(); ++f)
    for (std::size_t w = 0; w < a.fields[f].windows.size(); ++w) {
      const std::vector<double>&x = a.fields[f].windows[w].data, &y = b.fields[f].windows[w].data;
      double largest = 0.0, difference = 0.0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        largest = std::max(largest, std::abs(y[i]));
        difference = std::max(difference, std::abs(x[i] - y[i]));
      }
      worst = std::max(worst, difference / largest);
    }
  return worst;
}

const std::string kBurgers = R"yaml(schema: 1
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
constants: {Re: 10}
unknowns: [u, v]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = lap(u)/Re"
  - "dt(v) + u*dx(v) + v*dy(v) = lap(v)/Re"
initial:
  u: "3/4 - 1/(4*(1 + exp((4*y - 4*x)*Re/32)))"
  v: "3/4 + 1/(4*(1 + exp((4*y - 4*x)*Re/32)))"
boundary:
  - "u(x=0) = 3/4 - 1/(4*(1 + exp((4*y - t)*Re/32)))"
  - "u(x=1) = 3/4 - 1/(4*(1 + exp((4*y - 4 - t)*Re/32)))"
  - "u(y=0) = 3/4 - 1/(4*(1 + exp((-4*x - t)*Re/32)))"
  - "u(y=1) = 3/4 - 1/(4*(1 + exp((4 - 4*x - t)*Re/32)))"
  - "v(x=0) = 3/4 + 1/(4*(1 + exp((4*y - t)*Re/32)))"
  - "v(x=1) = 3/4 + 1/(4*(1 + exp((4*y - 4 - t)*Re/32)))"
  - "v(y=0) = 3/4 + 1/(4*(1 + exp((-4*x - t)*Re/32)))"
  - "v(y=1) = 3/4 + 1/(4*(1 + exp((4 - 4*x - t)*Re/32)))"
exact:
  u: "3/4 - 1/(4*(1 + exp((4*y - 4*x - t)*Re/32)))"
  v: "3/4 + 1/(4*(1 + exp((4*y - 4*x - t)*Re/32)))"
resolution: {degree: {t: 6, x: 13, y: 12}, domains: {t: 2}}
solver: {newton: {tolerance: 9.0e-13}}  # given: iterations go to the end on both sides
verification: {tolerance: 1.0e-9, tail: 1.0e-7, residual: 1.0e-6}
)yaml";

TEST_F(DeviceRuns, GiveTheAnswerOfTheCpuAndTheSameBitsTwice) {
  const RunOutcome expected = test::run_case(kBurgers), once = on_device(kBurgers), again = on_device(kBurgers);
  ASSERT_TRUE(once.complete) << once.report.reason;
  EXPECT_LE(test::worst_error(once), 1e-9);
  EXPECT_LE(difference(once.solution, expected.solution), 1e-12);
  for (std::size_t f = 0; f < once.solution.fields.size(); ++f)
    for (std::size_t w = 0; w < once.solution.fields[f].windows.size(); ++w)
      EXPECT_EQ(once.solution.fields[f].windows[w].data, again.solution.fields[f].windows[w].data);
  ASSERT_EQ(once.report.profile.size(), 8u);
  EXPECT_GT(once.report.bytes_sent, 0.0);
  EXPECT_GT(once.report.device_memory, 0.0);
  EXPECT_TRUE(expected.report.profile.empty());
}

// Vorticity and stream function on a torus, the mean of which a condition fixes: wavenumber by wavenumber.
TEST_F(DeviceRuns, TakePeriodicBoxes) {
  const std::string yaml = R"yaml(schema: 1
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
unknowns: [w, psi]
equations: ["dt(w) + dy(psi)*dx(w) - dx(psi)*dy(w) = 0.05*lap(w)", "lap(psi) + w = 0"]
initial: {w: "2*cos(x)*cos(y) + sin(y)"}
boundary: ["integral(integral(psi, x), y) = 0"]
resolution: {degree: {t: 8, x: 20, y: 18}, domains: {t: 2}}
backend: cuda
verification: {tolerance: 1.0e-6, tail: 1.0e-4, residual: 1.0e-1}
)yaml";
  const RunOutcome once = on_device(yaml), again = on_device(yaml), expected = test::run_case(yaml);
  ASSERT_TRUE(once.complete) << once.report.reason;
  EXPECT_NE(once.report.linear_solver.find("wavenumber by wavenumber"), std::string::npos) << once.report.linear_solver;
  EXPECT_GT(once.report.device_memory, 0.0);
  EXPECT_EQ(once.report.n_newton_iterations, expected.report.n_newton_iterations);
  EXPECT_LE(difference(once.solution, expected.solution), 1e-12);
  for (std::size_t f = 0; f < once.solution.fields.size(); ++f)
    for (std::size_t w = 0; w < once.solution.fields[f].windows.size(); ++w)
      EXPECT_EQ(once.solution.fields[f].windows[w].data, again.solution.fields[f].windows[w].data);
}

// The factors of a linear problem are kept from window to window, though the estimate of the error has others of a
// finer space on the same device in between.
TEST_F(DeviceRuns, KeepTheFactorsOfALinearProblem) {
  const std::string heat = R"yaml(schema: 1
domain: {t: [0, 0.4], x: [0, 1], y: [0, 2]}
unknowns: [u]
equations: ["dt(u) = lap(u)/10"]
initial: {u: "sin(pi*x)*sin(pi*y/2)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0"]
exact: {u: "exp(-pi^2*(1 + 1/4)*t/10)*sin(pi*x)*sin(pi*y/2)"}
resolution: {degree: {t: 6, x: 15, y: 14}, domains: {t: 3}}
solver: {linear: tensor}
verification: {tolerance: 1.0e-9}
)yaml";
  const RunOutcome outcome = on_device(heat), expected = test::run_case(heat);
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_EQ(outcome.report.n_factorisations, 1);
  // The CPU has them in single precision.
  EXPECT_LE(outcome.report.n_linear_iterations, expected.report.n_linear_iterations);
  EXPECT_LE(difference(outcome.solution, expected.solution), 1e-12);
}

// Collocated parameters: several points take turns on the device.
TEST_F(DeviceRuns, TakeTheParametersPointByPoint) {
  const std::string yaml = R"yaml(schema: 1
domain: {t: [0, 0.4], x: [0, 1], y: [0, 2], k: [1, 2]}
unknowns: [u]
equations: ["dt(u) = k*lap(u)/10 - u^2"]
initial: {u: "sin(pi*x)*sin(pi*y/2)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0"]
resolution: {degree: {t: 5, x: 11, y: 10, k: 3}, domains: {t: 2}}
solver: {newton: {tolerance: 9.0e-13}}  # given: iterations go to the end on both sides
verification: {tolerance: 1.0e-3, tail: 1.0e-2, residual: 1.0e-1}
)yaml";
  const RunOutcome outcome = on_device(yaml);
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_LE(difference(outcome.solution, test::run_case(yaml).solution), 1e-11);
}

// A device with room for 0.1 MB: nothing is allocated there.
class DeviceWithoutRoom : public DeviceRuns {
 protected:
  void SetUp() override {
    DeviceRuns::SetUp();
    setenv("GWRM_DEVICE_MEMORY", "1e5", 1);
  }
  void TearDown() override { unsetenv("GWRM_DEVICE_MEMORY"); }
};

TEST_F(DeviceWithoutRoom, TheCpuTakesTheRunUnderAuto) {
  const RunOutcome outcome =
      make_problem(read_case_text(kBurgers, "test.yaml"))->run(Context::create(BackendChoice::automatic, 1), {});
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_EQ(outcome.report.device_memory, 0.0);
  EXPECT_EQ(difference(outcome.solution, test::run_case(kBurgers).solution), 0.0);
}

TEST_F(DeviceWithoutRoom, TheRunEndsWithTheEstimateWhereTheDeviceWasAskedFor) {
  try {
    on_device(kBurgers);
    FAIL() << "it ran";
  } catch (const MemoryError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("2184 unknowns needs up to"), std::string::npos) << message;
    EXPECT_NE(message.find("allowed by GWRM_DEVICE_MEMORY"), std::string::npos) << message;
    EXPECT_NE(message.find("Lower resolution.degree"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace gwrm::device_runs_test
