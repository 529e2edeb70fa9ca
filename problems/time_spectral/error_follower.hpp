// The estimate of the error (error_estimate.hpp) behind the march: on a thread of its own where a core is idle
// (spare_threads()) and everything runs on the CPU, else in line. Both give the same to the bit: the same windows one
// after the other, by the same code.
//
// On the thread an interruption of the run reaches the estimate within a Newton step: the run's own question whether it
// is to stop may have to be asked in the thread that began it. An estimate that is not asked for its result, since the
// march has failed, is stopped likewise.
#pragma once

#include <atomic>
#include <optional>

#include "core/worker.hpp"
#include "problems/time_spectral/error_estimate.hpp"

namespace gwrm {

class ErrorFollower {
 public:
  explicit ErrorFollower(const MarchInput& run);
  ~ErrorFollower() { stop_ = true; }
  ErrorFollower(const ErrorFollower&) = delete;
  ErrorFollower& operator=(const ErrorFollower&) = delete;

  void update(const MarchWindow& window);  // one after the other; waits where the march is far ahead
  ErrorEstimate result();                  // after the last one, of one at least
  void sample(RunOutcome& outcome) { estimator_->sample(outcome); }
  std::optional<Solution> solution() { return estimator_->solution(); }
  Losses losses() const { return estimator_->losses(); }
  bool is_sensitive() const { return estimator_->is_sensitive(); }
  double grown_rounding() const { return estimator_->grown_rounding(); }

  bool is_on_thread() const { return worker_.has_value(); }

 private:
  const std::function<bool()> interrupted_;  // of the run
  std::atomic<bool> stop_ = false;
  const bool wants_thread_;
  const MarchInput run_;
  std::optional<ErrorEstimator> estimator_;  // with parameters that are solved point by point from the first window on
  std::optional<Worker> worker_;             // last: its thread uses the above
};

}  // namespace gwrm
