#include "output/journal_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/errors.hpp"
#include "output/atomic_file.hpp"
#include "output/checksum.hpp"

namespace gwrm::journal {
namespace {

using Clock = std::chrono::steady_clock;

// A power failure costs the records of the last 0.2 s or, where the disk is slow, as many as keep the waiting for it
// below a tenth of the run.
constexpr std::chrono::milliseconds kSyncInterval{200};
constexpr int kSyncShare = 10;

}  // namespace

void fail(const std::string& path, const std::string& message) {
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

JournalFile::JournalFile(std::string path, int access) : path_(std::move(path)) {
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

JournalFile::~JournalFile() {
  ::close(descriptor_);
}

void JournalFile::lock() const {
  const bool refused = flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  // The lock is worth nothing on a file that has been replaced between opening and locking it.
  if (refused || !is_at_its_path())
    fail(path_,
         "another gwrm process is writing this journal; wait until it has ended, or give another name with -o FILE");
}

bool JournalFile::is_at_its_path() const {
  struct stat there = {};
  const struct stat here = information();
  return stat(path_.c_str(), &there) == 0 && there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

std::uint64_t JournalFile::size() const {
  return static_cast<std::uint64_t>(information().st_size);
}

bool JournalFile::read(std::uint64_t offset, std::span<unsigned char> bytes) const {
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

int JournalFile::write(std::uint64_t offset, std::span<const unsigned char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    offset += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return 0;
}

int JournalFile::truncate(std::uint64_t size) const {
  return ftruncate(descriptor_, static_cast<off_t>(size)) == 0 ? 0 : errno;
}

int JournalFile::synchronise() const {
  return fdatasync(descriptor_) == 0 || errno == EINVAL ? 0 : errno;
}

struct stat JournalFile::information() const {
  struct stat result = {};
  if (fstat(descriptor_, &result) != 0) fail(path_, "the journal cannot be read: " + reason(errno));
  return result;
}

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

std::unique_ptr<JournalFile> open_to_append(const std::string& path) {
  auto file = std::make_unique<JournalFile>(path, O_RDWR);
  file->lock();
  return file;
}

bool exists(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 || errno != ENOENT;
}

void delete_file(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "the journal cannot be deleted: " + reason(errno));
}

BlockAppender::BlockAppender(const std::string& path, const Bytes& start, bool overwrite, Kind kind)
    : path_(path), kind_(kind) {
  std::unique_ptr<JournalFile> replaced;  // locked until the new file is
  if (exists(path)) {
    if (!overwrite)
      fail(path, "the journal of an earlier run is there; continue that run, or begin afresh with --overwrite");
    replaced = open_to_append(path);
  }
  try {
    write_file_atomically(path, {start}, overwrite);
  } catch (const OutputError& error) {
    fail(path, std::string("the journal cannot be created: ") + error.what());
  }
  file_ = open_to_append(path);
  listed_.emplace(kind_.file, path);
  end_ = start.size();
  if (file_->size() != end_) fail(path, "another gwrm process has written to this new journal; give another name");
}

BlockAppender::BlockAppender(const std::string& path, Kind kind)
    : path_(path), kind_(kind), file_(open_to_append(path)) {
  listed_.emplace(kind_.file, path);
}

BlockAppender::~BlockAppender() {
  if (file_ && unsynced_) file_->synchronise();
}

void BlockAppender::continue_behind(std::uint64_t complete_bytes, std::size_t n_records) {
  n_records_ = n_records;
  end_ = complete_bytes;
  if (file_->size() == end_) return;
  if (const int error = file_->truncate(end_); error != 0)
    fail(path_, "the damaged end of the journal cannot be cut off: " + reason(error));
}

std::string BlockAppender::what_is_safe() const {
  const std::string record = kind_.record;
  if (n_records_ == 0) return "no " + record + " was finished before this one";
  return n_records_ == 1 ? "the " + record + " before is safe in it"
                         : "the " + std::to_string(n_records_) + " " + record + "s before are safe in it";
}

void BlockAppender::append(std::span<const std::span<const unsigned char>> pieces) {
  check_open();
  int error = tail_ ? file_->truncate(end_) : 0;
  std::uint64_t end = end_;
  for (const std::span<const unsigned char> piece : pieces) {
    if (error == 0) error = file_->write(end, piece);
    end += piece.size();
  }
  if (error != 0) {
    tail_ = file_->truncate(end_) != 0;
    file_->synchronise();
    fail(path_, "cannot write the journal: " + reason(error) + "; " + what_is_safe() + "; " + cure(error) +
                    ", then continue the run");
  }
  tail_ = false;
  end_ = end;
  ++n_records_;
  unsynced_ = true;
  if (Clock::now() >= next_sync_) synchronise();
}

void BlockAppender::flush() {
  check_open();
  if (unsynced_) synchronise();
}

void BlockAppender::close() {
  if (!file_) return;
  flush();
  file_.reset();
}

void BlockAppender::remove() {
  check_open();
  if (file_->is_at_its_path()) delete_file(path_);
  listed_.reset();
  file_.reset();
}

void BlockAppender::check_open() const {
  if (!file_) fail(path_, "the journal has been closed; continue the run to write to it again");
}

void BlockAppender::synchronise() {
  const auto start = Clock::now();
  if (const int error = file_->synchronise(); error != 0) {
    // Which of the last records the disk holds is unknown now, and appending behind a gap would be in vain.
    file_.reset();
    fail(path_, std::string("the disk did not take the last ") + kind_.record + "s of the journal: " + reason(error) +
                    "; " + cure(error) + ", then continue the run");
  }
  unsynced_ = false;
  const auto end = Clock::now();
  next_sync_ = end + std::max<Clock::duration>(kSyncInterval, (kSyncShare - 1) * (end - start));
}

}  // namespace gwrm::journal
