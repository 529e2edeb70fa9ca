#include "output/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/errors.hpp"
#include "output/atomic_file.hpp"
#include "output/checksum.hpp"
#include "output/journal_format.hpp"

namespace gwrm {
namespace {

using Clock = std::chrono::steady_clock;
using namespace journal;

// A power failure costs the windows of the last 0.2 s or, where the disk is slow, as many as keep the waiting for it
// below a tenth of the run.
constexpr std::chrono::milliseconds kSyncInterval{200};
constexpr int kSyncShare = 10;

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw OutputError(path + ": " + message);
}

std::string reason(int error) {
  return std::strerror(error);
}

std::string cure(int error) {
  switch (error) {
    case ENOSPC:
      return "free some space on the disk";
    case EDQUOT:
      return "delete files or ask for a larger quota";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f)";
    case EIO:
      return "copy the file to another disk (the system's log says more)";
    default:
      return "remove the cause";
  }
}

}  // namespace

// The open file; closes itself, which gives up the lock.
class JournalFile {
 public:
  JournalFile(std::string path, int access) : path_(std::move(path)) {
    // Without O_NONBLOCK a pipe of this name would wait for its other end.
    descriptor_ = open(path_.c_str(), access | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0 && errno == ENOENT)
      fail(path_, "there is no such journal; a run without one starts from the beginning");
    if (descriptor_ < 0) fail(path_, "the journal cannot be opened: " + reason(errno));
    if (!S_ISREG(information().st_mode)) {
      ::close(descriptor_);
      fail(path_, "not an ordinary file; give another name with -o FILE");
    }
  }
  ~JournalFile() { ::close(descriptor_); }
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  void lock() const {
    const bool refused = flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    // The lock is worth nothing on a file that has been replaced between opening and locking it.
    if (refused || !is_at_its_path())
      fail(path_,
           "another gwrm process is writing this journal; wait until it has ended, or give another name with -o FILE");
  }

  bool is_at_its_path() const {
    struct stat there = {};
    const struct stat here = information();
    return stat(path_.c_str(), &there) == 0 && there.st_dev == here.st_dev && there.st_ino == here.st_ino;
  }

  std::uint64_t size() const { return static_cast<std::uint64_t>(information().st_size); }

  // The bytes from `offset` on; false if the file ends before.
  bool read(std::uint64_t offset, std::span<unsigned char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(path_, "the journal cannot be read: " + reason(errno) + "; " + cure(errno));
      if (n == 0) return false;
      offset += static_cast<std::uint64_t>(n);
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return true;
  }

  // These return the system's error number, 0 for success.
  int write(std::uint64_t offset, std::span<const unsigned char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno;
      offset += static_cast<std::uint64_t>(n);
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return 0;
  }
  int truncate(std::uint64_t size) const { return ftruncate(descriptor_, static_cast<off_t>(size)) == 0 ? 0 : errno; }
  int synchronise() const { return fdatasync(descriptor_) == 0 || errno == EINVAL ? 0 : errno; }

 private:
  struct stat information() const {
    struct stat result = {};
    if (fstat(descriptor_, &result) != 0) fail(path_, "the journal cannot be read: " + reason(errno));
    return result;
  }

  std::string path_;
  int descriptor_ = -1;
};

namespace {

// The payload of the block at `offset`, which moves behind the block; nothing if there is no complete one.
std::optional<Bytes> read_block(const JournalFile& file, std::string_view mark, std::uint64_t size,
                                std::uint64_t& offset) {
  if (size - offset < kBlockStart + kTrailer) return std::nullopt;
  Bytes block(kBlockStart);
  if (!file.read(offset, block) || !has_mark(block, mark)) return std::nullopt;
  const std::uint64_t length = word_at(block, kWord);
  // The second copy of the length keeps a damaged one from asking for memory.
  if (word_at(block, 2 * kWord) != ~length || length > size - offset - kBlockStart - kTrailer) return std::nullopt;
  block.resize(kBlockStart + length);
  std::array<unsigned char, kTrailer> trailer = {};
  if (!file.read(offset + kBlockStart, std::span(block).subspan(kBlockStart)) ||
      !file.read(offset + kBlockStart + length, trailer) || trailer != checksum_trailer(block))
    return std::nullopt;
  offset += kBlockStart + length + kTrailer;
  block.erase(block.begin(), block.begin() + kBlockStart);
  return block;
}

JournalScan scan(const std::string& path, const JournalFile& file, const JournalVisitor& visit) {
  const std::uint64_t size = file.size();
  std::array<unsigned char, kFileStart> start = {};
  if (!file.read(0, start) || !has_mark(start, kFileMark))
    fail(path, "not a journal of gwrm; give the name of the .journal file of an interrupted run");
  const std::uint64_t format = word_at(start, kWord);
  if (format < kOldestFormat || format > kFormat)
    fail(path, "a journal of format " + std::to_string(format) + ", this program reads formats " +
                   std::to_string(kOldestFormat) + " to " + std::to_string(kFormat) +
                   "; continue the run with the version that began it, or begin afresh");

  JournalScan result;
  std::uint64_t offset = kFileStart;
  const std::optional<Bytes> header_block = read_block(file, kHeaderMark, size, offset);
  std::optional<JournalHeader> header;
  if (header_block) header = decode_header(*header_block, format);
  if (!header) fail(path, "the head of the journal is damaged; delete the file and begin the run afresh");
  result.header = std::move(*header);
  result.complete_bytes = offset;

  while (const std::optional<Bytes> block = read_block(file, kWindowMark, size, offset)) {
    std::optional<JournalWindow> window = decode_window(*block, result.n_windows);
    if (!window) break;
    ++result.n_windows;
    result.complete_bytes = offset;
    if (visit) visit(std::move(*window));
  }
  result.dropped_bytes = size - result.complete_bytes;
  return result;
}

std::unique_ptr<JournalFile> open_to_append(const std::string& path) {
  auto file = std::make_unique<JournalFile>(path, O_RDWR);
  file->lock();
  return file;
}

void delete_file(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "the journal cannot be deleted: " + reason(errno));
}

std::string what_is_safe(std::size_t n) {
  if (n == 0) return "no window was finished before this one";
  return n == 1 ? "the window before is safe in it" : "the " + std::to_string(n) + " windows before are safe in it";
}

bool exists(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 || errno != ENOENT;
}

}  // namespace

JournalScan scan_journal(const std::string& path, const JournalVisitor& visit) {
  return scan(path, JournalFile(path, O_RDONLY), visit);
}

Journal read_journal(const std::string& path) {
  Journal journal;
  journal.scan = scan_journal(path, [&](JournalWindow window) { journal.windows.push_back(std::move(window)); });
  return journal;
}

void remove_journal(const std::string& path) {
  if (!exists(path)) return;
  const auto file = open_to_append(path);
  std::array<unsigned char, kFileStart> start = {};
  if (!file->read(0, start) || !has_mark(start, kFileMark)) fail(path, "not a journal of gwrm, so it is not deleted");
  delete_file(path);
}

JournalWriter::JournalWriter(const std::string& path, const JournalHeader& header, bool overwrite) : path_(path) {
  std::unique_ptr<JournalFile> replaced;  // locked until the new file is
  if (exists(path)) {
    if (!overwrite)
      fail(path, "the journal of an earlier run is there; continue that run, or begin afresh with --overwrite");
    replaced = open_to_append(path);
  }
  const Bytes bytes = encode_start(header);
  try {
    write_file_atomically(path, {bytes}, overwrite);
  } catch (const OutputError& error) {
    fail(path, std::string("the journal cannot be created: ") + error.what());
  }
  file_ = open_to_append(path);
  listed_.emplace(FileKind::journal, path);
  end_ = bytes.size();
  if (file_->size() != end_) fail(path, "another gwrm process has written to this new journal; give another name");
}

JournalWriter::JournalWriter(const std::string& path, const JournalVisitor& visit)
    : path_(path), file_(open_to_append(path)) {
  listed_.emplace(FileKind::journal, path);
  found_ = scan(path, *file_, visit);
  n_windows_ = found_.n_windows;
  end_ = found_.complete_bytes;
  if (!found_.damaged()) return;
  if (const int error = file_->truncate(end_); error != 0)
    fail(path, "the damaged end of the journal cannot be cut off: " + reason(error));
}

JournalWriter::~JournalWriter() {
  if (file_ && unsynced_) file_->synchronise();
}

void JournalWriter::append(const JournalWindow& window) {
  check_open();
  const Bytes record = encode_window(window, n_windows_);
  int error = tail_ ? file_->truncate(end_) : 0;
  if (error == 0) error = file_->write(end_, record);
  if (error != 0) {
    tail_ = file_->truncate(end_) != 0;
    file_->synchronise();
    fail(path_, "cannot write the journal: " + reason(error) + "; " + what_is_safe(n_windows_) + "; " + cure(error) +
                    ", then continue the run");
  }
  tail_ = false;
  end_ += record.size();
  ++n_windows_;
  unsynced_ = true;
  if (Clock::now() >= next_sync_) synchronise();
}

void JournalWriter::flush() {
  check_open();
  if (unsynced_) synchronise();
}

void JournalWriter::close() {
  if (!file_) return;
  flush();
  file_.reset();
}

void JournalWriter::remove() {
  check_open();
  if (file_->is_at_its_path()) delete_file(path_);
  listed_.reset();
  file_.reset();
}

void JournalWriter::check_open() const {
  if (!file_) fail(path_, "the journal has been closed; continue the run to write to it again");
}

void JournalWriter::synchronise() {
  const auto start = Clock::now();
  if (const int error = file_->synchronise(); error != 0) {
    // Which of the last windows the disk holds is unknown now, and appending behind a gap would be in vain.
    file_.reset();
    fail(path_, "the disk did not take the last windows of the journal: " + reason(error) + "; " + cure(error) +
                    ", then continue the run");
  }
  unsynced_ = false;
  const auto end = Clock::now();
  next_sync_ = end + std::max<Clock::duration>(kSyncInterval, (kSyncShare - 1) * (end - start));
}

}  // namespace gwrm
