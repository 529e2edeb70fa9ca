#include "output/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "core/errors.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm {
namespace {

std::string directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

[[noreturn]] void fail(const std::string& what, int error) {
  throw OutputError(what + ": " + std::strerror(error));
}

// Where the file lies in the end.
std::string place_of(const std::string& path) {
  std::error_code none;
  const bool is_link = std::filesystem::is_symlink(path, none) && std::filesystem::exists(path, none);
  return is_link ? std::filesystem::canonical(path).string() : path;
}

// Makes the new name last through a power failure; not every file system can, and the file is whole either way.
void sync_directory(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, bool overwrite)
    : path_(path), place_(place_of(path)), overwrite_(overwrite) {
  std::random_device random;
  name_ = directory_of(place_) + "/.gwrm-" + std::to_string(getpid()) + "-" + std::to_string(random()) + ".tmp";
  listed_.emplace(FileKind::temporary, name_);
  const UndividedStep step;
  descriptor_ = open(name_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot create a file in " + directory_of(place_), errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

// The system keeps gigabytes in memory, and fsync() would wait for all of them at the end: no signal ends a process
// that waits so. The disk takes a piece while the next one is written; at most two are waited for.
void AtomicFile::hand_to_disk() {
  kept_by_system_ = 0;
  if (sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE) == 0) return;
  // Not told again by fsync(). What is no error of the disk says that this file system has no such call.
  if (errno == EIO || errno == ENOSPC || errno == EDQUOT) fail("cannot write", errno);
}

void AtomicFile::write(std::uint64_t offset, std::span<const unsigned char> bytes) {
  constexpr std::uint64_t kPiece = std::uint64_t{8} << 20;
  while (!bytes.empty()) {
    const ssize_t written =
        pwrite(descriptor_, bytes.data(), std::min<std::size_t>(bytes.size(), kPiece), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
    kept_by_system_ += static_cast<std::uint64_t>(written);
    if (kept_by_system_ >= kPiece) hand_to_disk();
  }
}

void AtomicFile::read(std::uint64_t offset, std::span<unsigned char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t n_read = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n_read < 0 && errno == EINTR) continue;
    if (n_read < 0) fail("cannot read what was written", errno);
    if (n_read == 0) {
      std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
      return;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n_read));
    offset += static_cast<std::uint64_t>(n_read);
  }
}

void AtomicFile::resize(std::uint64_t size) {
  if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail("cannot write", errno);
}

void AtomicFile::commit() {
  // Some file systems say that the disk is full only here.
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail("cannot write", errno);
  if (close(std::exchange(descriptor_, -1)) != 0) fail("cannot write", errno);
  rename();
  sync_directory(directory_of(place_));
}

void AtomicFile::rename() {
  const UndividedStep step;
  if (overwrite_) {
    if (std::rename(name_.c_str(), place_.c_str()) != 0) fail("cannot rename the finished file", errno);
    name_.clear();
  } else if (link(name_.c_str(), place_.c_str()) == 0) {  // never replaces; the destructor takes the other name away
  } else if (errno == EEXIST) {
    throw OutputError("a file of this name has appeared during the run and is not replaced");
  } else if (renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, place_.c_str(), RENAME_NOREPLACE) == 0) {
    name_.clear();  // a file system without hard links
  } else {
    fail("cannot rename the finished file", errno);
  }
  awaited_file_is_complete(path_);
}

void check_output_path(const std::string& path, bool overwrite) {
  if (path.empty()) throw OutputError("the output file has no name; give one with -o FILE");
  const std::string directory = directory_of(path);
  struct stat info = {};
  if (stat(directory.c_str(), &info) != 0)
    throw OutputError(path + ": the directory " + directory + " cannot be used: " + std::strerror(errno));
  if (!S_ISDIR(info.st_mode)) throw OutputError(path + ": " + directory + " is not a directory");
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw OutputError(path + ": cannot write in the directory " + directory + ": " + std::strerror(errno));
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT && path.back() != '/') return;
    throw OutputError(path + ": " + std::strerror(errno));
  }
  if (S_ISDIR(info.st_mode)) throw OutputError(path + " is a directory; give a file name with -o FILE");
  if (!S_ISREG(info.st_mode)) throw OutputError(path + " is not an ordinary file; give another name with -o FILE");
  if (!overwrite)
    throw OutputError(path + " exists already; replace it with --overwrite or give another name with -o FILE");
}

void try_output_path(const std::string& path, bool overwrite) {
  constexpr unsigned char kByte[] = {0};
  check_output_path(path, overwrite);
  try {
    AtomicFile(path, overwrite).write(0, kByte);
  } catch (const OutputError& error) {
    throw OutputError(path + ": " + error.what() + "; give another place with -o FILE");
  }
}

void write_file_atomically(const std::string& path, std::initializer_list<std::span<const unsigned char>> pieces,
                           bool overwrite) {
  AtomicFile file(path, overwrite);
  std::uint64_t offset = 0;
  for (const std::span<const unsigned char> piece : pieces) {
    file.write(offset, piece);
    offset += piece.size();
  }
  file.commit();
}

}  // namespace gwrm
