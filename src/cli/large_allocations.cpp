#include "cli/large_allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "cli/process_settings.hpp"
#include "core/last_resort.hpp"

namespace gwrm {
namespace {

std::atomic<bool> huge_pages_wanted = false;

// A huge page at least lies in it, wherever it begins.
[[maybe_unused]] constexpr std::size_t kLarge = std::size_t{1} << 22;

// Advice alone: where it is not taken nothing has changed.
void advise(void* memory, std::size_t size) {
#ifdef MADV_HUGEPAGE
  if (size < kLarge || !huge_pages_wanted.load(std::memory_order_relaxed)) return;
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = (begin + kPage - 1) / kPage * kPage,
             last = (begin + size) / kPage * kPage;
  static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#else
  static_cast<void>(memory);
  static_cast<void>(size);
#endif
}

}  // namespace

void take_huge_pages() {
  huge_pages_wanted = !process_settings_are_off();
}

}  // namespace gwrm

// In place of the C++ library's, and as these; the forms for arrays and those that do not throw call them.
void* operator new(std::size_t size) {
  for (;;) {
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) {
      gwrm::advise(memory, size);
      return memory;
    }
    gwrm::allocation_has_failed(size);
    const std::new_handler make_room = std::get_new_handler();
    if (make_room == nullptr) throw std::bad_alloc();
    make_room();
  }
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
