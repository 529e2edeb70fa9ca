// How much memory a computation may take.
#pragma once

#include <cstddef>
#include <string>

namespace gwrm {

// Bytes the operating system can give without swapping: MemAvailable, or less where a control group or a limit of the
// process (ulimit -v, -d) says so.
std::size_t available_memory();

// ulimit -v or -d, whichever is smaller; the largest number where there is neither.
std::size_t process_memory_limit();

std::string format_bytes(std::size_t bytes);  // "1.3 GB" (powers of ten)

}  // namespace gwrm
