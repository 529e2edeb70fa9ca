#include "watched.hpp"

namespace gwrm::python {
namespace {

constexpr std::chrono::milliseconds kListening{50};

std::mutex left_mutex;
std::condition_variable left_changed;
int n_left = 0;

}  // namespace

api::RunOptions Watch::options(int threads) {
  api::RunOptions options;
  options.threads = threads;
  options.progress = [this](double done, const std::string& note) {
    const std::lock_guard lock(mutex_);
    done_ = done;
    note_ = note;
    ++n_notes_;
  };
  options.interrupted = [this] { return stop_.load(); };
  return options;
}

void Watch::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

bool Watch::wait(const nb::object& tick, std::optional<nb::python_error>& raised) {
  std::unique_lock lock(mutex_);
  std::size_t told = 0;
  while (!changed_.wait_for(lock, kListening, [this] { return ended_; })) {
    const double done = done_;
    const std::string note = note_;
    const bool news = n_notes_ > told;
    told = n_notes_;
    lock.unlock();
    {
      const nb::gil_scoped_acquire acquire;
      if (!hear(tick, done, note, news, raised)) return false;
    }
    lock.lock();
  }
  return true;
}

bool Watch::hear(const nb::object& tick, double done, const std::string& note, bool news,
                 std::optional<nb::python_error>& raised) {
  const bool before = raised.has_value();
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (news && !before && !tick.is_none()) tick(done, note.c_str());
  } catch (const nb::python_error& error) {
    raised.reset();
    raised.emplace(error);
    stop_ = true;
    return !before;
  }
  return true;
}

void thread_left() {
  const std::lock_guard lock(left_mutex);
  ++n_left;
}

void thread_left_ended() {
  const std::lock_guard lock(left_mutex);
  --n_left;
  left_changed.notify_all();
}

bool wait_for_threads_left(double seconds) {
  std::unique_lock lock(left_mutex);
  return left_changed.wait_for(lock, std::chrono::duration<double>(seconds), [] { return n_left == 0; });
}

}  // namespace gwrm::python
