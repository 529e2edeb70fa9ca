#include "core/last_resort.hpp"

#include <linux/limits.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <iterator>
#include <new>
#include <system_error>

#include "core/errors.hpp"

namespace gwrm {
namespace {

// As many files as a process writes at once; of more, the last resort leaves some behind.
struct Slot {
  std::atomic<bool> taken{false}, valid{false};
  pid_t owner = 0;  // a child of fork leaves its parent's files alone
  char path[PATH_MAX] = {};
};
Slot slots[8];

constexpr int kOpen = -1;  // no status is settled
std::atomic<int> settled{kOpen};
std::atomic<bool> in_json{false}, ending{false};

void say(int descriptor, const char* text) noexcept {
  const ssize_t ignored = write(descriptor, text, std::strlen(text));
  static_cast<void>(ignored);
}

void delete_files_in_work() noexcept {
  for (const Slot& slot : slots)
    if (slot.valid && slot.owner == getpid()) unlink(slot.path);
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
  delete_files_in_work();
  if (settled != kOpen) _exit(settled);
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

void FileInWork::begin(const char* path) noexcept {
  end();
  const std::size_t size = std::strlen(path) + 1;
  if (size > sizeof(Slot::path)) return;
  for (int i = 0; i < static_cast<int>(std::size(slots)); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    std::memcpy(slots[i].path, path, size);
    slots[i].owner = getpid();
    slots[i].valid = true;
    slot_ = i;
    return;
  }
}

void FileInWork::end() noexcept {
  if (slot_ < 0) return;
  slots[slot_].valid = false;
  slots[slot_].taken = false;
  slot_ = -1;
}

}  // namespace gwrm
