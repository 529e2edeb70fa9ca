// How the program `gwrm` ends where memory has run out and no exception can say so: with status 7, a word on stderr,
// and no file half written (core/last_resort.hpp), in place of a signal or of a library's own status. Part of the
// program alone; the library (docs/library.md) leaves all of it as it is.
//
//   std::terminate   for want of memory or of a thread: an exception leaves a destructor, a parallel region, or main
//   exit             is called by libraries alone, when they give up: OpenBLAS, libgomp, libgfortran (with status 1)
//   raise(SIGINT)    OpenBLAS, where it cannot start its threads
//
// All of it holds while the libraries are loaded, too.
#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "core/last_resort.hpp"

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

// Called by the loader before it sets up any library.
void prepare(int argc, char** argv, char**) {
  otherwise = std::set_terminate(on_terminate);
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--json") == 0) last_resort_in_json(true);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_the_libraries)(int, char**, char**) = prepare;

}  // namespace
}  // namespace gwrm

// The end of main does not come here: the C library calls its own by another name.
extern "C" [[noreturn, gnu::visibility("default")]] void exit(int) noexcept {
  gwrm::end_without_memory(gwrm::kLibraryGaveUp);
}

extern "C" [[gnu::visibility("default")]] int raise(int signal_number) noexcept {
  if (signal_number == SIGINT) gwrm::end_without_memory(gwrm::kLibraryGaveUp);
  return pthread_kill(pthread_self(), signal_number) == 0 ? 0 : -1;
}
