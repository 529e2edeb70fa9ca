// A file that is either complete or not there: written under a temporary name beside its place, renamed at the end.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

namespace gwrm {

// Writes the pieces one after the other. Throws OutputError with the system's reason; the temporary file is then gone
// and an existing file of that name whole. Without `overwrite` a file that has appeared meanwhile is not replaced.
void write_file_atomically(const std::string& path, std::initializer_list<std::span<const unsigned char>> pieces,
                           bool overwrite);

}  // namespace gwrm
