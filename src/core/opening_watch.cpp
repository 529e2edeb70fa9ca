#include "core/opening_watch.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>

#include "core/blas.hpp"
#include "core/last_resort.hpp"
#include "core/memory.hpp"

namespace gwrm {

std::optional<ShortText> too_little_for_blas() {
  const std::size_t left = memory_left_in_limits(), needed = blas_buffer_bytes();
  if (left >= needed) return std::nullopt;
  ShortText why{};
  std::snprintf(why.text, sizeof why.text,
                "out of memory: the limits of this process (ulimit -v, -d) leave %zu MB, and its linear algebra takes "
                "%zu MB: raise them",
                left / 1'000'000, needed / 1'000'000);
  return why;
}

// Not a std::thread, which frees memory at its end: for that the C library sets an arena up, 64 MB of the address
// space, which may be what there is too little of.
OpeningWatch::OpeningWatch(double longest_wait) : longest_wait_(longest_wait) {
  // Little of the address space; but thread-local data of all libraries lie on it, 220 kB with those of CUDA.
  constexpr std::size_t kStack = std::size_t{2} << 20;
  sigset_t all, before;  // signals are for the threads that there are without it
  sigfillset(&all);
  pthread_attr_t small;
  if (pthread_attr_init(&small) != 0) return;
  pthread_attr_setstacksize(&small, kStack);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  has_thread_ = pthread_create(&thread_, &small, watch, this) == 0;  // else MPI will have none either, and says so
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&small);
}

OpeningWatch::~OpeningWatch() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (has_thread_) pthread_join(thread_, nullptr);
}

void* OpeningWatch::watch(void* self) {
  static_cast<OpeningWatch*>(self)->watch();
  return nullptr;
}

// MPI may be about to end by itself, with the same fault: a moment is left to it. Memory is asked for late, as it is to
// this thread an arena of 64 MB of addresses.
void OpeningWatch::watch() {
  constexpr std::chrono::milliseconds kMoment{200};
  constexpr std::chrono::seconds kLong{3};
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  std::unique_lock lock(mutex_);
  bool was_short = false;
  while (!changed_.wait_for(lock, kMoment, [this] { return over_; })) {
    const std::optional<ShortText> why = too_little_for_blas();
    if (why && was_short) end_without_memory(why->text);
    was_short = why.has_value();
    const Clock::duration waited = Clock::now() - begun;
    if (waited > kLong && memory_is_exhausted()) end_without_memory();
    if (longest_wait_ == 0.0 || waited < std::chrono::duration<double>(longest_wait_)) continue;
    ShortText late{};
    std::snprintf(
        late.text, sizeof late.text,
        "the ranks have not found one another for %g s: one has not begun, or has stopped; all end. Allow more "
        "with GWRM_ANSWER_SECONDS in the environment (0: no limit)",
        longest_wait_);
    end_without_memory(late.text);
  }
}

}  // namespace gwrm
