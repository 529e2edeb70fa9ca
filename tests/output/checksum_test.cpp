// The checksums behind files, of both kinds.
#include "output/checksum.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace gwrm::checksum_test {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes some_bytes(std::size_t n) {
  Bytes bytes;
  for (std::size_t i = 0; i < n; ++i) bytes.push_back(static_cast<unsigned char>(i * i / 3 + 7 * i));
  return bytes;
}

// As it is defined: words of bytes by their places, zeros behind the end.
ChecksumTrailer by_definition(const Bytes& bytes) {
  std::uint64_t h = 0xcbf29ce484222325u;
  const auto take = [&](std::uint64_t word) {
    h = (h ^ word) * 1099511628211u;
    h ^= h >> 32;
  };
  for (std::size_t first = 0; first < bytes.size(); first += 8) {
    std::uint64_t word = 0, place = 1;
    for (std::size_t i = first; i < first + 8; ++i, place *= 256) word += place * (i < bytes.size() ? bytes[i] : 0);
    take(word);
  }
  take(bytes.size());
  ChecksumTrailer trailer = {'g', 'w', 'r', 'm', 's', 'u', 'm', '2'};
  for (std::size_t i = 0; i < 8; ++i, h /= 256) trailer[8 + i] = static_cast<unsigned char>(h % 256);
  return trailer;
}

TEST(WordChecksum, IsItsDefinitionHoweverTheBytesCome) {
  for (std::size_t n : {0, 1, 7, 8, 9, 16, 63, 200}) {
    const Bytes bytes = some_bytes(n);
    EXPECT_EQ(word_checksum_trailer(bytes), by_definition(bytes)) << n;
    for (std::size_t piece : {1, 3, 8, 11, 64}) {
      WordChecksum checksum;
      for (std::size_t i = 0; i < n; i += piece) checksum.add(std::span(bytes).subspan(i, std::min(piece, n - i)));
      EXPECT_EQ(checksum.trailer(), by_definition(bytes)) << n << " in pieces of " << piece;
    }
  }
}

TEST(WordChecksum, SeesEveryWrongByteAndALostZero) {
  const Bytes bytes = some_bytes(45);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (unsigned change = 1; change < 256; change += 2) {
      Bytes wrong = bytes;
      wrong[i] = static_cast<unsigned char>(wrong[i] ^ change);
      ASSERT_NE(word_checksum_trailer(wrong), word_checksum_trailer(bytes)) << i;
    }
  Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_NE(word_checksum_trailer(longer), word_checksum_trailer(bytes));
}

TEST(Integrity, OfFilesWithBothTrailersAndWithNone) {
  const std::string path = ::testing::TempDir() + "/integrity";
  const auto found = [&](const Bytes& bytes, const ChecksumTrailer& trailer) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.write(reinterpret_cast<const char*>(trailer.data()), trailer.size());
    file.close();
    return check_integrity(path);
  };
  const Bytes bytes = some_bytes(3'000'005);  // more than a block
  Bytes wrong = bytes;
  wrong[2'000'000] ^= 4;
  for (const ChecksumTrailer& trailer : {checksum_trailer(bytes), word_checksum_trailer(bytes)}) {
    EXPECT_EQ(found(bytes, trailer), Integrity::intact);
    EXPECT_EQ(found(wrong, trailer), Integrity::damaged);
  }
  EXPECT_EQ(found(bytes, {}), Integrity::unknown);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gwrm::checksum_test
