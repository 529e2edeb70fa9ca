#include "output/checksum.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <vector>

#include "core/errors.hpp"

namespace gwrm {
namespace {

constexpr std::array<unsigned char, 8> kMark = {'g', 'w', 'r', 'm', 's', 'u', 'm', '1'};
constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325u;
constexpr std::size_t kBlock = std::size_t{1} << 20;

std::uint64_t fnv1a(std::uint64_t hash, std::span<const unsigned char> bytes) {
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

std::array<unsigned char, 16> trailer_of(std::uint64_t hash) {
  std::array<unsigned char, 16> trailer = {};
  std::copy(kMark.begin(), kMark.end(), trailer.begin());
  for (std::size_t i = 0; i < 8; ++i) trailer[8 + i] = static_cast<unsigned char>(hash >> (8 * i));  // little endian
  return trailer;
}

}  // namespace

std::array<unsigned char, 16> checksum_trailer(std::span<const unsigned char> bytes) {
  return trailer_of(fnv1a(kOffsetBasis, bytes));
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
  std::uint64_t hash = kOffsetBasis;
  std::vector<unsigned char> block(kBlock);
  for (std::size_t left = static_cast<std::size_t>(size) - trailer.size(); left > 0;) {
    const std::span<unsigned char> part(block.data(), std::min(left, block.size()));
    read(part);
    hash = fnv1a(hash, part);
    left -= part.size();
  }
  return trailer == trailer_of(hash) ? Integrity::intact : Integrity::damaged;
}

}  // namespace gwrm
