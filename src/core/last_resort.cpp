#include "core/last_resort.hpp"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <new>
#include <system_error>

#include "core/errors.hpp"
#include "core/files_at_end.hpp"

namespace gwrm {
namespace {

constexpr int kOpen = -1;  // no status is settled
std::atomic<int> settled{kOpen};
std::atomic<bool> in_json{false}, ending{false};

void say(int descriptor, const char* text) noexcept {
  const ssize_t ignored = write(descriptor, text, std::strlen(text));
  static_cast<void>(ignored);
}

// A step of another thread that is not to be divided is over soon; one of this thread never is.
void delete_temporary_files() noexcept {
  constexpr int kTurns = 100;
  for (int turn = 0; turn < kTurns && !begin_end(); ++turn) usleep(1000);
  visit_files_at_end(FileKind::temporary, [](const char* path) { unlink(path); });
}

}  // namespace

bool is_want_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  return system != nullptr && (system->code() == std::errc::not_enough_memory ||
                               system->code() == std::errc::resource_unavailable_try_again);
}

void end_without_memory(const char* message) noexcept {
  while (ending.exchange(true)) pause();  // another thread is at it
  delete_temporary_files();
  if (const std::optional<int> status = settled_status()) _exit(*status);
  say(STDERR_FILENO, "error: ");
  say(STDERR_FILENO, message);
  say(STDERR_FILENO, "\n");
  if (in_json) {
    say(STDOUT_FILENO, "{\n  \"error\": \"");
    say(STDOUT_FILENO, message);  // of our own, without quotes
    static_assert(static_cast<int>(ExitStatus::resources) == 7);
    say(STDOUT_FILENO, "\",\n  \"exit_status\": 7\n}\n");
  }
  _exit(static_cast<int>(ExitStatus::resources));
}

void last_resort_in_json(bool wanted) noexcept {
  in_json = wanted;
}

void settle_status(int status) noexcept {
  settled = status;
}

std::optional<int> settled_status() noexcept {
  const int status = settled;
  return status == kOpen ? std::nullopt : std::optional(status);
}

}  // namespace gwrm
