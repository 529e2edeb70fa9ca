// What a thread keeps from call to call.
#include "core/thread_scratch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace gwrm::thread_scratch_test {
namespace {

TEST(ThreadScratch, IsTheSameFromCallToCallAndEachThreadsOwn) {
  struct Number {
    int value = 1;
  };
  thread_scratch<Number>().value = 2;
  EXPECT_EQ(thread_scratch<Number>().value, 2);
  const Number* const mine = &thread_scratch<Number>();
  std::thread([mine] {
    EXPECT_EQ(thread_scratch<Number>().value, 1);
    EXPECT_NE(&thread_scratch<Number>(), mine);
    thread_scratch<Number>().value = 3;
    EXPECT_EQ(thread_scratch<Number>().value, 3);
  }).join();
  EXPECT_EQ(&thread_scratch<Number>(), mine);
  EXPECT_EQ(mine->value, 2);
}

TEST(ThreadScratch, TypesOfOneKindAreApart) {
  struct First : std::string {};
  struct Second : std::string {};
  thread_scratch<First>() = First{{"first"}};
  EXPECT_TRUE(thread_scratch<Second>().empty());
}

std::string gone;  // by one thread at a time
template <char name>
struct Named {
  ~Named() { gone += name; }
};

TEST(ThreadScratch, EndsWithTheThreadTheLastFirst) {
  gone.clear();
  thread_scratch<Named<'x'>>();
  std::thread([] {
    thread_scratch<Named<'a'>>();
    thread_scratch<Named<'b'>>();
    thread_scratch<Named<'a'>>();
    EXPECT_EQ(gone, "");
  }).join();
  EXPECT_EQ(gone, "ba");
}

std::atomic<int> n_alive = 0;
struct Counted {
  Counted() { ++n_alive; }
  ~Counted() { --n_alive; }
};

TEST(ThreadScratch, ThreadsOfALoopKeepTheirsUntilTheirMasterEnds) {
  std::thread([] {
    for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(3)
      thread_scratch<Counted>();
      EXPECT_GE(n_alive, 1);
      EXPECT_LE(n_alive, 3);
    }
  }).join();
  for (int i = 0; i < 1000 && n_alive > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(n_alive, 0);
}

struct AtSecondTry {
  AtSecondTry() {
    if (++tries == 1) throw std::bad_alloc();
  }
  inline static int tries = 0;
};

TEST(ThreadScratch, AfterAnExceptionTheNextCallTriesAgain) {
  EXPECT_THROW(thread_scratch<AtSecondTry>(), std::bad_alloc);
  EXPECT_NO_THROW(thread_scratch<AtSecondTry>());
  EXPECT_NO_THROW(thread_scratch<AtSecondTry>());
  EXPECT_EQ(AtSecondTry::tries, 2);
}

// The destructor of one thing may ask for another one, which is then made anew and destroyed too.
struct Inner {
  Inner() { ++n_alive; }
  ~Inner() { --n_alive; }
  int value = 7;
};
struct Outer {
  ~Outer() { seen = thread_scratch<Inner>().value; }
  inline static int seen = 0;
};

TEST(ThreadScratch, MayBeAskedForWhileTheThreadEnds) {
  std::thread([] {
    thread_scratch<Outer>();
    thread_scratch<Inner>();
  }).join();
  EXPECT_EQ(Outer::seen, 7);
  EXPECT_EQ(n_alive, 0);
}

}  // namespace
}  // namespace gwrm::thread_scratch_test
