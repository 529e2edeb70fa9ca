// The caller's functions as a run may call them: one at a time, and without exceptions, which must not leave a parallel
// loop.
#pragma once

#include <exception>
#include <functional>
#include <mutex>

#include "api/gwrm.hpp"
#include "problems/problem.hpp"

namespace gwrm::api {

class Callbacks {
 public:
  explicit Callbacks(const RunOptions& options) : options_(options) {}

  // Refers to this object.
  RunControl control() {
    RunControl control;
    if (options_.progress) control.progress = [this](double done, const std::string& note) { progress(done, note); };
    control.interrupted = [this] { return stop(); };
    return control;
  }

  // After the run: what a function threw.
  void rethrow() const {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
  }

 private:
  void progress(double done, const std::string& note) {
    guarded([&] { options_.progress(done, note); });
  }

  bool stop() {
    bool wanted = false;
    if (options_.interrupted) guarded([&] { wanted = options_.interrupted(); });
    const std::lock_guard lock(mutex_);
    return wanted || thrown_ != nullptr;
  }

  void guarded(const std::function<void()>& call) {
    const std::lock_guard lock(mutex_);
    if (thrown_ != nullptr) return;
    try {
      call();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  const RunOptions& options_;
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace gwrm::api
