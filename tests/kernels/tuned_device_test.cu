// Kernels that are chosen by trial: every choice gives the same bits, and the winner is remembered.
#include "kernels/banded/launch.cuh"
#include "kernels/device/tuned_kernel.cuh"
//
#include "kernels/banded/second_order_steps.cuh"
//
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/context.hpp"
#include "device_array_test.hpp"
#include "kernels/banded/device_tables.cuh"
#include "kernels/banded/substitution_tables.hpp"
#include "kernels/banded/sweep_choices.hpp"
#include "kernels/banded/tridiagonal.hpp"
#include "kernels/device/run_time_compiler.hpp"
#include "random_array.hpp"

namespace gwrm::cuda {
namespace {

namespace fs = std::filesystem;

class DeviceTuning : public test::DeviceArrayTest {
 protected:
  void SetUp() override {
    DeviceArrayTest::SetUp();
    if (IsSkipped()) return;
    if (!run_time_compiler_missing().empty()) GTEST_SKIP() << run_time_compiler_missing();
    folder_ = fs::temp_directory_path() / ("gwrm_tuning_test_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    ASSERT_EQ(setenv("GWRM_CACHE", folder_.c_str(), 1), 0);
  }
  void TearDown() override {
    unsetenv("GWRM_CACHE");
    unsetenv("GWRM_TUNE");
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  std::vector<double> random(std::size_t n) { return random_.array({static_cast<Index>(n)}).data; }
  int kept_choices() const {
    if (!fs::exists(folder_)) return 0;
    int n = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) n += entry.path().extension() == ".choice" ? 1 : 0;
    return n;
  }

  test::Random random_{71};
  fs::path folder_;
};

TEST_F(DeviceTuning, EveryChoiceGivesTheSameBits) {
  constexpr Index kBatch = 7;
  for (Index n : {33, 500, 1000, 2048}) {
    // x of L U x = y with random couplings below one.
    const auto column = [&] {
      std::vector<double> values = random(static_cast<std::size_t>(n));
      for (double& value : values) value *= 0.6;
      return values;
    };
    const LaneRows lanes = *std::find_if(kDownAndUpOfOneDouble.begin(), kDownAndUpOfOneDouble.end(),
                                         [&](const LaneRows& all) { return n <= all.count(); });
    const auto lower = warp_tables(Sweep<double>{Side::lower, {}, column(), {}}, n, lanes.rows, true, lanes.team),
               upper = warp_tables(Sweep<double>{Side::upper, column(), column(), {}}, n, lanes.rows, true, lanes.team);
    banded::DeviceTables<double> tables;
    const auto of = [&](const WarpTables<double>& all) {
      return banded::SweepTables<double>{tables.add(handles(), all.scale), tables.add(handles(), all.couplings),
                                         tables.add(handles(), all.factors)};
    };
    banded::SweepTables<double> down = of(lower), up = of(upper);
    const std::vector<double> right = random(static_cast<std::size_t>(n * kBatch));
    const DeviceArray y = send(right);
    std::vector<double> first;
    for (const KernelChoice& choice : down_and_up_choices(n)) {
      DeviceArray x = send(std::vector<double>(right.size(), std::nan("")));
      banded::BatchOfRows<double> rows{y.data(), x.data(), n, kBatch};
      void* arguments[] = {&rows, &down, &up};
      TunedKernel(handles(), {choice}, "a test", kBatch, arguments).launch(handles().stream, kBatch, arguments);
      const std::vector<double> solution = fetch(x);
      if (first.empty()) first = solution;
      EXPECT_EQ(solution, first) << n << " rows\n" << choice.source;
    }
    EXPECT_TRUE(std::all_of(first.begin(), first.end(), [](double value) { return std::isfinite(value); }));
  }
}

// The same of sweeps with two couplings.
TEST_F(DeviceTuning, EveryChoiceOfTwoCouplingsGivesTheSameBits) {
  constexpr Index kBatch = 7;
  for (Index n : {33, 500, 1000, 2048}) {
    const auto column = [&](double size) {
      std::vector<double> values = random(static_cast<std::size_t>(n));
      for (double& value : values) value *= size;
      return values;
    };
    const LaneRows lanes = *std::find_if(kSecondOrderOfOneDouble.begin(), kSecondOrderOfOneDouble.end(),
                                         [&](const LaneRows& all) { return n <= all.count(); });
    banded::DeviceTables<double> tables;
    const auto of = [&](const Sweep<double>& sweep) {
      const auto all = second_order_tables(sweep, n, lanes.rows, true, lanes.team);
      const banded::SecondOrderTables<double> on_device{
          tables.add(handles(), all.scale), tables.add(handles(), all.first), tables.add(handles(), all.second),
          tables.add(handles(), all.matrices)};
      GWRM_DEVICE(cudaStreamSynchronize(handles().stream));  // the vectors end here
      return on_device;
    };
    banded::SecondOrderTables<double> down = of({Side::lower, {}, column(0.45), column(0.45)}),
                                      up = of({Side::upper, column(1.0), column(0.45), column(0.45)});
    const std::vector<double> right = random(static_cast<std::size_t>(n * kBatch));
    const DeviceArray y = send(right);
    std::vector<double> first;
    for (const KernelChoice& choice : second_order_choices(n)) {
      DeviceArray x = send(std::vector<double>(right.size(), std::nan("")));
      banded::BatchOfRows<double> rows{y.data(), x.data(), n, kBatch};
      void* arguments[] = {&rows, &down, &up};
      TunedKernel(handles(), {choice}, "a test", kBatch, arguments).launch(handles().stream, kBatch, arguments);
      const std::vector<double> solution = fetch(x);
      if (first.empty()) first = solution;
      EXPECT_EQ(solution, first) << n << " rows\n" << choice.source;
    }
    EXPECT_TRUE(std::all_of(first.begin(), first.end(), [](double value) { return std::isfinite(value); }));
  }
}

TEST_F(DeviceTuning, PlansGiveTheSameBitsTriedAndUntried) {
  constexpr Index kRows = 1000, kBatch = 4500;
  const BandedShape shape{kRows, kBatch, BatchLayout::contiguous};
  const std::vector<double> lower = random(kRows), upper = random(kRows), diagonal(kRows, 3.0),
                            right = random(static_cast<std::size_t>(kRows * kBatch));
  const DeviceArray y = send(right), x = send(right);
  const auto solved = [&] {
    const auto plan = make_tridiagonal_plan<double>(context_, shape, {lower.data(), diagonal.data(), upper.data()},
                                                    BandedVariant::hybrid);
    plan->solve(y.data(), const_cast<double*>(x.data()));
    return fetch(x);
  };
  ASSERT_EQ(setenv("GWRM_TUNE", "off", 1), 0);
  const std::vector<double> untried = solved();
  EXPECT_EQ(kept_choices(), 0);
  unsetenv("GWRM_TUNE");
  EXPECT_EQ(solved(), untried);
  EXPECT_EQ(kept_choices(), 1);
  EXPECT_EQ(solved(), untried);  // as remembered
  EXPECT_EQ(kept_choices(), 1);
}

}  // namespace
}  // namespace gwrm::cuda
