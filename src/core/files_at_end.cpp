#include "core/files_at_end.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstring>

namespace gwrm {
namespace {

// Static memory: a signal handler can neither take a lock nor follow what another thread gives back.
struct Slot {
  bool taken = false;
  FileKind kind = FileKind::temporary;
  pid_t owner = 0;  // a child of fork leaves its parent's files alone
  char path[PATH_MAX] = {};
};
constexpr std::size_t kSlots = 32;  // a run has two
std::array<Slot, kSlots> slots;

// Steps and the end look at one another's variable behind setting their own.
std::atomic<int> steps_being_made{0};
std::atomic<bool> end_has_begun{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Several threads may have steps, only one at a time changes the list, within a step of its own.
std::atomic_flag list_in_use = ATOMIC_FLAG_INIT;

class UseOfList {
 public:
  UseOfList() {
    while (list_in_use.test_and_set(std::memory_order_acquire)) usleep(10);
  }
  ~UseOfList() { list_in_use.clear(std::memory_order_release); }
  UseOfList(const UseOfList&) = delete;
  UseOfList& operator=(const UseOfList&) = delete;
};

}  // namespace

UndividedStep::UndividedStep() {
  ++steps_being_made;
  if (!end_has_begun) return;
  --steps_being_made;
  for (;;) pause();
}

UndividedStep::~UndividedStep() {
  --steps_being_made;
}

FileAtEnd::FileAtEnd(FileKind kind, const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  const UndividedStep step;
  const UseOfList use;
  for (std::size_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots[i];
    if (slot.taken) continue;
    slot.taken = true;
    slot.kind = kind;
    slot.owner = getpid();
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot_ = static_cast<int>(i);
    return;
  }
}

FileAtEnd::~FileAtEnd() {
  if (slot_ < 0) return;
  const UndividedStep step;
  const UseOfList use;
  slots[static_cast<std::size_t>(slot_)].taken = false;
}

void awaited_file_is_complete(const std::string& path) {
  const UseOfList use;
  for (Slot& slot : slots)
    if (slot.taken && slot.kind == FileKind::awaited && path == slot.path) slot.kind = FileKind::result;
}

bool begin_end() {
  end_has_begun = true;
  return steps_being_made == 0;
}

void visit_files_at_end(FileKind kind, void (*visit)(const char* path)) {
  const auto is_one = [&](const Slot& slot) { return slot.taken && slot.kind == kind && slot.owner == getpid(); };
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (!is_one(slots[i])) continue;
    bool is_first = true;
    for (std::size_t j = 0; j < i; ++j)
      if (is_one(slots[j]) && std::strcmp(slots[j].path, slots[i].path) == 0) is_first = false;
    if (is_first) visit(slots[i].path);
  }
}

}  // namespace gwrm
