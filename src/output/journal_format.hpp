// The bytes of a journal (layout: journal.hpp), without the file they are in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "output/journal.hpp"
#include "output/journal_bytes.hpp"

namespace gwrm::journal {

inline constexpr std::string_view kFileMark = "gwrmjrnl", kHeaderMark = "gwrmhead", kWindowMark = "gwrmwind";
inline constexpr std::string_view kSweepMark = "gwrmswep";  // of the journal of a sweep (sweep_journal.hpp)
inline constexpr std::uint64_t kFormat = 3, kOldestFormat = 1;

Bytes encode_start(const JournalHeader& header);  // the file up to its first window
// One block. Its fields are these, list after list, and not window.fields. ShapeError
// Its fields are `fields`, whose numbers stay where they are.
Encoder encode_window(const JournalWindow& window, std::span<const ArrayView> fields, std::size_t number);

// From the payload of a block; nothing if the bytes do not make sense.
std::optional<JournalHeader> decode_header(std::span<const unsigned char> payload, std::uint64_t format);
std::optional<JournalWindow> decode_window(std::span<const unsigned char> payload, std::size_t number);

}  // namespace gwrm::journal
