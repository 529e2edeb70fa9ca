#include "core/worker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

namespace gwrm::worker_test {
namespace {

void nothing() {}

TEST(Worker, CarriesOutJobsInOrderOnItsThread) {
  std::vector<int> done;  // the worker's alone until finish()
  std::vector<std::thread::id> where;
  Worker worker(1, 4);
  for (int i = 0; i < 100; ++i)
    worker.add([&, i] {
      done.push_back(i);
      where.push_back(std::this_thread::get_id());
    });
  worker.finish(nothing);
  ASSERT_EQ(done.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
  for (const std::thread::id& id : where) {
    EXPECT_EQ(id, where.front());
    EXPECT_NE(id, std::this_thread::get_id());
  }
}

TEST(Worker, LetsWaitWhoeverIsTooFarAhead) {
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  std::atomic<int> added = 0;
  Worker worker(1, 2);
  std::jthread giver([&] {
    for (int i = 0; i < 6; ++i) {
      worker.add([open] { open.wait(); });
      ++added;
    }
  });
  while (added < 2) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_LE(added, 3);  // one that is being done, two that wait
  gate.set_value();
  giver.join();
  worker.finish(nothing);
  EXPECT_EQ(added, 6);
}

TEST(Worker, CallsMeanwhileUntilAllIsDone) {
  std::atomic<bool> stop = false;
  Worker worker(1, 2);
  worker.add([&] {
    while (!stop) std::this_thread::yield();
  });
  worker.finish([&] { stop = true; });  // nobody else ends the job
  EXPECT_TRUE(stop);
}

// However many wait and are still to come.
TEST(Worker, HandsExceptionsBackAndBeginsNoFurtherJob) {
  std::atomic<int> done = 0;
  Worker worker(1, 2);
  const auto give = [&] {
    for (int i = 0; i < 50; ++i)
      worker.add([&] {
        ++done;
        throw std::runtime_error("a job failed");
      });
    worker.finish(nothing);
  };
  EXPECT_THROW(give(), std::runtime_error);
  EXPECT_THROW(worker.finish(nothing), std::runtime_error);
  EXPECT_THROW(worker.add(nothing), std::runtime_error);
  EXPECT_EQ(done, 1);
}

TEST(Worker, EndsWithItsJobAndDropsThoseThatWait) {
  std::promise<void> begun;
  std::atomic<bool> stop = false;
  std::atomic<int> done = 0;
  {
    Worker worker(1, 8);
    worker.add([&] {
      begun.set_value();
      while (!stop) std::this_thread::yield();
      ++done;
    });
    begun.get_future().wait();
    for (int i = 0; i < 5; ++i) worker.add([&] { ++done; });
    stop = true;
  }
  EXPECT_GE(done, 1);
  EXPECT_LE(done, 6);
}

}  // namespace
}  // namespace gwrm::worker_test
