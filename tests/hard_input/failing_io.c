/* A library for LD_PRELOAD that makes calls on files fail (failing_calls.h): tests/cases/failing_io.py.
 *
 * Counted are those that open, read, write, cut, synchronise, close, rename, link and make folders: writing ends with ENOSPC, all
 * others with EIO, and a call that fails does nothing, but for close(), which closes. Not counted are calls that the C library
 * makes for itself, as for stdout, which a test writes into /dev/full, and those that take files away. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "failing_calls.h"

/* The next definition of this name, that of the C library. */
#define REAL(type, name, ...)                              \
  static type (*real)(__VA_ARGS__) = NULL;                 \
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, name)

static int fails_with(int reason) {
  if (!fails()) return 0;
  errno = reason;
  return 1;
}

static mode_t mode_behind(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                                          \
  int name(const char* path, int flags, ...) {                              \
    va_list arguments;                                                      \
    va_start(arguments, flags);                                             \
    const mode_t mode = mode_behind(flags, arguments);                      \
    va_end(arguments);                                                      \
    REAL(int, #name, const char*, int, ...);                                \
    if (fails_with((flags & O_CREAT) != 0 ? ENOSPC : EIO)) return -1;       \
    return real(path, flags, mode);                                         \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                        \
  int name(int folder, const char* path, int flags, ...) {                  \
    va_list arguments;                                                      \
    va_start(arguments, flags);                                             \
    const mode_t mode = mode_behind(flags, arguments);                      \
    va_end(arguments);                                                      \
    REAL(int, #name, int, const char*, int, ...);                           \
    if (fails_with((flags & O_CREAT) != 0 ? ENOSPC : EIO)) return -1;       \
    return real(folder, path, flags, mode);                                 \
  }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                         \
  FILE* name(const char* path, const char* mode) {                          \
    REAL(FILE*, #name, const char*, const char*);                           \
    if (fails_with(*mode == 'r' ? EIO : ENOSPC)) return NULL;               \
    return real(path, mode);                                                \
  }
FOPEN(fopen)
FOPEN(fopen64)

ssize_t read(int file, void* bytes, size_t count) {
  REAL(ssize_t, "read", int, void*, size_t);
  return fails_with(EIO) ? -1 : real(file, bytes, count);
}

ssize_t write(int file, const void* bytes, size_t count) {
  REAL(ssize_t, "write", int, const void*, size_t);
  return fails_with(ENOSPC) ? -1 : real(file, bytes, count);
}

ssize_t writev(int file, const struct iovec* pieces, int count) {
  REAL(ssize_t, "writev", int, const struct iovec*, int);
  return fails_with(ENOSPC) ? -1 : real(file, pieces, count);
}

#define AT_OFFSET(name, bytes_type, offset_type, reason)                        \
  ssize_t name(int file, bytes_type bytes, size_t count, offset_type offset) {  \
    REAL(ssize_t, #name, int, bytes_type, size_t, offset_type);                 \
    return fails_with(reason) ? -1 : real(file, bytes, count, offset);          \
  }
AT_OFFSET(pread, void*, off_t, EIO)
AT_OFFSET(pread64, void*, off64_t, EIO)
AT_OFFSET(pwrite, const void*, off_t, ENOSPC)
AT_OFFSET(pwrite64, const void*, off64_t, ENOSPC)

#define OF_A_FILE(name)                              \
  int name(int file) {                               \
    REAL(int, #name, int);                           \
    return fails_with(EIO) ? -1 : real(file);        \
  }
OF_A_FILE(fsync)
OF_A_FILE(fdatasync)

int close(int file) {
  REAL(int, "close", int);
  const int result = real(file);  /* Linux has closed it whatever it says */
  return fails_with(EIO) ? -1 : result;
}

#define CUT(name, length_type)                             \
  int name(int file, length_type length) {                 \
    REAL(int, #name, int, length_type);                    \
    return fails_with(ENOSPC) ? -1 : real(file, length);   \
  }
CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)

int sync_file_range(int file, off64_t offset, off64_t count, unsigned flags) {
  REAL(int, "sync_file_range", int, off64_t, off64_t, unsigned);
  return fails_with(EIO) ? -1 : real(file, offset, count, flags);
}

int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  return fails_with(EIO) ? -1 : real(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  REAL(int, "renameat2", int, const char*, int, const char*, unsigned);
  return fails_with(EIO) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int link(const char* from, const char* to) {
  REAL(int, "link", const char*, const char*);
  return fails_with(EIO) ? -1 : real(from, to);
}

int mkdir(const char* path, mode_t mode) {
  REAL(int, "mkdir", const char*, mode_t);
  return fails_with(ENOSPC) ? -1 : real(path, mode);
}
