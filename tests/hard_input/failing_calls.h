/* What libraries for LD_PRELOAD have in common that make calls of a program fail:
 *
 *   GWRM_FAIL_AT=N       the N-th call fails, counted from 1 (0, or nothing: none)
 *   GWRM_FAIL_FROM=1     all behind it, too
 *   GWRM_FAIL_LOADING=1  counted are those of the libraries while they are loaded, too
 *   GWRM_FAIL_COUNT=FILE of 16 bytes: takes how many there were, and how many failed, while the process lives
 *
 * A child of fork goes on with its parent's count, for itself. _GNU_SOURCE is defined before this is included. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>

typedef atomic_ullong Counter;

static Counter own[2];  /* all, failed */
static Counter* shown;  /* in the file, of the process that was started */
static unsigned long long fail_at;
static int fail_from;
static atomic_int counting;
static atomic_int prepared;

static void hide_from_child(void) {
  shown = NULL;
}

/* The first call may come before any constructor: the libraries of a program are set up before it. */
static void prepare(void) {
  int first = 0;
  if (!atomic_compare_exchange_strong(&prepared, &first, 1)) return;
  const char* at = getenv("GWRM_FAIL_AT");
  const char* from = getenv("GWRM_FAIL_FROM");
  const char* path = getenv("GWRM_FAIL_COUNT");
  if (at != NULL) fail_at = strtoull(at, NULL, 10);
  fail_from = from != NULL && *from == '1';
  const char* loading = getenv("GWRM_FAIL_LOADING");
  if (loading != NULL && *loading == '1') counting = 1;
  if (path == NULL) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);  /* open() may be one of the calls */
  if (file < 0) return;
  void* memory = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (memory != MAP_FAILED) shown = memory;
}

static __attribute__((constructor)) void hide_from_children(void) {
  pthread_atfork(NULL, NULL, hide_from_child);
}

/* What the start of a program calls when its libraries are loaded: it calls main. */
typedef int Start(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end) {
  Start* start = NULL;
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");  /* C has no cast from data to functions */
  prepare();
  counting = 1;
  return start(main, argc, argv, init, fini, loader_fini, stack_end);
}

static int fails(void) {
  if (atomic_load_explicit(&prepared, memory_order_relaxed) == 0) prepare();
  if (!counting) return 0;
  const unsigned long long number = atomic_fetch_add(&own[0], 1) + 1;
  Counter* const file = shown;
  if (file != NULL) atomic_fetch_add(&file[0], 1);
  if (fail_at == 0 || !(number == fail_at || (fail_from && number > fail_at))) return 0;
  if (file != NULL) atomic_fetch_add(&file[1], 1);
  return 1;
}
