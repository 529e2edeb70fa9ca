// A journal as a file: blocks behind a beginning that says what they are, appended one after the other and forced to
// the disk now and then. What the blocks hold is known to the journal of a march (journal.hpp) and that of a sweep
// (sweep_journal.hpp).
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/files_at_end.hpp"
#include "output/journal_bytes.hpp"

namespace gwrm::journal {

// OutputError: "PATH: MESSAGE".
[[noreturn]] void fail(const std::string& path, const std::string& message);
std::string reason(int error);  // of the system
std::string cure(int error);

// The open file; closes itself, which gives up the lock.
class JournalFile {
 public:
  JournalFile(std::string path, int access);  // OutputError for what is not there or no ordinary file
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  void lock() const;
  bool is_at_its_path() const;
  std::uint64_t size() const;

  // The bytes from `offset` on; false if the file ends before.
  bool read(std::uint64_t offset, std::span<unsigned char> bytes) const;

  // These return the system's error number, 0 for success.
  int write(std::uint64_t offset, std::span<const unsigned char> bytes) const;
  int truncate(std::uint64_t size) const;
  int synchronise() const;

 private:
  struct stat information() const;

  std::string path_;
  int descriptor_ = -1;
};

// The payload of the block at `offset`, which moves behind the block; nothing if there is no complete one.
std::optional<Bytes> read_block(const JournalFile& file, std::string_view mark, std::uint64_t size,
                                std::uint64_t& offset);

// Opened for appending, and locked.
std::unique_ptr<JournalFile> open_to_append(const std::string& path);

bool exists(const std::string& path);
void delete_file(const std::string& path);

// Appends blocks behind the last complete one. What it promises is said in journal.hpp, of JournalWriter.
class BlockAppender {
 public:
  // Words of messages and of the list of files at the end: "window" or "run".
  struct Kind {
    FileKind file = FileKind::journal;
    const char* record = "window";
  };

  // A new file that begins with `start`, or is not there at all. Without `overwrite` an existing one is not replaced.
  BlockAppender(const std::string& path, const Bytes& start, bool overwrite, Kind kind);
  // An existing file, locked; read it and say where it ends before the first append.
  BlockAppender(const std::string& path, Kind kind);
  ~BlockAppender();  // as close(), without a word about failures
  BlockAppender(const BlockAppender&) = delete;
  BlockAppender& operator=(const BlockAppender&) = delete;

  const std::string& path() const { return path_; }
  const JournalFile& file() const { return *file_; }
  // `n_records` blocks end at `complete_bytes`; what follows is cut off.
  void continue_behind(std::uint64_t complete_bytes, std::size_t n_records);

  std::size_t n_records() const { return n_records_; }
  void append(std::span<const std::span<const unsigned char>> pieces);  // of one block
  void append(const Bytes& block) { append(Pieces{block}); }
  void check_open() const;
  void flush();
  void close();
  void remove();

 private:
  void synchronise();
  std::string what_is_safe() const;

  std::string path_;
  Kind kind_;
  std::unique_ptr<JournalFile> file_;  // null when closed
  std::optional<FileAtEnd> listed_;
  std::size_t n_records_ = 0;
  std::uint64_t end_ = 0;  // of the last complete record
  bool tail_ = false;      // bytes behind end_ that could not be cut off
  bool unsynced_ = false;  // appended since the last synchronisation
  std::chrono::steady_clock::time_point next_sync_;
};

}  // namespace gwrm::journal
