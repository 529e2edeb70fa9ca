// Files of HDF5 as a whole: written with a checksum behind them, and opened again after a look at it.
#pragma once

#include <functional>
#include <string>

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

// Calls `fill` with the open file, which grows under a temporary name (atomic_file.hpp, hdf5_driver.hpp); then one pass
// over it makes the trailer of checksum.hpp, and it gets its name `path`. Memory: kHead of the driver.
// OutputError with the path in front for everything that fails.
void write_file(const std::string& path, bool overwrite, const std::function<void(hid_t file)>& fill);

// Calls `read` with the open result file (format_version and source are those of gwrm). OutputError, with the path in
// front, for what is no ordinary file, damaged, no HDF5 or of another program, and for all that `read` throws.
void read_result_file(const std::string& path, const std::function<void(hid_t file)>& read);

// The same of the result of a sweep; all others are refused.
void read_sweep_file(const std::string& path, const std::function<void(hid_t file)>& read);

// "2026-01-31T12:00:00Z: COMMAND", the attribute `history`.
std::string history_line(const std::string& command);

}  // namespace gwrm::hdf5
