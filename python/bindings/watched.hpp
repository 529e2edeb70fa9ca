// Calls of the library from Python: on a thread of their own, with the lock of the interpreter released. The calling
// thread waits, hears signals and tells how far the work is.
//
//   signals    a handler that raises (Ctrl-C: KeyboardInterrupt) asks the work to end; what is finished by then is
//   kept.
//              A second one leaves the work alone, which ends by itself when it next asks.
//   progress   the caller's function, on the calling thread; what it raises ends the work as a signal does
//   threads    those of OpenMP belong to the thread that begins them and end with it: a process that Python forks later
//              finds none that are missing
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "gwrm/gwrm.hpp"

namespace gwrm::python {

namespace nb = nanobind;

// What the two threads have in common; the working one may outlive the call.
class Watch {
 public:
  // For the work.
  api::RunOptions options(int threads);

  void stop() { stop_ = true; }  // asks the work to end
  // By the working thread, at its end.
  void end();
  // By the calling thread, without the lock of the interpreter: until the end, or until somebody raises twice. `tick`:
  // None, or a function of the fraction done and a note. True: the work has ended.
  bool wait(const nb::object& tick, std::optional<nb::python_error>& raised);

 private:
  // With the lock of the interpreter. False: leave the work alone.
  bool hear(const nb::object& tick, double done, const std::string& note, bool news,
            std::optional<nb::python_error>& raised);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  double done_ = 0.0;
  std::string note_;
  std::size_t n_notes_ = 0;
  std::atomic<bool> stop_ = false;
};

// Working threads that nobody waits for. Waits for them; false if some are left after so many seconds.
bool wait_for_threads_left(double seconds);
void thread_left();
void thread_left_ended();

// The value of work(options). `kept`: None, or a list that gets the value where an exception of Python comes in its
// place. work owns what it needs.
template <class Work>
auto watched(Work work, int threads = 0, const nb::object& tick = nb::none(), const nb::object& kept = nb::none()) {
  using Value = decltype(work(std::declval<const api::RunOptions&>()));
  struct State {
    explicit State(Work given) : work(std::move(given)) {}
    Work work;
    Watch watch;
    std::optional<Value> value;
    std::exception_ptr error;
    std::atomic<bool> is_left = false, is_done = false;
  };
  const auto state = std::make_shared<State>(std::move(work));
  std::optional<nb::python_error> raised;
  bool ended = false;
  {
    const nb::gil_scoped_release release;
    std::thread thread([state, threads] {
      try {
        state->value.emplace(state->work(state->watch.options(threads)));
      } catch (...) {
        state->error = std::current_exception();
      }
      state->watch.end();
      if (state->is_done.exchange(true)) thread_left_ended();
    });
    try {
      ended = state->watch.wait(tick, raised);
    } catch (...) {
      state->watch.stop();
      thread.join();
      throw;
    }
    if (ended) {
      thread.join();
    } else {
      thread_left();
      if (state->is_done.exchange(true)) thread_left_ended();
      thread.detach();
    }
  }
  if (raised) {
    if (ended && state->value && !kept.is_none()) nb::borrow<nb::list>(kept).append(nb::cast(std::move(*state->value)));
    throw nb::python_error(*raised);
  }
  if (state->error) std::rethrow_exception(state->error);
  return std::move(*state->value);
}

}  // namespace gwrm::python
