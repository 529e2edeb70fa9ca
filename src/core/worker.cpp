#include "core/worker.hpp"

#include <chrono>
#include <utility>

#include "core/threads.hpp"

namespace gwrm {
namespace {

constexpr std::chrono::milliseconds kMeanwhile{50};

}  // namespace

Worker::Worker(int n_loop_threads, std::size_t most_waiting)
    : most_waiting_(most_waiting), thread_([this, n_loop_threads] { carry_out(n_loop_threads); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
}

void Worker::carry_out(int n_loop_threads) {
  set_loop_threads(n_loop_threads);  // OpenMP asks for it thread by thread
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closed_ || !jobs_.empty(); });
    if (closed_) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr error;
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
    job = nullptr;  // what it holds goes while nobody waits for the lock
    lock.lock();
    busy_ = false;
    if (error) {
      error_ = error;
      jobs_.clear();
    }
    changed_.notify_all();
  }
}

void Worker::rethrow_error() const {
  if (error_) std::rethrow_exception(error_);
}

void Worker::add(Job job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || jobs_.size() < most_waiting_; });
  rethrow_error();
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

void Worker::finish(const Job& meanwhile) {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kMeanwhile, [&] { return error_ || (jobs_.empty() && !busy_); })) {
    lock.unlock();
    meanwhile();
    lock.lock();
  }
  rethrow_error();
}

}  // namespace gwrm
