// Whether CUDA source can be compiled while the program runs.
#pragma once

#include <string>

namespace gwrm {

// Why not: NVRTC cannot be loaded, or GWRM_NVRTC hides it. Empty if it can. Looked up once.
const std::string& run_time_compiler_missing();

}  // namespace gwrm
