// Work tried out in a child (output/probe.hpp).
#include "output/probe.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>

#include "core/errors.hpp"
#include "core/last_resort.hpp"

namespace gwrm::probe_test {
namespace {

TEST(Probe, WorkThatEndsSurvives) {
  EXPECT_TRUE(survives([] {}, 10));
  EXPECT_TRUE(survives([] { throw std::runtime_error("told by the caller"); }, 10));
}

TEST(Probe, SignalsAreSeenFromOutside) {
  EXPECT_FALSE(survives([] { raise(SIGSEGV); }, 10));
  EXPECT_FALSE(survives([] { raise(SIGABRT); }, 10));
}

TEST(Probe, TooLittleMemoryIsNoFaultOfTheWork) {
  EXPECT_THROW(survives([] { end_without_memory(); }, 10), MemoryError);
}

TEST(Probe, EndlessWorkIsEnded) {
  volatile bool on = true;
  const auto work = [&] {
    while (on) {
    }
  };
  EXPECT_FALSE(survives(work, 1));
}

TEST(Probe, WhatTheChildDoesIsLost) {
  int changed = 0;
  EXPECT_TRUE(survives([&] { changed = 1; }, 10));
  EXPECT_EQ(changed, 0);
}

}  // namespace
}  // namespace gwrm::probe_test
