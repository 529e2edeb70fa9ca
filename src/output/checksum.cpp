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

constexpr std::array<unsigned char, 8> kMark = {'g', 'w', 'r', 'm', 's', 'u', 'm', '1'};
constexpr std::size_t kBlock = std::size_t{1} << 20;

}  // namespace

void Checksum::add(std::span<const unsigned char> bytes) {
  for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3u;
}

std::array<unsigned char, 16> Checksum::trailer() const {
  std::array<unsigned char, 16> trailer = {};
  std::copy(kMark.begin(), kMark.end(), trailer.begin());
  for (std::size_t i = 0; i < 8; ++i) trailer[8 + i] = static_cast<unsigned char>(hash_ >> (8 * i));  // little endian
  return trailer;
}

std::array<unsigned char, 16> checksum_trailer(std::span<const unsigned char> bytes) {
  Checksum checksum;
  checksum.add(bytes);
  return checksum.trailer();
}

std::string checksum_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw OutputError(std::strerror(errno));
  Checksum checksum;
  std::vector<unsigned char> block(kBlock);
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
  std::array<unsigned char, 16> trailer = {};
  if (size < static_cast<std::streamoff>(trailer.size())) return Integrity::unknown;
  file.seekg(-static_cast<std::streamoff>(trailer.size()), std::ios::end);
  read(trailer);
  if (!std::equal(kMark.begin(), kMark.end(), trailer.begin())) return Integrity::unknown;

  file.seekg(0);
  Checksum checksum;
  std::vector<unsigned char> block(kBlock);
  for (std::size_t left = static_cast<std::size_t>(size) - trailer.size(); left > 0;) {
    const std::span<unsigned char> part(block.data(), std::min(left, block.size()));
    read(part);
    checksum.add(part);
    left -= part.size();
  }
  return trailer == checksum.trailer() ? Integrity::intact : Integrity::damaged;
}

}  // namespace gwrm
