// Changes to a result file that leave it sound HDF5 with a checksum that holds, but not what gwrm wrote: attributes and
// datasets missing, of another type, size or value, links astray. A reader that believes what a file says fails on
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace gwrm::hard_input {

// The source of all decisions: a number below n, n > 0. Random numbers in a campaign, the input of a fuzzer.
using Below = std::function<std::size_t(std::size_t n)>;

// Makes one to four changes in the result file at `path`.
void edit_result(const std::string& path, const Below& below);

// Bytes overwritten, blocks of zeros and ones, pieces lost or inserted, the end cut off; `bytes` is not empty.
std::string damaged_bytes(std::string bytes, const Below& below);

// The 16 bytes behind the HDF5 data (output/checksum.hpp).
std::string without_trailer(std::string bytes);
std::string with_trailer(std::string bytes);

std::string bytes_of(const std::string& path);
void put_bytes(const std::string& path, const std::string& bytes);

}  // namespace gwrm::hard_input
