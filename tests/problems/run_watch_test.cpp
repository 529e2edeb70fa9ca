// What a run says of its time while it goes on, by a clock that is turned by hand.
#include "problems/time_spectral/run_watch.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gwrm::run_watch_test {
namespace {

struct Clock {
  double now = 0.0;
};

class Watched {
 public:
  explicit Watched(double limit = 0.0, bool is_trial = false) : watch([this] { return clock.now; }, limit, is_trial) {}
  // Equal windows, each of so many seconds.
  void march(int n, double seconds, double length) {
    for (int i = 0; i < n; ++i) {
      watch.begin_attempt(t, t + length, "x 4 * 17");
      clock.now += seconds;
      t += length;
      watch.accept(t, length, "");
    }
  }
  std::string warning() {
    watch.look();
    return watch.warnings().empty() ? "" : watch.warnings().front();
  }

  Clock clock;
  double t = 0.0;
  RunWatch watch;
};

void expect_in(const std::string& text, const std::string& fragment) {
  EXPECT_NE(text.find(fragment), std::string::npos) << "'" << fragment << "' in: " << text;
}

// A front that leaves ever more behind it: each window takes longer than the one before.
TEST(RunWatch, OfASlowingRunTheLeastIsTold) {
  Watched run;
  run.watch.begin(0.0, 1.0);
  for (int i = 1; i <= 60; ++i) run.march(1, 0.05 * i, 1e-4);
  expect_in(run.warning(), "by its own estimate the run takes at least another ");
  Watched even;
  even.watch.begin(0.0, 1.0);
  even.march(60, 1.5, 1e-4);
  expect_in(even.warning(),
            "by its own estimate the run takes another 4 h 08 min, windows of about 1.0e-04 do not grow");
}

// A trial has a limit that no user knows, and has seen little of the run.
TEST(RunWatch, OfATrialTheLeastIsToldAndNoLimit) {
  Watched run(2.0, true);
  run.watch.begin(0.0, 1.0);
  run.march(20, 0.05, 1e-4);
  EXPECT_TRUE(run.watch.must_stop());
  expect_in(run.watch.text(), "by its own estimate the run takes at least another 8 min 19 s from t = 0.002 of 1 on, ");
  EXPECT_EQ(run.watch.text().find("limits.time"), std::string::npos);
}

// One attempt at the first window that does not end: nothing can be told but that, and it is told after a minute.
TEST(RunWatch, AFirstWindowThatDoesNotEnd) {
  Watched run;
  run.watch.begin_steady();
  run.watch.begin_attempt(0.0, 1.0, "x 1 * 97");
  run.clock.now = 59.0;
  EXPECT_EQ(run.warning(), "");
  run.clock.now = 60.0;
  expect_in(run.warning(), "the run has taken 1 min 00 s, 1 min 00 s of it before an answer, attempt 1 on x 1 * 97");
  // ..., and with every doubling of the time; the report has the first.
  run.clock.now = 119.0;
  run.watch.look();
  run.clock.now = 120.0;
  run.watch.look();
  EXPECT_EQ(run.watch.warnings().size(), 1u);
}

// Windows that are tried and shortened without one being accepted: no window is finished, and still there is an
// estimate, from the length that is tried and the time that all attempts have taken.
TEST(RunWatch, WindowsThatAreOnlyShortened) {
  Watched run;
  run.watch.begin(0.0, 20.0);
  double length = 1e-3;
  for (int i = 0; i < 6; ++i, length /= 10.0) {
    run.watch.begin_attempt(0.0, length, "y 2 * 33");
    run.clock.now += 10.0;
    run.watch.shorten("; a reason");
    EXPECT_EQ(i < 5, run.warning().empty()) << i;
  }
  const std::string text = run.warning();
  expect_in(text, "t = 0 of 20: at its present pace the run takes another ");
  expect_in(text, "in the window from t = 0 to 1e-08, the 6 before it being too long, attempt 6 on y 2 * 33; a reason");
}

// A run of equal windows that will be over within some minutes is left alone, one that creeps is not.
TEST(RunWatch, OnlyLongRunsAreWarnedOf) {
  Watched soon;
  soon.watch.begin(0.0, 1.0);
  soon.march(70, 1.0, 0.005);
  EXPECT_EQ(soon.warning(), "");
  Watched creeps;
  creeps.watch.begin(0.0, 1.0);
  creeps.march(59, 1.0, 1e-6);
  EXPECT_EQ(creeps.warning(), "");
  creeps.march(2, 1.0, 1e-6);
  expect_in(creeps.warning(), "t = 6.1e-05 of 1: by its own estimate the run takes another 277");
  expect_in(creeps.warning(), "windows of about 1.0e-06 do not grow");
}

// Quick windows up to one in which all stands still.
TEST(RunWatch, AWindowInTheMidstOfARun) {
  Watched run;
  run.watch.begin(0.0, 1.0);
  run.march(40, 0.1, 0.01);
  run.watch.begin_attempt(0.4, 0.4001, "x 9 * 17");
  run.clock.now = 64.0;
  const std::string text = run.warning();
  expect_in(text, "t = 0.4 of 1: by its own estimate the run takes another ");
  expect_in(text, "1 min 00 s of it in the window from t = 0.4 to 0.4001, attempt 1 on x 9 * 17");
}

TEST(RunWatch, TheLimitIsKeptWithinAWindow) {
  Watched run(100.0);
  run.watch.begin_steady();
  run.watch.begin_attempt(0.0, 1.0, "");
  run.clock.now = 99.0;
  EXPECT_FALSE(run.watch.must_stop());
  run.clock.now = 101.0;
  EXPECT_TRUE(run.watch.must_stop());
  expect_in(run.watch.text(), "the run has taken 1 min 41 s (resolution.limits.time is 100 s)");
  EXPECT_EQ(run.warning(), "");  // who has set a limit knows
}

// An unfinished window tells that the rest will take too long; a short one says nothing, and nothing is known before
// eight windows.
TEST(RunWatch, TheLimitIsForeseenWithinAWindow) {
  Watched run(100.0);
  run.watch.begin(0.0, 1.0);
  run.march(20, 0.1, 0.01);
  run.watch.begin_attempt(0.2, 0.2001, "");
  run.clock.now = 11.0;  // nine seconds of it in the window
  EXPECT_FALSE(run.watch.must_stop());
  run.clock.now = 13.0;
  EXPECT_TRUE(run.watch.must_stop());
  Watched first(100.0);
  first.watch.begin(0.0, 1.0);
  first.march(7, 0.1, 0.01);
  first.watch.begin_attempt(0.07, 0.0701, "");
  first.clock.now = 50.0;
  EXPECT_FALSE(first.watch.must_stop());
}

// Attempts on finer and finer subdomains that gain a tenth of a digit each.
TEST(RunWatch, RefinementThatDoesNotEnd) {
  Watched run;
  run.watch.begin_steady();
  double excess = 1e6;
  for (int i = 0; i < 4; ++i, excess *= 0.8) {
    run.watch.begin_attempt(0.0, 1.0, "x 1 * 97");
    run.clock.now += 30.0 * (i + 1);
    run.watch.refine(excess, "; the tail is still large");
  }
  run.watch.begin_attempt(0.0, 1.0, "x 2 * 97");
  const std::string text = run.warning();
  expect_in(text, "by its own estimate the run takes another ");
  expect_in(text, "before an answer, attempt 5 on x 2 * 97; the tail is still large");
}

TEST(RunWatch, TheThreadEndsWithTheWatch) {
  Watched run;
  run.watch.look_from_thread();
  run.watch.begin(0.0, 1.0);
}

}  // namespace
}  // namespace gwrm::run_watch_test
