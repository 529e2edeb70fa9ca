#include "core/required_memory.hpp"

#include <cstdlib>
#include <cstring>

#include "core/last_resort.hpp"

namespace {

template <class Pointer>
Pointer required(Pointer memory, std::size_t size) {
  if (memory == nullptr && size > 0 && size <= gwrm::kOwnRecord) gwrm::end_without_memory();
  return memory;
}

}  // namespace

void* gwrm_required_malloc(std::size_t size) {
  return required(std::malloc(size), size);
}

void* gwrm_required_calloc(std::size_t count, std::size_t size) {
  const bool too_large = size > 0 && count > gwrm::kOwnRecord / size;
  return required(std::calloc(count, size), too_large ? gwrm::kOwnRecord + 1 : count * size);
}

void* gwrm_required_realloc(void* old, std::size_t size) {
  return required(std::realloc(old, size), size);
}

char* gwrm_required_strdup(const char* text) {
  return required(strdup(text), std::strlen(text) + 1);
}
