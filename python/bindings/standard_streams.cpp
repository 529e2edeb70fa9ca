// Debian's archive of HDF5 is made for programs: it takes the C library's streams to lie where a program has them,
// which a shared library may not. The linker gives it these variables instead (--wrap in python/CMakeLists.txt: stderr is
// called __wrap_stderr in what is linked, and __real_stderr is that of the C library).
#include <cstdio>

extern "C" {
extern std::FILE* __real_stdin;  // NOLINT: the linker's names
extern std::FILE* __real_stdout;
extern std::FILE* __real_stderr;
[[gnu::visibility("hidden")]] std::FILE* __wrap_stdin = nullptr;
[[gnu::visibility("hidden")]] std::FILE* __wrap_stdout = nullptr;
[[gnu::visibility("hidden")]] std::FILE* __wrap_stderr = nullptr;
}

namespace {

// Before other constructors, which may write something.
[[gnu::constructor(101)]] void set_streams() {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}

}  // namespace
