// Writing of named_arrays.hpp.
#pragma once

#include "output/hdf5_handles.hpp"
#include "output/named_arrays.hpp"

namespace gwrm::hdf5 {

// ShapeError for a dimension that is not there, or values that do not fill the dimensions.
void write_array_group(hid_t root, const ArrayGroup& group);

}  // namespace gwrm::hdf5
