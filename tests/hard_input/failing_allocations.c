/* A library for LD_PRELOAD that makes allocations fail (failing_calls.h): tests/cases/failing_allocations.py.
 *
 * Counted are malloc, calloc, realloc, reallocarray, posix_memalign, aligned_alloc and memalign, called by whomever: operator new
 * and strdup call them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>

#include "failing_calls.h"

/* The C library's own, under the names that it exports for this. */
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static int no_memory(void) {
  if (!fails()) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) {
  return no_memory() ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return no_memory() ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return no_memory() ? NULL : __libc_realloc(old, size);
}

void* reallocarray(void* old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(old, bytes);
}

void* memalign(size_t alignment, size_t size) {
  return no_memory() ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  void* const memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}
