// How much memory a computation may take.
#pragma once

#include <cstddef>
#include <string>

namespace gwrm {

// Bytes the operating system can give without swapping: MemAvailable, or less where a control group limits the process.
std::size_t available_memory();

// Freed arrays stay with the process for the next ones, up to half a gigabyte: a solver takes and frees the same sizes
// again and again, and fresh pages from the system cost more than the arithmetic on them. Once, at the start.
void keep_freed_memory();

std::string format_bytes(std::size_t bytes);  // "1.3 GB" (powers of ten)

}  // namespace gwrm
