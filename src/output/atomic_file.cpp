#include "output/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& final_path) {
    std::random_device random;
    name_ = directory_of(final_path) + "/.gwrm-" + std::to_string(getpid()) + "-" + std::to_string(random()) + ".tmp";
    descriptor_ = open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("cannot create a file in " + directory_of(final_path), errno);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void append(std::span<const unsigned char> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot write", errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void finish() {
    // Some file systems say that the disk is full only here.
    if (fsync(descriptor_) != 0 && errno != EINVAL) fail("cannot write", errno);
    if (close(std::exchange(descriptor_, -1)) != 0) fail("cannot write", errno);
  }

  void rename_to(const std::string& path, bool overwrite) {
    if (overwrite) {
      if (std::rename(name_.c_str(), path.c_str()) != 0) fail("cannot rename the finished file", errno);
      name_.clear();
    } else if (link(name_.c_str(), path.c_str()) == 0) {  // never replaces; the destructor takes the other name away
    } else if (errno == EEXIST) {
      throw OutputError("a file of this name has appeared during the run and is not replaced");
    } else if (renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) {
      name_.clear();  // a file system without hard links
    } else {
      fail("cannot rename the finished file", errno);
    }
  }

 private:
  std::string name_;
  int descriptor_ = -1;
};

// Makes the new name last through a power failure; not every file system can, and the file is whole either way.
void sync_directory(const std::string& directory) {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

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

void write_file_atomically(const std::string& path, std::initializer_list<std::span<const unsigned char>> pieces,
                           bool overwrite) {
  // A symbolic link stays, the file it points to is replaced.
  std::error_code none;
  const bool is_link = std::filesystem::is_symlink(path, none) && std::filesystem::exists(path, none);
  const std::string place = is_link ? std::filesystem::canonical(path).string() : path;
  TemporaryFile file(place);
  for (const std::span<const unsigned char> piece : pieces) file.append(piece);
  file.finish();
  file.rename_to(place, overwrite);
  sync_directory(directory_of(place));
}

}  // namespace gwrm
