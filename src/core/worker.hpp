// A thread that carries out jobs in the order in which they come, beside the one that hands them over.
//
// At most so many jobs wait: who adds one more waits too, so that what jobs hold of memory is bounded. After a job that
// throws no further one is begun; the exception comes out of the next call here. A job may use parallel loops: those
// that do not say their number of threads take that of the constructor, as everywhere else in a run.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace gwrm {

class Worker {
 public:
  using Job = std::function<void()>;

  // std::system_error where no thread can be started.
  Worker(int n_loop_threads, std::size_t most_waiting);
  ~Worker();  // jobs that wait are dropped; the one that is being done ends first
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void add(Job job);
  // Waits until all is done; `meanwhile` is called in this thread some times a second.
  void finish(const Job& meanwhile);

 private:
  void carry_out(int n_loop_threads);
  void rethrow_error() const;

  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;  // anything below
  std::deque<Job> jobs_;             // that wait
  bool busy_ = false, closed_ = false;
  std::exception_ptr error_;
  std::jthread thread_;  // last: it uses the above
};

}  // namespace gwrm
