#include "cli/interrupt.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <optional>

#include "core/errors.hpp"
#include "core/files_at_end.hpp"
#include "core/last_resort.hpp"

namespace gwrm::cli {
namespace {

// In microseconds. After the first, a second is left of the two: to take the memory of a process back the system needs
// a tenth for each gigabyte.
constexpr long kGrace = 1'000'000;
constexpr long kLeastForPrinting = 400'000;
constexpr long kStep = 5'000;  // an undivided step is shorter

// Everything below is read and written by signal handlers, in whatever thread the system chooses.
std::atomic<int> requested{0};  // the first signal
std::atomic<int> n_asking{0};
std::atomic<bool> with_status{false}, with_json{false}, silent{false}, printing{false}, ending{false};
bool on_terminal = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// A system call that cannot fail, and safe in a handler.
void call_back_after(long microseconds) {
  const itimerval once = {{0, 0}, {microseconds / 1'000'000, microseconds % 1'000'000}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

// A text of a fixed size, for a stream that may be stuck: what cannot be written at once is left out.
class Words {
 public:
  explicit Words(int descriptor) : descriptor_(descriptor) {}
  ~Words() {
    pollfd ready = {descriptor_, POLLOUT, 0};
    if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return;
    [[maybe_unused]] const ssize_t written = ::write(descriptor_, text_, size_);
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  void add(const char* text) {
    for (; *text != '\0' && size_ < sizeof text_; ++text) text_[size_++] = *text;
  }
  void add_name(const char* name) {
    for (; *name != '\0' && size_ < sizeof text_; ++name) {
      const auto byte = static_cast<unsigned char>(*name);
      text_[size_++] = byte < 0x20 || byte == 0x7f ? '?' : *name;  // no control characters on a terminal
    }
  }

 private:
  int descriptor_;
  char text_[3072];  // a pipe takes so much at once if it takes anything
  std::size_t size_ = 0;
};

// Not of a file that has gone in the meantime, as a run's that begins afresh.
void tell_way_on(const char* command, const char* path) {
  if (access(path, F_OK) != 0) return;
  Words words(STDERR_FILENO);
  words.add("error: continue with: gwrm ");
  words.add(command);
  words.add(" --restart ");
  words.add_name(path);
  words.add("\n");
}

void tell_journal(const char* path) {
  tell_way_on("run", path);
}

void tell_sweep_journal(const char* path) {
  tell_way_on("sweep", path);
}

void tell_result(const char* path) {
  Words words(STDERR_FILENO);
  words.add("error: the result is complete: ");
  words.add_name(path);
  words.add("\n");
}

void tell_interruption() {
  if (silent) return;
  {
    Words words(STDERR_FILENO);
    words.add(on_terminal ? "\nerror: interrupted\n" : "error: interrupted\n");
  }
  visit_files_at_end(FileKind::result, tell_result);
  visit_files_at_end(FileKind::journal, tell_journal);
  visit_files_at_end(FileKind::sweep, tell_sweep_journal);
  if (!with_json || printing) return;
  Words words(STDOUT_FILENO);
  words.add("{\n  \"error\": \"interrupted\",\n  \"exit_status\": 130\n}\n");
}

void die_of(int number) {
  std::signal(number, SIG_DFL);
  sigset_t this_one;
  sigemptyset(&this_one);
  sigaddset(&this_one, number);
  kill(getpid(), number);  // not raise(): without_memory.cpp
  pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
}

void end_process() {
  if (!begin_end()) return call_back_after(kStep);
  if (ending.exchange(true)) return;  // another thread is at it
  visit_files_at_end(FileKind::temporary, [](const char* path) { unlink(path); });
  if (const std::optional<int> status = settled_status()) _exit(*status);
  if (!with_status) die_of(requested);
  tell_interruption();
  _exit(static_cast<int>(ExitStatus::interrupted));
}

extern "C" void on_signal(int number) {
  const int error = errno;
  int none = 0;
  const bool is_first = requested.compare_exchange_strong(none, number);
  if (is_first && n_asking > 0)
    call_back_after(kGrace);
  else
    end_process();
  errno = error;
}

extern "C" void on_deadline(int number) {
  const int error = errno;
  int none = 0;
  requested.compare_exchange_strong(none, number);  // somebody else's
  end_process();
  errno = error;
}

bool is_ignored(int number) {
  struct sigaction now = {};
  return sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

void install_interrupt_handlers() {
  on_terminal = isatty(STDERR_FILENO) != 0;
  struct sigaction action = {};
  action.sa_flags = SA_RESTART;  // no write fails for a signal that is answered later
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) sigaddset(&action.sa_mask, number);
  action.sa_handler = on_deadline;
  sigaction(SIGALRM, &action, nullptr);
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);
}

void end_interrupted_runs_with_status(bool json) {
  with_json = json;
  with_status = true;
}

void end_without_words(bool wanted) {
  silent = wanted;
}

InterruptsAreAsked::InterruptsAreAsked() {
  ++n_asking;
}

InterruptsAreAsked::~InterruptsAreAsked() {
  --n_asking;
}

bool interrupt_requested() {
  return requested != 0;
}

void work_is_done() {
  printing = true;
  itimerval left = {};
  if (requested == 0 || getitimer(ITIMER_REAL, &left) != 0) return;
  call_back_after(std::max(kLeastForPrinting, left.it_value.tv_sec * 1'000'000 + left.it_value.tv_usec));
}

void keep_file_size_limit_from_ending() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace gwrm::cli
