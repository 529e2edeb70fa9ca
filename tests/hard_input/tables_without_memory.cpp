// Each allocation of the tables of the SBP operators fails once: bad_alloc comes out, and the table is there when it is
// asked for again. GCC 12 destroys an aggregate twice that was initialised inside another one whose initialisation then
// throws.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "kernels/sbp_sat/sbp_tables.hpp"

namespace {
long allocations_left = -1;  // before one fails; below 0: none does
}

void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  --allocations_left;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

int main() {
  for (const int order : {2, 4, 6}) {
    int failed = 0;
    for (bool complete = false; !complete;) try {
        allocations_left = failed;
        complete = !gwrm::sbp_table(order).variable_interior.empty();
      } catch (const std::bad_alloc&) {
        ++failed;
      }
    allocations_left = -1;
    std::printf("order %d: %d allocations failed, one after another\n", order, failed);
    if (failed < 8) return 1;  // a table has eight vectors
  }
}
