// Numbers over coordinates in a file of any program: HDF5 and netCDF-4 by dimension scales, or a list of points with
// the attribute `coordinates`, and CSV with names in its first line.
#pragma once

#include <string>
#include <vector>

#include "core/errors.hpp"

namespace gwrm {

struct DataTable {
  struct Dimension {
    std::string name;
    std::vector<double> coordinates;  // ascending; of points: one for each value
  };
  std::string path, dataset;          // as found
  std::vector<Dimension> dimensions;  // in the order of the dataset
  std::vector<double> values;         // of a grid, the last dimension fastest; finite
  bool is_grid = true;                // else values at points
  double rounding = 0.0;              // of the stored numbers, relative: of single precision
};

// The dataset of that name or path, or, with an empty name, the only one. `known`: names that are coordinates, not
// values, as columns of a CSV file. Points that are all those of a grid come back as one. Packed values (scale_factor,
// add_offset) are unpacked.
// OutputError, whose text says what is wrong and what to do, without the path: no such file, netCDF-3, damaged, no such
// dataset (with those that there are), no coordinates, ones that do not ascend, values that are missing or not finite.
DataTable read_data_file(const std::string& path, const std::string& dataset, const std::vector<std::string>& known);

// Whether the file says that it is a result of gwrm.
bool is_gwrm_result(const std::string& path);

}  // namespace gwrm
