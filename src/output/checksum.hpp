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

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

std::array<unsigned char, 16> checksum_trailer(std::span<const unsigned char> bytes);

enum class Integrity { intact, damaged, unknown };  // unknown: no trailer

Integrity check_integrity(const std::string& path);  // OutputError if the file cannot be read

}  // namespace gwrm
