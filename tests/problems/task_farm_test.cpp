// The task farm and where its runs are computed, on runs that do nothing (problems/task_farm).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "core/devices.hpp"
#include "core/errors.hpp"
#include "problems/task_farm/rank_farm.hpp"

namespace gwrm::task_farm_test {
namespace {

// A rank among others that see these devices.
class OneOf : public Team {
 public:
  OneOf(int rank, std::vector<std::uint64_t> devices) : rank_(rank), devices_(std::move(devices)) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(devices_.size()); }
  int local_rank() const override { return rank_; }
  int n_local() const override { return size(); }
  std::vector<std::uint64_t> gather(std::uint64_t own) override {
    std::vector<std::uint64_t> all = devices_;
    all[static_cast<std::size_t>(rank_)] = own;
    return all;
  }

 private:
  int rank_;
  std::vector<std::uint64_t> devices_;
};

TEST(FarmPlaces, RanksTakeTheDevicesOfTheirMachineInTurn) {
  EXPECT_EQ(devices_of_rank(0, 1, 0), std::vector<int>{});
  EXPECT_EQ(devices_of_rank(0, 1, 4), (std::vector<int>{0, 1, 2, 3})) << "one process takes all";
  EXPECT_EQ(devices_of_rank(1, 2, 5), (std::vector<int>{1, 3}));
  EXPECT_EQ(devices_of_rank(3, 4, 4), std::vector<int>{3});
  EXPECT_EQ(devices_of_rank(5, 8, 2), std::vector<int>{1}) << "shared";
  EXPECT_EQ(devices_of_rank(3, 4, 1), std::vector<int>{0}) << "the launcher has chosen";
  // Each device of a machine is taken, and by ranks that differ by one at most.
  for (int n_local = 1; n_local <= 9; ++n_local)
    for (int n = 1; n <= 9; ++n) {
      std::vector<int> taken(static_cast<std::size_t>(n), 0);
      for (int rank = 0; rank < n_local; ++rank)
        for (const int device : devices_of_rank(rank, n_local, n)) ++taken[static_cast<std::size_t>(device)];
      const auto [least, most] = std::minmax_element(taken.begin(), taken.end());
      EXPECT_GE(*least, 1);
      EXPECT_LE(*most - *least, 1);
    }
}

TEST(FarmPlaces, WithoutADeviceRanksTakeTheirCoresOrNothingAndSaySoOnce) {
  if (n_devices() > 0) GTEST_SKIP() << "there is a device";
  OneOf among{0, {0, 5, 5, 7}};
  const FarmPlaces automatic = places_of(among, {BackendChoice::automatic, 2, 0});
  EXPECT_FALSE(automatic.on_devices());
  EXPECT_FALSE(automatic.without_device);
  EXPECT_EQ(automatic.n_threads, 2);
  EXPECT_EQ(automatic.device_name, "cpu (2 threads)");
  EXPECT_NE(automatic.note.find("1 of 4 ranks see no device"), std::string::npos) << automatic.note;
  EXPECT_NE(automatic.note.find("they compute on their cores; 3 ranks share 2 devices"), std::string::npos)
      << automatic.note;
  const FarmPlaces required = places_of(among, {BackendChoice::cuda, 2, 0});
  EXPECT_TRUE(required.without_device);
  EXPECT_NE(required.note.find("they take no runs"), std::string::npos) << required.note;
  EXPECT_EQ(places_of(among, {BackendChoice::cpu, 2, 0}).note, "");

  Team alone;
  EXPECT_THROW(places_of(alone, {BackendChoice::cuda, 1, 0}), DeviceError);
  EXPECT_FALSE(places_to_help(alone, {BackendChoice::cuda, 1, 0}));
  EXPECT_EQ(places_of(alone, {BackendChoice::automatic, 3, 0}).n_threads, 3);
}

FarmTasks tasks_of(std::size_t count) {
  FarmTasks tasks;
  tasks.count = count;
  tasks.run = [](std::size_t, const Context&, const RunControl&) {
    RunOutcome outcome;
    outcome.status = ExitStatus::converged;
    return outcome;
  };
  return tasks;
}

TEST(TaskFarm, RunsEveryTaskOnceTheCostliestFirst) {
  for (const int n_threads : {1, 3}) {
    FarmTasks tasks = tasks_of(20);
    std::vector<std::size_t> ended;
    tasks.cost = [](std::size_t task) { return static_cast<double>(task % 5); };
    tasks.consume = [&](std::size_t task, RunOutcome) { ended.push_back(task); };
    FarmPlaces places;
    places.n_threads = n_threads;
    run_tasks(tasks, places, {});
    if (n_threads == 1) {
      EXPECT_EQ(ended.front(), 4u);
      EXPECT_EQ(ended.back(), 15u);
    }
    std::sort(ended.begin(), ended.end());
    ASSERT_EQ(ended.size(), 20u);
    for (std::size_t task = 0; task < 20; ++task) EXPECT_EQ(ended[task], task);
  }
}

// One run is what an interrupted sweep may have left: it has the bits of the others.
TEST(TaskFarm, RunsOnTheCpuHaveOneThreadAlsoTheLastOne) {
  for (const std::size_t n_tasks : {1, 2, 5}) {
    FarmTasks tasks = tasks_of(n_tasks);
    tasks.run = [run = tasks.run](std::size_t task, const Context& context, const RunControl& control) {
      EXPECT_EQ(context.n_threads(), 1);
      return run(task, context, control);
    };
    std::size_t n_ended = 0;
    tasks.consume = [&](std::size_t, RunOutcome outcome) { n_ended += outcome.status == ExitStatus::converged; };
    FarmPlaces places;
    places.n_threads = 4;
    run_tasks(tasks, places, {});
    EXPECT_EQ(n_ended, n_tasks);
  }
}

// The devices of this test are threads with a number: it needs none.
TEST(TaskFarm, RunsOnADeviceAreAsManyAsToldAndRepeatedAloneWhereMemoryFails) {
  if (n_devices() > 0) GTEST_SKIP() << "there is a device";
  std::atomic<int> under_way{0}, most{0}, repeated{0};
  FarmTasks tasks = tasks_of(40);
  tasks.run = [&](std::size_t task, const Context&, const RunControl&) {
    const int beside = ++under_way;
    for (int seen = most; seen < beside && !most.compare_exchange_weak(seen, beside);) {
    }
    // The first ones wait for as many as there may be, but not for ever.
    for (int k = 0; k < 1000 && most < 3; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const int at_end = under_way--;
    RunOutcome outcome;
    outcome.status = ExitStatus::converged;
    if (task % 4 == 0) {  // needs the whole device
      if (beside > 1 || at_end > 1) {
        ++repeated;
        outcome.status = ExitStatus::resources;
      }
    }
    return outcome;
  };
  std::vector<ExitStatus> statuses(40, ExitStatus::internal_error);
  tasks.consume = [&](std::size_t task, RunOutcome outcome) { statuses[task] = outcome.status; };
  FarmPlaces places;
  places.backend = BackendChoice::automatic;
  places.devices = {0};
  places.n_threads = 8;
  places.runs_per_device = 3;
  run_tasks(tasks, places, {});
  EXPECT_EQ(most, 3);
  EXPECT_GT(repeated, 0);
  for (const ExitStatus status : statuses) EXPECT_EQ(status, ExitStatus::converged);
}

}  // namespace
}  // namespace gwrm::task_farm_test
