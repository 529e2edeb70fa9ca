#include "output/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "core/errors.hpp"

namespace gwrm {
namespace {

constexpr std::array<unsigned char, 8> kMark = {'g', 'w', 'r', 'm', 's', 'u', 'm', '1'},
                                       kWordMark = {'g', 'w', 'r', 'm', 's', 'u', 'm', '2'};
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20;
constexpr std::uint64_t kPrime = 0x100000001b3u;

std::uint64_t little_endian(std::span<const unsigned char, 8> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return word;
}

ChecksumTrailer trailer_of(const std::array<unsigned char, 8>& mark, std::uint64_t hash) {
  ChecksumTrailer trailer = {};
  std::copy(mark.begin(), mark.end(), trailer.begin());
  for (std::size_t i = 0; i < 8; ++i) trailer[8 + i] = static_cast<unsigned char>(hash >> (8 * i));
  return trailer;
}

}  // namespace

void Checksum::add(std::span<const unsigned char> bytes) {
  for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * kPrime;
}

ChecksumTrailer Checksum::trailer() const {
  return trailer_of(kMark, hash_);
}

void WordChecksum::add_word(std::uint64_t word) {
  hash_ = (hash_ ^ word) * kPrime;
  hash_ ^= hash_ >> 32;
}

void WordChecksum::add(std::span<const unsigned char> bytes) {
  std::size_t held = n_bytes_ % 8;
  n_bytes_ += bytes.size();
  if (held > 0) {
    const std::size_t n = std::min(8 - held, bytes.size());
    std::copy_n(bytes.begin(), n, rest_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(n);
    held += n;
    if (held < 8) return;
    add_word(little_endian(rest_));
  }
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) add_word(little_endian(bytes.first<8>()));
  rest_ = {};
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

ChecksumTrailer WordChecksum::trailer() const {
  WordChecksum whole = *this;
  if (n_bytes_ % 8 > 0) whole.add_word(little_endian(rest_));
  whole.add_word(n_bytes_);
  return trailer_of(kWordMark, whole.hash_);
}

ChecksumTrailer checksum_trailer(std::span<const unsigned char> bytes) {
  Checksum checksum;
  checksum.add(bytes);
  return checksum.trailer();
}

ChecksumTrailer word_checksum_trailer(std::span<const unsigned char> bytes) {
  WordChecksum checksum;
  checksum.add(bytes);
  return checksum.trailer();
}

std::string checksum_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw OutputError(std::strerror(errno));
  Checksum checksum;
  std::vector<unsigned char> block(kBytesAtOnce);
  do {
    file.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(block.size()));
    checksum.add(std::span(block).first(static_cast<std::size_t>(file.gcount())));
  } while (file);
  if (file.bad()) throw OutputError(std::strerror(errno));
  return fmt::format("fnv1a64:{:016x}", checksum.value());
}

Integrity check_integrity(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](std::span<unsigned char> bytes) {
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
      throw OutputError("the file cannot be read");
  };
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  if (size < 0) throw OutputError("the file cannot be read");
  ChecksumTrailer trailer = {};
  if (size < static_cast<std::streamoff>(trailer.size())) return Integrity::unknown;
  file.seekg(-static_cast<std::streamoff>(trailer.size()), std::ios::end);
  read(trailer);
  const auto is_found = [&](auto checksum) {
    file.seekg(0);
    std::vector<unsigned char> block(kBytesAtOnce);
    for (std::size_t left = static_cast<std::size_t>(size) - trailer.size(); left > 0;) {
      const std::span<unsigned char> part(block.data(), std::min(left, block.size()));
      read(part);
      checksum.add(part);
      left -= part.size();
    }
    return trailer == checksum.trailer() ? Integrity::intact : Integrity::damaged;
  };
  const auto has = [&](const std::array<unsigned char, 8>& mark) {
    return std::equal(mark.begin(), mark.end(), trailer.begin());
  };
  return has(kWordMark) ? is_found(WordChecksum()) : has(kMark) ? is_found(Checksum()) : Integrity::unknown;
}

}  // namespace gwrm
