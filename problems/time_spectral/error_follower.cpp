#include "problems/time_spectral/error_follower.hpp"

#include <system_error>
#include <thread>

#include "core/log.hpp"
#include "core/threads.hpp"

namespace gwrm {
namespace {

constexpr std::size_t kMostWaiting = 16;  // windows: their coefficients, little beside the factors of one

// A device's handles serve one thread, and other places take one window at a time. Fields of the error are evaluated in
// the pool of the case's expressions, which grows as it evaluates and serves one thread, too.
bool may_use_thread(const MarchInput& run) {
  return spare_threads() > 0 && run.places == nullptr && run.settings.device == nullptr &&
         run.context.backend() == Backend::cpu && run.the_case.output.error == ErrorFieldsChoice::off;
}

MarchInput stopped_by(MarchInput run, const std::atomic<bool>& stop) {
  run.interrupted = [&stop, asked = run.interrupted, beginner = std::this_thread::get_id()] {
    return stop.load() || (std::this_thread::get_id() == beginner && asked && asked());
  };
  return run;
}

}  // namespace

ErrorFollower::ErrorFollower(const MarchInput& run)
    : interrupted_(run.interrupted),
      wants_thread_(may_use_thread(run)),
      run_(wants_thread_ ? stopped_by(run, stop_) : run) {
  if (run_.points.size() == 1) estimator_.emplace(run_);
  if (!wants_thread_) return;
  try {
    worker_.emplace(run.context.n_threads(), kMostWaiting);
    if (estimator_) worker_->add([this] { estimator_->prepare(); });  // while the first window is solved
  } catch (const std::system_error& error) {
    logger().debug("the error is estimated in line: {}", error.what());
  }
}

void ErrorFollower::update(const MarchWindow& window) {
  if (!estimator_) estimator_.emplace(run_, &window);
  if (!worker_) return estimator_->update(window);
  MarchWindow copy = window;
  copy.restart_state.clear();  // shared with windows that go on changing
  worker_->add([this, copy = std::move(copy)] { estimator_->update(copy); });
}

ErrorEstimate ErrorFollower::result() {
  if (!worker_) return estimator_->result();
  ErrorEstimate estimate;
  worker_->add([&] { estimate = estimator_->result(); });
  worker_->finish([&] {
    if (interrupted_ && interrupted_()) stop_ = true;
  });
  return estimate;
}

}  // namespace gwrm
