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

// What the process has not taken of these yet; the largest number where there is neither. Takes no memory.
std::size_t memory_left_in_limits();

std::string format_bytes(std::size_t bytes);  // "1.3 GB" (powers of ten)

}  // namespace gwrm
