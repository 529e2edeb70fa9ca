// The clock of an automatic run: how far it is, how long it will yet take and what holds it - at any moment, within a
// window that does not end, too.
//
// The march tells what it begins and how it went. From that follow, with run_forecast.hpp,
//   must_stop()   asked by every iteration: whether `resolution.limits.time` is over, or the run will exceed it. Work
//                 that is not finished counts from a tenth of the limit on, as if it were just ending; before eight
//                 windows, or three attempts at one, nothing is known.
//   look()        once a second: without a limit, a warning after a minute where the run will be long by its own
//                 estimate, or where for a minute nothing was finished that would tell. It comes again when the run has
//                 taken twice as long, if it still holds.
// What is told of the time that is left is the least of it where the run becomes slower, and of a trial
// (proposal_trials.hpp), which has seen little of it and nothing of its repetitions.
// A thread looks, since a single factorisation may take minutes and asks nobody.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "problems/time_spectral/run_forecast.hpp"

namespace gwrm {

class RunWatch {
 public:
  // seconds: since the run began, by whatever clock. limit: of them; 0: none; of a trial none that a user has set.
  // forecasts_from: of them; before, a forecast does not end the run.
  RunWatch(std::function<double()> seconds, double limit, bool is_trial = false, double forecasts_from = 0.0);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  // Looks once a second until the end of its life. Without a word where no thread can be started: then nobody looks.
  void look_from_thread();

  // By the march: before its first window; of a steady problem.
  void begin(double t, double end);
  void begin_steady();
  // An attempt at a window; `size`: of what, in words.
  void begin_attempt(double start, double end, const std::string& size);
  // How it went; `why`, what holds the run: "; a front near x = 0.3", or nothing.
  void shorten(const std::string& why);                // it was in vain: a shorter one from the same start
  void refine(double excess, const std::string& why);  // too coarse: finer. excess: of the largest tail
  void accept(double t, double length, const std::string& why);

  // By anybody, in any thread.
  bool must_stop();
  void look();
  std::string text() const;                   // how long it will take, and why
  std::vector<std::string> warnings() const;  // the first one, if there was any

 private:
  struct Outlook {
    double left = 0.0;     // seconds; 0: not known
    bool is_pace = false;  // it goes on as it has so far, that is all that is known
  };
  double in_window(double now) const { return now - (forecast_ ? forecast_->last_seconds() : began_); }
  Outlook outlook(double now, bool for_limit) const;
  bool exceeds(double now) const;
  std::string where(double now) const;
  std::string text(double now) const;
  void watch();

  const std::function<double()> seconds_;
  const double limit_, forecasts_from_;
  const bool is_trial_;
  mutable std::mutex mutex_;  // of everything below
  bool timed_ = false, closed_ = false;
  double began_ = 0.0, t_ = 0.0, first_ = 0.0, end_ = 0.0;
  double start_of_window_ = 0.0, end_of_window_ = 0.0;  // of the attempt
  double attempt_began_ = -1.0;                         // below 0: none is being made
  int n_attempts_ = 0, n_shortened_ = 0;                // since the last accepted window
  double last_length_ = 0.0;
  std::string size_, why_;
  std::optional<MarchForecast> forecast_;
  RefinementForecast refinement_;
  double warned_at_ = 0.0;
  std::vector<std::string> warnings_;
  std::condition_variable changed_;  // closed_
  std::thread thread_;
};

}  // namespace gwrm
