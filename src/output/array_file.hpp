// Arrays in HDF5 files of any program, and files in the shape of netCDF-4: what `gwrm transform` reads and writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/errors.hpp"

namespace gwrm {

// Whether the file has a dataset of this name. Errors as read_array().
bool has_array(const std::string& path, const std::string& name);

// A dataset of real or whole numbers, of any rank from 1 to 8. CaseError for what a user can mend: no such file, no
// such dataset (with those that there are), no dimensions, no numbers in it, NaN or infinities (how many, and where the
// first one is). scale_factor and add_offset of netCDF are applied. OutputError for a file that cannot be read, is
// damaged, or reaches outside itself. HDF5 is read in a child process first.
Array read_array(const std::string& path, const std::string& name);

// The coordinates of one dimension of a dataset.
struct DimensionScale {
  std::string name;            // path of the scale in the file, without the first slash
  std::vector<double> values;  // one for each index of the dimension, as stored: in any order, NaN included
  double rounding = 0.0;       // relative rounding error of the stored numbers: of single precision, or 0
};

// For each dimension of the dataset the first of its HDF5 dimension scales that holds numbers; empty if there is none.
// The scale that netCDF-4 writes for a dimension without a coordinate variable does not count. CaseError for a scale
// that is not a list as long as the dimension; OutputError as read_array().
std::vector<std::optional<DimensionScale>> read_dimension_scales(const std::string& path, const std::string& name);

struct WrittenScale {
  std::string name;
  std::vector<double> values;  // empty: 0, 1, .. as whole numbers
  std::size_t count;
};
struct WrittenArray {
  std::string name, long_name;
  std::vector<std::string> dimensions;  // names of scales
  std::vector<double> values;
};
struct ArrayFile {
  std::string title, command;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<WrittenScale> scales;
  std::vector<WrittenArray> arrays;
};

// HDF5 in the shape of netCDF-4, atomic as write_hdf5(). OutputError.
void write_arrays(const std::string& path, const ArrayFile& file, bool overwrite);

}  // namespace gwrm
