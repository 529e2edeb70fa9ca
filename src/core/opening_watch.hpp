// Looks after MPI while the ranks find one another, which it does in calls that nobody can look into. Where a limit of
// the address space leaves no room for what it shares with the ranks of its machine, Open MPI waits there for ever; and
// so it does for a rank that never comes.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <optional>

namespace gwrm {

// While it lives a thread of its own ends the process, with a message on stderr and the status of resources
// (last_resort.hpp), where
//   no memory is left, and MPI has not ended by that for some seconds;
//   the limits of the process (ulimit -v, -d) leave less than the program's linear algebra takes as soon as MPI is
//   there; it lives for longer than `longest_wait` seconds (0: for ever).
class OpeningWatch {
 public:
  explicit OpeningWatch(double longest_wait);
  ~OpeningWatch();
  OpeningWatch(const OpeningWatch&) = delete;
  OpeningWatch& operator=(const OpeningWatch&) = delete;

 private:
  static void* watch(void* self);
  void watch();

  const double longest_wait_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  pthread_t thread_{};
  bool has_thread_ = false;  // not where the system gives none
};

// Whether the limits of the process leave no room for its linear algebra, which would ask for it for ever: why, as
// "out of memory: ..". Takes no memory.
struct ShortText {
  char text[200];
};
std::optional<ShortText> too_little_for_blas();

}  // namespace gwrm
