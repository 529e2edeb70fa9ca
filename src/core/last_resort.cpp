#include "core/last_resort.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#include "core/errors.hpp"
#include "core/files_at_end.hpp"

namespace gwrm {
namespace {

constexpr int kOpen = -1;  // no status is settled
std::atomic<int> settled{kOpen};
std::atomic<bool> in_json{false}, ending{false}, others_wait{false}, leaves_a_moment{false};

constexpr std::size_t kSmall = 4096;  // bytes
constexpr std::size_t kOfRank = 32;
char of_rank[kOfRank] = "";  // "rank 2: "

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
  if (const std::optional<int> status = settled_status()) leave(*status);
  say(STDERR_FILENO, "error: ");
  say(STDERR_FILENO, of_rank);
  say(STDERR_FILENO, message);
  say(STDERR_FILENO, "\n");
  if (in_json) {
    say(STDOUT_FILENO, "{\n  \"error\": \"");
    say(STDOUT_FILENO, of_rank);
    say(STDOUT_FILENO, message);  // of our own, without quotes
    static_assert(static_cast<int>(ExitStatus::resources) == 7);
    say(STDOUT_FILENO, "\",\n  \"exit_status\": 7\n}\n");
  }
  constexpr useconds_t kMoment = 300'000;  // microseconds
  if (leaves_a_moment) usleep(kMoment);
  leave(static_cast<int>(ExitStatus::resources));
}

bool memory_is_exhausted() noexcept {
  void* volatile page = std::malloc(kSmall);  // volatile: a compiler may leave out what is freed unused
  if (page == nullptr) return true;
  std::free(page);
  return false;
}

void last_resort_of_rank(int rank) noexcept {
  std::snprintf(of_rank, sizeof of_rank, "rank %d: ", rank);
}

void last_resort_leaves_a_moment(bool wanted) noexcept {
  leaves_a_moment = wanted;
}

bool last_resort_is_of_rank() noexcept {
  return of_rank[0] != '\0';
}

void ranks_wait_for_one_another() noexcept {
  others_wait = true;
}

void allocation_has_failed(std::size_t bytes) noexcept {
  if (others_wait && (bytes <= kSmall || memory_is_exhausted())) end_without_memory();
}

void leave(int status) noexcept {
  std::_Exit(status);
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
