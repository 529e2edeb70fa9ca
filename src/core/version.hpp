// What this program is: stamped into every result file and printed by `gwrm info`.
#pragma once

#include <string>

namespace gwrm {

std::string version();            // "0.1.0"
std::string git_revision();       // `git describe --always --dirty` at configure time, or "unknown"
std::string build_description();  // compiler, build type, with or without CUDA

}  // namespace gwrm
