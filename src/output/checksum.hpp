// The last 16 bytes of a result file: a mark and a checksum of all bytes before them.
//
// HDF5 takes no notice of bytes behind its own end. The reader looks here before HDF5 sees a damaged file, because the
// library can crash on one. A file that another program has changed has lost the trailer and is read without the check.
// Checksum: 64-bit FNV-1a, h <- (h xor byte) * 0x100000001b3; every step is invertible, so one wrong byte never passes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace gwrm {

// The checksum of bytes that come one after the other.
class Checksum {
 public:
  void add(std::span<const unsigned char> bytes);
  std::array<unsigned char, 16> trailer() const;
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

std::array<unsigned char, 16> checksum_trailer(std::span<const unsigned char> bytes);

// Of a whole file of any kind: "fnv1a64:" and 16 hexadecimal digits. OutputError, whose text says why it cannot be
// read, without the path.
std::string checksum_of_file(const std::string& path);

enum class Integrity { intact, damaged, unknown };  // unknown: no trailer

Integrity check_integrity(const std::string& path);  // OutputError if the file cannot be read

}  // namespace gwrm
