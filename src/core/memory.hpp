// How much memory a computation may take.
#pragma once

#include <cstddef>
#include <string>

namespace gwrm {

// Bytes the operating system can give without swapping: MemAvailable, or less where a control group limits the process.
std::size_t available_memory();

std::string format_bytes(std::size_t bytes);  // "1.3 GB" (powers of ten)

}  // namespace gwrm
