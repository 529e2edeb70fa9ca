// Finding one's way in a file of netCDF's shape: what lies in a group, and which scales a dataset has.
#pragma once

#include <string>
#include <vector>

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

// In the order of creation where the file keeps it. OutputError for too many.
std::vector<std::string> links_of(hid_t group);
bool is_scale(hid_t dataset);
// The path of the scale of each dimension, without the first slash; OutputError where one has none.
std::vector<std::string> scales_of(hid_t dataset, std::size_t n_dimensions);

}  // namespace gwrm::hdf5
