#include "cli/crashes_without_memory.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>

#include "core/last_resort.hpp"

namespace gwrm::cli {
namespace {

struct Caught {
  int number;
  struct sigaction before;
};
std::array<Caught, 3> caught = {{{SIGSEGV, {}}, {SIGBUS, {}}, {SIGABRT, {}}}};

constexpr unsigned kSeconds = 2;
volatile std::sig_atomic_t crashed = 0;  // the signal

void give_back(int number) {
  for (const Caught& one : caught)
    if (one.number == number) sigaction(number, &one.before, nullptr);
}

// The crash was in malloc itself, whose lock is held: as a shell shows the signal.
extern "C" void on_stuck(int) {
  _exit(128 + static_cast<int>(crashed));
}

// To ask for memory is not for a handler of signals; but who comes here has crashed, and who gets stuck is fetched out.
extern "C" void on_crash(int number, siginfo_t* about, void*) {
  crashed = number;
  struct sigaction stuck = {}, before = {};
  stuck.sa_handler = on_stuck;
  sigaction(SIGALRM, &stuck, &before);
  alarm(kSeconds);
  if (memory_is_exhausted()) end_without_memory();
  alarm(0);
  sigaction(SIGALRM, &before, nullptr);
  give_back(number);
  if (about->si_code <= 0) kill(getpid(), number);  // was sent, and does not come again by itself
}

}  // namespace

void catch_crashes_without_memory() {
  // Of the main thread alone: a stack that is full is one of want of memory, too, in a library that reports it by
  // allocating.
  static std::array<std::byte, std::size_t{1} << 16> stack;
  const stack_t other = {stack.data(), 0, stack.size()};
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = on_crash;
  for (Caught& one : caught) sigaction(one.number, &action, &one.before);
}

}  // namespace gwrm::cli
