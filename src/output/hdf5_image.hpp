// A file of HDF5 put together in memory, which leaves it in one piece with its checksum behind it.
#pragma once

#include <functional>
#include <string>

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

// Calls `fill` with the open file, then writes it under `path`: atomically, with the trailer of checksum.hpp.
// OutputError with the path in front for everything that fails.
void write_file(const std::string& path, bool overwrite, const std::function<void(hid_t file)>& fill);

// "2026-01-31T12:00:00Z: COMMAND", the attribute `history`.
std::string history_line(const std::string& command);

}  // namespace gwrm::hdf5
