#include "output/journal_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "core/errors.hpp"
#include "output/checksum.hpp"

namespace gwrm::journal {
namespace {

std::size_t padded(std::size_t n) {
  return (n + kWord - 1) / kWord * kWord;
}

}  // namespace

std::uint64_t word_at(std::span<const unsigned char> bytes, std::size_t offset) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWord; ++i) word |= std::uint64_t{bytes[offset + i]} << (8 * i);
  return word;
}

bool has_mark(std::span<const unsigned char> bytes, std::string_view mark) {
  return std::memcmp(bytes.data(), mark.data(), mark.size()) == 0;
}

void Encoder::mark(std::string_view text) {
  bytes_.insert(bytes_.end(), text.begin(), text.end());
}

void Encoder::word(std::uint64_t value) {
  std::array<unsigned char, kWord> bytes{};
  for (std::size_t i = 0; i < kWord; ++i) bytes[i] = static_cast<unsigned char>(value >> (8 * i));
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void Encoder::integer(std::int64_t value) {
  word(static_cast<std::uint64_t>(value));
}

void Encoder::number(double value) {
  word(std::bit_cast<std::uint64_t>(value));
}

void Encoder::numbers(const std::vector<double>& values) {
  // A vector that is told the size of each of many short lists would copy all before it each time.
  if (const std::size_t size = bytes_.size() + kWord * values.size(); size > bytes_.capacity())
    bytes_.reserve(std::max(size, 2 * bytes_.capacity()));
  if constexpr (std::endian::native == std::endian::little) {
    const auto* first = reinterpret_cast<const unsigned char*>(values.data());
    bytes_.insert(bytes_.end(), first, first + kWord * values.size());
  } else {
    for (const double value : values) number(value);
  }
}

void Encoder::text(const std::string& value) {
  word(value.size());
  mark(value);
  bytes_.resize(padded(bytes_.size()));
}

void Encoder::texts(const std::vector<std::string>& values) {
  word(values.size());
  for (const std::string& value : values) text(value);
}

void Encoder::array(const Array& value) {
  if (element_count(value.shape) != value.size())
    throw ShapeError("journal: an array's extents do not agree with the number of its values");
  word(value.shape.size());
  for (const Index extent : value.shape) integer(extent);
  numbers(value.data);
}

void Encoder::array_in_place(const ArrayView& value) {
  word(value.shape.size());
  for (const Index extent : value.shape) integer(extent);
  const std::span<const double> values(value.data, static_cast<std::size_t>(value.size()));
  if constexpr (std::endian::native == std::endian::little)
    in_place_.push_back({bytes_.size(), {reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes()}});
  else
    for (const double v : values) number(v);
}

Pieces Encoder::pieces_behind(std::size_t start) const {
  Pieces pieces;
  const auto own = [&](std::size_t end) {
    if (end > start) pieces.push_back(std::span(bytes_).subspan(start, end - start));
    start = end;
  };
  for (const InPlace& part : in_place_) {
    if (part.at < start) continue;
    own(part.at);
    pieces.push_back(part.bytes);
  }
  own(bytes_.size());
  return pieces;
}

void Encoder::block(std::string_view name, const Bytes& payload) {
  begin_block(name, payload.size());
  bytes_.insert(bytes_.end(), payload.begin(), payload.end());
  end_block();
}

void Encoder::begin_block(std::string_view name, std::size_t expected_bytes) {
  block_start_ = bytes_.size();
  bytes_.reserve(block_start_ + kBlockStart + expected_bytes + kTrailer);
  mark(name);
  word(0);  // the length, not known yet, ...
  word(0);  // ... and its complement
}

void Encoder::end_block() {
  std::uint64_t length = bytes_.size() - block_start_ - kBlockStart;
  for (const InPlace& part : in_place_)
    if (part.at > block_start_) length += part.bytes.size();
  Encoder lengths;
  lengths.word(length);
  lengths.word(~length);
  std::copy(lengths.bytes_.begin(), lengths.bytes_.end(),
            bytes_.begin() + static_cast<std::ptrdiff_t>(block_start_ + kWord));
  Checksum checksum;
  for (const std::span<const unsigned char> piece : pieces_behind(block_start_)) checksum.add(piece);
  const std::array<unsigned char, kTrailer> trailer = checksum.trailer();
  bytes_.insert(bytes_.end(), trailer.begin(), trailer.end());
}

std::uint64_t Decoder::word() {
  if (bytes_.size() < kWord) return refuse();
  const std::uint64_t value = word_at(bytes_, 0);
  bytes_ = bytes_.subspan(kWord);
  return value;
}

int Decoder::integer() {
  const auto value = static_cast<std::int64_t>(word());
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) refuse();
  return static_cast<int>(value);
}

double Decoder::number() {
  return std::bit_cast<double>(word());
}

std::size_t Decoder::count(std::size_t words_each) {
  const std::uint64_t n = word();
  return n <= bytes_.size() / (kWord * words_each) ? n : refuse();
}

std::vector<double> Decoder::numbers(std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values) value = number();
  return values;
}

std::string Decoder::text() {
  std::uint64_t n = word();
  if (n > bytes_.size()) n = refuse();
  std::string value(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(n));
  bytes_ = bytes_.subspan(std::min<std::size_t>(padded(n), bytes_.size()));
  return value;
}

std::vector<std::string> Decoder::texts() {
  std::vector<std::string> values(count(1));
  for (std::string& value : values) value = text();
  return values;
}

Array Decoder::array() {
  Array value;
  value.shape.resize(count(1));
  std::size_t n = 1;
  for (Index& extent : value.shape) {
    const std::uint64_t e = word();
    if (e > 0 && n > bytes_.size() / kWord / e) refuse();
    extent = static_cast<Index>(e);
    n *= e;
  }
  if (n > bytes_.size() / kWord) refuse();
  value.data = numbers(bad_ ? 0 : n);
  return value;
}

std::size_t Decoder::refuse() {
  bad_ = true;
  bytes_ = {};
  return 0;
}

}  // namespace gwrm::journal
