// Arrays in HDF5 files of any program, and files in the shape of netCDF-4: what `gwrm transform` reads and writes.
#pragma once

#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/errors.hpp"

namespace gwrm {

// Whether the file has a dataset of this name. Errors as read_array().
bool has_array(const std::string& path, const std::string& name);

// A dataset of real or whole numbers, of any rank from 1 to 8. CaseError for what a user can mend: no such file, no
// such dataset (with those that there are), no dimensions, no numbers in it, NaN or infinities (how many, and where the
// first one is). OutputError for a file that cannot be read, is damaged, or reaches outside itself. HDF5 is read in a
// child process first.
Array read_array(const std::string& path, const std::string& name);

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
