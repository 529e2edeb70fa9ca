// Windows of the sphere on a device: the rows of the CPU, the same bits twice, memory within its estimate.
#include "problems/ball/device/device_windows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "core/errors.hpp"
#include "problems/ball/window_solver.hpp"
#include "run_case.hpp"

namespace gwrm::test::device_windows_test {
namespace {

using namespace ball;

class BallDeviceWindows : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    device_ = make_window_device(Context::create(BackendChoice::cuda, 1), 0.0);
  }

  struct Solved {
    WindowValues first, second;  // windows one after the other
  };
  static Solved solve(const BallModel& model, const BallSpace& space, double length, WindowDevice* device) {
    WindowSolver solver(model, space, 1, device);
    std::vector<double> state(static_cast<std::size_t>(space.unknowns().size()));
    // Falls with l and n as smooth fields do.
    for (std::size_t part = 0; part < space.parts().size(); ++part)
      for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l)
        for (Index i = 0; i < space.unknowns().n(part) * space.unknowns().n_orders(l); ++i)
          state[static_cast<std::size_t>(space.unknowns().place(part, l) + i)] =
              std::cos(2.1 * static_cast<double>((i + 1) * (l + 2))) *
              std::exp(-0.7 * static_cast<double>(l + i % space.unknowns().n(part)));
    Solved solved{solver.solve(state, 0.0, length), {}};
    const RowVector end = solved.first.rows.bottomRows(1);
    state.assign(end.data(), end.data() + end.size());
    solved.second = solver.solve(state, length, 2.5 * length);
    return solved;
  }
  // Returns the iterations.
  int expect_the_rows_of_the_cpu(const std::string& yaml, double length) {
    const Case the_case = read_case_text(yaml, "test.yaml");
    const BallModel model(the_case);
    const BallSpace space(model.parts(), model.degrees());
    const BallTerms terms(model, space);
    const EvolvingTerms evolving(model, space);
    EXPECT_EQ(device_refusal(space, terms, evolving), "");
    const Solved expected = solve(model, space, length, nullptr), once = solve(model, space, length, device_.get()),
                 again = solve(model, space, length, device_.get());
    int iterations = 0;
    for (const WindowValues Solved::*window : {&Solved::first, &Solved::second}) {
      const WindowValues &a = expected.*window, &b = once.*window;
      EXPECT_EQ(a.failure, "");
      EXPECT_EQ(b.failure, "");
      EXPECT_TRUE(b.rows.allFinite());
      EXPECT_LE((b.rows - a.rows).cwiseAbs().maxCoeff(), 1e-12 * a.rows.cwiseAbs().maxCoeff());
      EXPECT_TRUE((b.rows.array() == (again.*window).rows.array()).all()) << "not the same bits";
      EXPECT_LE(std::abs(a.iterations - b.iterations), 1);
      iterations += b.iterations;
    }
    const DeviceUse use = device_->use();
    EXPECT_GT(use.largest_memory, 0u);
    EXPECT_LE(static_cast<double>(use.largest_memory), device_memory(space, terms, evolving));
    return iterations;
  }

  std::unique_ptr<WindowDevice> device_;
};

std::string induction(int t, int r, int l, int m, const std::string& boundary = "insulating", double radius = 1.0) {
  return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  radius: {4}
  degree: {{t: {0}, r: {1}, l: {2}, m: {3}}}
  fields: {{B: {{kind: magnetic, boundary: {5}}}}}
  flow: {{toroidal: {{"2,1": "r^3"}}, poloidal: {{"1,0": "r^2*({6:.17g} - r^2)"}}, factor: 6}}
  terms: [induction]
)yaml",
                     t, r, l, m, radius, boundary, radius * radius);
}

TEST_F(BallDeviceWindows, InductionByAGivenFlow) {
  for (const int t : {1, 3, 8, 9, 17}) EXPECT_GE(expect_the_rows_of_the_cpu(induction(t, 7, 5, 5), 0.02), 4);
  expect_the_rows_of_the_cpu(induction(5, 33, 4, 1, "conducting", 1.3), 0.02);
  expect_the_rows_of_the_cpu(induction(4, 3, 3, 1), 0.02);
  expect_the_rows_of_the_cpu(induction(7, 11, 19, 19), 0.02);
}

TEST_F(BallDeviceWindows, AdvectionRotationBuoyancyAndBackground) {
  const auto yaml = [](double radius, int m, const std::string& velocity, const std::string& more) {
    return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  radius: {}
  degree: {{t: 5, r: 9, l: 6, m: {}}}
  fields:
    Theta: {{kind: scalar, boundary: slope, buoyancy: 300, background: 1}}
    {}
    C: {{kind: scalar, hyperdiffusion: 0.01, boundary: clamped, buoyancy: 40}}
{}
)yaml",
                       radius, m, velocity, more);
  };
  const std::string rigid = "U: {kind: velocity, boundary: no_slip, diffusivity: 2}",
                    free = "U: {kind: velocity, boundary: stress_free}";
  expect_the_rows_of_the_cpu(yaml(1.0, 6, rigid, "  terms: [buoyancy, background]"), 0.02);
  expect_the_rows_of_the_cpu(yaml(1.3, 3, free, "  rotation: 20\n  terms: [buoyancy, background, coriolis]"), 0.02);
  expect_the_rows_of_the_cpu(
      yaml(1.0, 4, "", "  flow: {toroidal: {\"1,1\": \"r^2\"}, factor: 5}\n  terms: [advection]"), 0.02);
}

// Modes of a system that do not fit into shared memory.
TEST_F(BallDeviceWindows, LongSystems) {
  expect_the_rows_of_the_cpu(R"yaml(
problem: ball
domain: {t: [0, 1]}
ball:
  degree: {t: 17, r: 740, l: 1, m: 1}
  fields:
    Theta: {kind: scalar, boundary: value, buoyancy: 300, background: 1}
    U: {kind: velocity, boundary: no_slip}
  terms: [buoyancy, background]
)yaml",
                             0.02);
}

TEST_F(BallDeviceWindows, ProductsOfFields) {
  const auto yaml = [](double radius, int t, int l, int m, const std::string& more) {
    return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  radius: {}
  degree: {{t: {}, r: 7, l: {}, m: {}}}
  tolerance: 1.0e-12
  fields:
    Theta: {{kind: scalar, boundary: slope, buoyancy: 30}}
    U: {{kind: velocity, boundary: no_slip}}
    B: {{kind: magnetic, boundary: insulating, lorentz: 0.7}}
{}
solver: {{newton: {{tolerance: 1.0e-13}}}}
)yaml",
                       radius, t, l, m, more);
  };
  expect_the_rows_of_the_cpu(yaml(1.0, 5, 5, 5, "  terms: [advection]"), 0.01);
  expect_the_rows_of_the_cpu(yaml(1.3, 4, 5, 2, "  terms: [induction, lorentz]"), 0.01);
  expect_the_rows_of_the_cpu(yaml(1.0, 3, 6, 6, "  terms: [advection, induction, inertia, lorentz, buoyancy]"), 0.01);
  expect_the_rows_of_the_cpu(
      yaml(1.3, 9, 3, 3, "  rotation: 10\n  terms: [advection, induction, inertia, lorentz, buoyancy, coriolis]"),
      0.01);
}

TEST_F(BallDeviceWindows, SayHowMuchMemoryTheyNeed) {
  ::setenv("GWRM_DEVICE_MEMORY", "2e5", 1);
  const std::string yaml = induction(5, 7, 5, 5);
  const Case the_case = read_case_text(yaml, "test.yaml");
  const BallModel model(the_case);
  const BallSpace space(model.parts(), model.degrees());
  try {
    const WindowSolver solver(model, space, 1, device_.get());
    ADD_FAILURE() << "it takes what it may not";
  } catch (const MemoryError& error) {
    expect_holds(error.what(), "not enough memory on the device: a window of");
    expect_holds(error.what(), "are allowed by GWRM_DEVICE_MEMORY");
  }
  ::unsetenv("GWRM_DEVICE_MEMORY");
}

// What has no device version runs on the CPU.
TEST(BallDeviceRefusals, NameTheirReason) {
  const auto refusal = [](const std::string& yaml) {
    const Case the_case = read_case_text(yaml, "test.yaml");
    const BallModel model(the_case);
    const BallSpace space(model.parts(), model.degrees());
    return device_refusal(space, BallTerms(model, space), EvolvingTerms(model, space));
  };
  const std::string head = "problem: ball\ndomain: {t: [0, 1]}\nball:\n  degree: {t: 2, r: 3, l: 1}\n  fields: ";
  expect_holds(refusal(head + "{u: {kind: scalar}}\n"), "diffusion alone is solved directly");
  expect_holds(refusal(head + "{u: {kind: scalar, reaction: \"u*(1 - u)\"}}\n"), "reactions");
  EXPECT_EQ(refusal(induction(3, 4, 3, 3)), "");
  expect_holds(refusal(induction(33, 4, 3, 3)), "nodes in time");
  // A contrast, whose links have no diagonals, and a field that the device would take in a full sphere.
  const std::string shell =
      "problem: ball\ndomain: {t: [0, 1]}\nball:\n  inner_radius: 0.5\n"
      "  degree: {t: 2, r: 8, l: 3}\n  fields:\n";
  const std::string velocity = "    U: {kind: velocity, boundary: no_slip}\n";
  expect_holds(refusal(shell + "    Theta: {kind: scalar, contrast: 1}\n" + velocity + "  terms: [background]\n"),
               "spherical shells have no device version");
  expect_holds(refusal(shell + velocity + "  rotation: 10\n  terms: [coriolis]\n"), "spherical shells");
}

class BallDeviceRuns : public BallDeviceWindows {
 protected:
  static RunOutcome on_device(const std::string& yaml) {
    return make_problem(read_case_text(yaml, "test.yaml"))->run(Context::create(BackendChoice::cuda, 1), {});
  }
};

constexpr const char* kConvection = R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  degree: {t: 6, r: 8, l: 6, m: 2}
  tolerance: 1.0e-7
  fields:
    Theta: {kind: scalar, boundary: value, diffusivity: 1, buoyancy: 12000, background: 1}
    U: {kind: velocity, boundary: no_slip, diffusivity: 1}
  terms: [buoyancy, background, advection, inertia]
initial: {Theta: "0.1*(z + x^2 - y^2)*(1 - r^2)^3"}
verification: {tolerance: 1.0e-3}
)yaml";

TEST_F(BallDeviceRuns, GiveTheVerdictOfTheCpuAndSayWhatTheyTook) {
  const RunOutcome expected = run_case(kConvection), once = on_device(kConvection);
  ASSERT_TRUE(once.complete) << once.report.reason;
  EXPECT_EQ(once.report.n_windows, expected.report.n_windows);
  const auto& a = expected.report.verification.checks;
  const auto& b = once.report.verification.checks;
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].subject, b[i].subject);
    EXPECT_EQ(a[i].passed(), b[i].passed()) << a[i].subject;
  }
  ASSERT_EQ(once.report.profile.size(), 8u);
  EXPECT_GT(once.report.profile.front().second, 0.0);
  EXPECT_GT(once.report.bytes_sent, 0.0);
  EXPECT_GT(once.report.device_memory, 0.0);
  EXPECT_TRUE(expected.report.profile.empty());
}

TEST_F(BallDeviceRuns, FindGrowthRates) {
  const RunOutcome once = on_device(R"yaml(
problem: ball
domain: {t: [0, 0.02]}
ball:
  degree: {t: 8, r: 14, l: 10, m: 1}
  fields: {B: {kind: magnetic, boundary: insulating}}
  flow:
    toroidal: {"2,0": "r^2*sin(pi*r)"}
    poloidal: {"2,0": "0.14*r^2*sin(pi*r)"}
    factor: 20
  terms: [induction]
initial: {B: {poloidal: {"1,1": "r*(5/3 - r^2)"}}}
growth: {modes: 1, tolerance: 1.0e-7, window: 0.02}
verification: {tolerance: 1.0e-3}
)yaml");
  ASSERT_TRUE(once.complete) << once.report.reason;
  EXPECT_TRUE(find_check(once, "growth", "mode 1").passed());
  EXPECT_TRUE(find_check(once, "goal", "mode 1").passed());
}

}  // namespace
}  // namespace gwrm::test::device_windows_test
