// The bytes of a journal (layout: journal.hpp), without the file they are in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "output/journal.hpp"

namespace gwrm::journal {

using Bytes = std::vector<unsigned char>;

inline constexpr std::string_view kFileMark = "gwrmjrnl", kHeaderMark = "gwrmhead", kWindowMark = "gwrmwind";
inline constexpr std::uint64_t kFormat = 3, kOldestFormat = 1;
inline constexpr std::size_t kWord = 8;
inline constexpr std::size_t kFileStart = 2 * kWord;   // mark, format
inline constexpr std::size_t kBlockStart = 3 * kWord;  // mark, length of the payload, its complement
inline constexpr std::size_t kTrailer = 2 * kWord;     // mark, checksum

std::uint64_t word_at(std::span<const unsigned char> bytes, std::size_t offset);
bool has_mark(std::span<const unsigned char> bytes, std::string_view mark);

Bytes encode_start(const JournalHeader& header);                       // the file up to its first window
Bytes encode_window(const JournalWindow& window, std::size_t number);  // one block; ShapeError

// From the payload of a block; nothing if the bytes do not make sense.
std::optional<JournalHeader> decode_header(std::span<const unsigned char> payload, std::uint64_t format);
std::optional<JournalWindow> decode_window(std::span<const unsigned char> payload, std::size_t number);

}  // namespace gwrm::journal
