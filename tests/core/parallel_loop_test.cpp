// Loops in threads and without.
#include "core/parallel_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <set>
#include <thread>
#include <vector>

namespace gwrm::parallel_loop_test {
namespace {

template <class Loop>
void check_every_index_once(const Loop& loop) {
  for (bool in_threads : {false, true}) {
    std::vector<std::atomic<int>> count(100);
    loop(Index{100}, in_threads, 3, [&](Index i) { ++count[static_cast<std::size_t>(i)]; });
    EXPECT_TRUE(std::all_of(count.begin(), count.end(), [](int n) { return n == 1; })) << in_threads;
    loop(Index{0}, in_threads, 3, [&](Index) { ADD_FAILURE(); });
    const auto fails = [](Index i) {
      if (i == 50) throw std::bad_alloc();
    };
    EXPECT_THROW(loop(Index{100}, in_threads, 3, fails), std::bad_alloc) << in_threads;
  }
  const std::thread::id own = std::this_thread::get_id();
  loop(Index{100}, false, 3, [&](Index) { EXPECT_EQ(std::this_thread::get_id(), own); });
}

TEST(ParallelLoop, TakesEveryIndexOnceInEqualShares) {
  check_every_index_once([](auto&&... all) { for_each_index(all...); });
  std::vector<std::thread::id> ids(3);
  for_each_index(3, true, 3, [&](Index i) { ids[static_cast<std::size_t>(i)] = std::this_thread::get_id(); });
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 3u);
}

TEST(ParallelLoop, TakesEveryIndexOnceDynamically) {
  check_every_index_once([](auto&&... all) { for_each_index_dynamically(all...); });
}

}  // namespace
}  // namespace gwrm::parallel_loop_test
