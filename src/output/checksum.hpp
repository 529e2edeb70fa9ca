// The last 16 bytes of a result file: a mark and a checksum of all bytes before them.
//
// HDF5 takes no notice of bytes behind its own end. The reader looks here before HDF5 sees a damaged file, because the
// library can crash on one. A file that another program has changed has lost the trailer and is read without the check.
// Checksums, every step of which is invertible, so that one wrong byte never passes; h starts at 0xcbf29ce484222325:
//   gwrmsum1  64-bit FNV-1a, h <- (h xor byte) * 0x100000001b3: journals, and result files of gwrm before 0.12
//   gwrmsum2  h <- (h xor word) * 0x100000001b3, h <- h xor (h >> 32), over little-endian words of 8 bytes, the last
//             filled up with zeros, and the number of bytes as one more word: result files, an eighth of the time
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace gwrm {

using ChecksumTrailer = std::array<unsigned char, 16>;

// The checksums of bytes that come one after the other.
class Checksum {  // gwrmsum1
 public:
  void add(std::span<const unsigned char> bytes);
  ChecksumTrailer trailer() const;
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

class WordChecksum {  // gwrmsum2
 public:
  void add(std::span<const unsigned char> bytes);
  ChecksumTrailer trailer() const;

 private:
  void add_word(std::uint64_t word);

  std::uint64_t hash_ = 0xcbf29ce484222325u, n_bytes_ = 0;
  std::array<unsigned char, 8> rest_ = {};  // of a word that is not complete; zeros behind
};

ChecksumTrailer checksum_trailer(std::span<const unsigned char> bytes);       // gwrmsum1
ChecksumTrailer word_checksum_trailer(std::span<const unsigned char> bytes);  // gwrmsum2

// Of a whole file of any kind: "fnv1a64:" and 16 hexadecimal digits. OutputError, whose text says why it cannot be
// read, without the path.
std::string checksum_of_file(const std::string& path);

enum class Integrity { intact, damaged, unknown };  // unknown: no trailer

Integrity check_integrity(const std::string& path);  // OutputError if the file cannot be read

}  // namespace gwrm
