// What the blocks of a journal are written in and read from: 8-byte little-endian words, lists and texts (layout:
// journal.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/array.hpp"

namespace gwrm::journal {

using Bytes = std::vector<unsigned char>;
using Pieces = std::vector<std::span<const unsigned char>>;

inline constexpr std::size_t kWord = 8;
inline constexpr std::size_t kFileStart = 2 * kWord;   // mark, format
inline constexpr std::size_t kBlockStart = 3 * kWord;  // mark, length of the payload, its complement
inline constexpr std::size_t kTrailer = 2 * kWord;     // mark, checksum

std::uint64_t word_at(std::span<const unsigned char> bytes, std::size_t offset);
bool has_mark(std::span<const unsigned char> bytes, std::string_view mark);

class Encoder {
 public:
  void mark(std::string_view text);
  void word(std::uint64_t value);
  void integer(std::int64_t value);
  void number(double value);
  void numbers(const std::vector<double>& values);  // without their count
  void text(const std::string& value);
  void texts(const std::vector<std::string>& values);
  void array(const Array& value);  // ShapeError where extents and values do not agree
  // The same, but the numbers stay where they are until pieces() have been written.
  void array_in_place(const ArrayView& value);
  void block(std::string_view name, const Bytes& payload);
  // The same around what is written in between; the payload takes about so many bytes.
  void begin_block(std::string_view name, std::size_t expected_bytes);
  void end_block();
  const Bytes& bytes() const { return bytes_; }  // without what stays in place
  Bytes take() { return std::move(bytes_); }
  // All that was encoded, one piece behind the other; those of the encoder's own until it changes.
  Pieces pieces() const { return pieces_behind(0); }

 private:
  // What stays in place stands before bytes_[at].
  struct InPlace {
    std::size_t at;
    std::span<const unsigned char> bytes;
  };
  Pieces pieces_behind(std::size_t start) const;

  Bytes bytes_;
  std::vector<InPlace> in_place_;
  std::size_t block_start_ = 0;
};

// What does not fit makes the decoding incomplete and every value after it 0; no count is trusted beyond the bytes
// there are.
class Decoder {
 public:
  explicit Decoder(std::span<const unsigned char> bytes) : bytes_(bytes) {}

  std::uint64_t word();
  int integer();
  double number();
  std::size_t count(std::size_t words_each);  // length of a list whose elements take at least so many words
  std::vector<double> numbers(std::size_t n);
  std::string text();
  std::vector<std::string> texts();
  Array array();
  bool complete() const { return !bad_ && bytes_.empty(); }

 private:
  std::size_t refuse();

  std::span<const unsigned char> bytes_;
  bool bad_ = false;
};

}  // namespace gwrm::journal
