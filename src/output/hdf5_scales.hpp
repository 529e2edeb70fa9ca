// Finding one's way in a file of netCDF's shape: what lies in a group, and which scales a dataset has.
#pragma once

#include <string>
#include <vector>

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

// In the order of creation where the file keeps it. OutputError for too many.
std::vector<std::string> links_of(hid_t group);
bool is_scale(hid_t dataset);
// Whether the scale only gives a dimension its length: netCDF-4 writes one for a dimension without a variable.
bool is_placeholder(hid_t scale);
// The paths of all scales attached to each dimension, without the first slash, in the order of attachment. OutputError.
std::vector<std::vector<std::string>> all_scales_of(hid_t dataset, std::size_t n_dimensions);
// The path of the first scale of each dimension, without the first slash; OutputError where one has none.
std::vector<std::string> scales_of(hid_t dataset, std::size_t n_dimensions);

// Whether a dataset holds real or whole numbers.
bool is_numeric(hid_t dataset);
// Relative rounding error of the stored numbers: of single precision, or 0 for double precision and whole numbers.
double rounding_of(hid_t dataset);
// Applies scale_factor and add_offset of netCDF. OutputError if a value equals _FillValue or missing_value.
void unpack(hid_t dataset, const std::string& name, std::vector<double>& values);

}  // namespace gwrm::hdf5
