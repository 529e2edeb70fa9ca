// A file that is either complete or not there: it grows under a temporary name beside its place, and is renamed at the
// end. All that fails is an OutputError with the system's reason.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "core/files_at_end.hpp"

namespace gwrm {

class AtomicFile {
 public:
  // A symbolic link stays, the file it points to is replaced. Without `overwrite` a file that has appeared meanwhile is
  // not replaced.
  AtomicFile(const std::string& path, bool overwrite);
  ~AtomicFile();  // without commit() the temporary file goes, and an existing file of that name is as it was
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::uint64_t offset, std::span<const unsigned char> bytes);
  // What was never written reads as zero.
  void read(std::uint64_t offset, std::span<unsigned char> bytes) const;
  void resize(std::uint64_t size);
  void commit();  // everything to the disk, then the name

  const std::string& temporary_name() const { return name_; }

 private:
  void hand_to_disk();
  void rename();

  std::string path_, place_, name_;  // as asked for, links followed, temporary
  std::optional<FileAtEnd> listed_;
  bool overwrite_;
  int descriptor_ = -1;
  std::uint64_t kept_by_system_ = 0;  // bytes written of which the disk has not been asked to take them
};

// The pieces one after the other.
void write_file_atomically(const std::string& path, std::initializer_list<std::span<const unsigned char>> pieces,
                           bool overwrite);

}  // namespace gwrm
