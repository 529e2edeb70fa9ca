#include "core/required_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/last_resort.hpp"

namespace {

std::atomic<std::size_t> largest_piece = std::numeric_limits<std::size_t>::max();

template <class Pointer>
Pointer required(Pointer memory, std::size_t size) {
  if (memory == nullptr && size > 0 && size <= gwrm::kOwnRecord) gwrm::end_without_memory();
  return memory;
}

}  // namespace

namespace gwrm {

LargestPiece::LargestPiece(std::size_t bytes) : before_(largest_piece.exchange(std::max(bytes, kOwnRecord))) {}

LargestPiece::~LargestPiece() {
  largest_piece = before_;
}

}  // namespace gwrm

void* gwrm_required_malloc(std::size_t size) {
  if (size > largest_piece) return nullptr;
  return required(std::malloc(size), size);
}

void* gwrm_required_calloc(std::size_t count, std::size_t size) {
  if (size > 0 && count > largest_piece / size) return nullptr;
  const bool too_large = size > 0 && count > gwrm::kOwnRecord / size;
  return required(std::calloc(count, size), too_large ? gwrm::kOwnRecord + 1 : count * size);
}

void* gwrm_required_realloc(void* old, std::size_t size) {
  if (size > largest_piece) return nullptr;
  return required(std::realloc(old, size), size);
}

char* gwrm_required_strdup(const char* text) {
  return required(strdup(text), std::strlen(text) + 1);
}
