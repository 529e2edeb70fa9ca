// How the program `gwrm` ends where memory has run out and no exception can say so: with status 7, a word on stderr,
// and no file half written (core/last_resort.hpp), in place of a signal or of a library's own status. Part of the
// program alone; the library (docs/library.md) leaves all of it as it is.
//
//   std::terminate   for want of memory or of a thread: an exception leaves a destructor, a parallel region, or main
//   exit             is called by libraries alone, when they give up: OpenBLAS, libgomp, libgfortran (with status 1)
//   raise(SIGINT)    OpenBLAS, where it cannot start its threads
//   _exit            of one of several ranks: MPI, with a status of its own
//
// All of it holds while the libraries are loaded, too. And the C library finds the one that unwinds stacks at the
// start: it looks for it when a thread first ends itself, as those of libgomp do, and aborts where that takes memory in
// vain.
#include <execinfo.h>
#include <pthread.h>
#include <sched.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "core/blas.hpp"
#include "core/last_resort.hpp"
#include "core/memory.hpp"

namespace gwrm {
namespace {

std::terminate_handler otherwise = nullptr;

constexpr const char* kLibraryGaveUp =
    "out of memory: a library cannot go on without the memory or the threads that it needs (it may have said more "
    "above). Raise the limits of this process (ulimit -v, -u), or take fewer threads (--threads, OPENBLAS_NUM_THREADS)";

[[noreturn]] void on_terminate() {
  if (std::current_exception()) {
    try {
      throw;
    } catch (const std::exception& error) {
      if (is_want_of_memory(error)) end_without_memory();
    } catch (...) {
    }
  } else if (void* const probe = std::malloc(64); probe == nullptr) {
    end_without_memory();  // an exception found no memory for itself
  } else {
    std::free(probe);
  }
  otherwise();
  std::abort();
}

// A variable of the environment as a number; 0: not there. (getenv() does not work yet.)
int number_of(char** environment, const char* name) {
  const std::size_t size = std::strlen(name);
  for (; *environment != nullptr; ++environment)
    if (std::strncmp(*environment, name, size) == 0 && (*environment)[size] == '=')
      return std::atoi(*environment + size + 1);
  return 0;
}

// As OpenBLAS will count them.
int blas_threads_to_be(char** environment) {
  for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"})
    if (const int n = number_of(environment, name); n > 0) return n;
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

// Where a limit (ulimit -v, -d) leaves no memory for the buffers of its threads OpenBLAS asks for them for ever,
// already while it is loaded (0.3.29), and nothing can end it.
void require_blas_memory(char** environment) {
  constexpr std::size_t kProgram = std::size_t{100} << 20;  // its code, libraries and stacks
  const int n_threads = blas_threads_to_be(environment);
  const std::size_t needed = kProgram + blas_buffer_bytes() * static_cast<std::size_t>(n_threads);
  if (blas_buffer_bytes() == 0 || process_memory_limit() >= needed) return;
  static char message[300];
  std::snprintf(
      message, sizeof message,
      "not enough memory: the limits of this process (ulimit -v, -d) allow %zu MB, and its linear algebra takes "
      "%zu MB for %d threads. Raise the limit, or set OPENBLAS_NUM_THREADS=1",
      process_memory_limit() >> 20, needed >> 20, n_threads);
  end_without_memory(message);
}

// Called by the loader before it sets up any library.
void prepare(int argc, char** argv, char** environment) {
  otherwise = std::set_terminate(on_terminate);
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--json") == 0) last_resort_in_json(true);
  require_blas_memory(environment);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_the_libraries)(int, char**, char**) = prepare;

[[gnu::constructor]] void find_unwinder() {
  void* frame = nullptr;
  static_cast<void>(backtrace(&frame, 1));
}

}  // namespace
}  // namespace gwrm

// The end of main does not come here: the C library calls its own by another name.
extern "C" [[noreturn, gnu::visibility("default")]] void exit(int) noexcept {
  gwrm::end_without_memory(gwrm::kLibraryGaveUp);
}

// Open MPI, whose status is another one, where it cannot begin.
extern "C" [[noreturn, gnu::visibility("default")]] void _exit(int status) {
  if (status != 0 && gwrm::last_resort_is_of_rank() && gwrm::memory_is_exhausted())
    gwrm::end_without_memory(gwrm::kLibraryGaveUp);
  gwrm::leave(status);
}

extern "C" [[gnu::visibility("default")]] int raise(int signal_number) noexcept {
  if (signal_number == SIGINT) gwrm::end_without_memory(gwrm::kLibraryGaveUp);
  return pthread_kill(pthread_self(), signal_number) == 0 ? 0 : -1;
}
