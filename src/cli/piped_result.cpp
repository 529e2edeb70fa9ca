#include "cli/piped_result.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/errors.hpp"
#include "core/files_at_end.hpp"

namespace gwrm::cli {
namespace {

namespace fs = std::filesystem;

// A reader that has gone is an error of the write, not the end of the process.
class BrokenPipesAreErrors {
 public:
  BrokenPipesAreErrors() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~BrokenPipesAreErrors() { std::signal(SIGPIPE, before_); }
  BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
  BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;

 private:
  void (*before_)(int);
};

struct Descriptor {
  int number;
  ~Descriptor() { close(number); }
};

// Zero, or the system's number of the error.
int write_all(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = write(to, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return 0;
}

int copy_to_standard_output(const std::string& path) {
  const BrokenPipesAreErrors broken_pipes_are_errors;
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return errno;
  std::vector<char> block(std::size_t{1} << 20);
  for (;;) {
    const ssize_t count = read(file.number, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return 0;
    if (const int error = write_all(STDOUT_FILENO, block.data(), static_cast<std::size_t>(count)); error != 0)
      return error;
  }
}

}  // namespace

PipedResult::PipedResult(const std::string& name) {
  if (isatty(STDOUT_FILENO) != 0)
    throw OutputError(
        "-: a result file is not written to a terminal: send it to a pipe or a file (-o - > FILE), or give a name with "
        "-o");
  std::error_code none;
  std::string folder = (fs::temp_directory_path(none) / "gwrm.XXXXXX").string();
  if (none || mkdtemp(folder.data()) == nullptr)
    throw OutputError(folder + ": no temporary folder can be made there: " +
                      std::strerror(none ? none.value() : errno) + "; name another one in TMPDIR");
  folder_ = folder;
  path_ = (fs::path(folder) / fs::path(name).filename()).string();
}

PipedResult::~PipedResult() {
  std::error_code ignored;
  fs::remove(folder_, ignored);  // only if it is empty
}

void PipedResult::send() const {
  std::error_code ignored;
  if (!fs::exists(path_, ignored)) return;
  const FileAtEnd whole(FileKind::result, path_);
  if (const int error = copy_to_standard_output(path_); error != 0)
    throw OutputError(std::string("the standard output did not take the result: ") + std::strerror(error) +
                      "; it is in " + path_);
  fs::remove(path_, ignored);
}

}  // namespace gwrm::cli
