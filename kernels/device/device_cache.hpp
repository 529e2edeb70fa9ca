// What was worked out for a device and is kept on disk for the next run: compiled code, choices of tuning.
//
// The folder is the one that GWRM_CACHE names ("off": none), else gwrm below XDG_CACHE_HOME or ~/.cache. A file holds
// the question beside the answer, and a checksum of it all: what does not agree with the question, or is damaged, is
// worked out again and replaced. Files are written under another name and renamed, so that runs side by side do not
// meet half of one. Without a folder that can be written everything works, only slower.
#pragma once

#include <cstdint>
#include <string>

namespace gwrm {

// The answer to `question`, of a kind ("code"); empty if none is kept.
std::string kept_answer(const std::string& kind, const std::string& question);
// Failing to keep it is no failure of the run.
void keep_answer(const std::string& kind, const std::string& question, const std::string& answer);

std::uint64_t checksum(const std::string& text);  // 64-bit FNV-1a

}  // namespace gwrm
