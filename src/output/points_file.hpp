// Scattered points in a file and the values at them: what `gwrm eval --points` reads and writes.
#pragma once

#include <string>
#include <vector>

#include "core/axis.hpp"
#include "core/errors.hpp"
#include "core/quantities.hpp"

namespace gwrm {

struct PointColumn {
  std::string name;
  std::vector<double> values;
};

// The columns of these names, those that the file has: 1-D datasets at the root of an HDF5 file (of real or whole
// numbers, of any other program), or the columns of a CSV file whose first line holds names; blank lines and those that
// begin with # are none. All are equally long. What else is in the file is passed over.
// CaseError for what a user can mend: no such file, none of the columns, lengths that differ, what is no finite number
// (where the first one is), no points; OutputError for a file that cannot be read, is damaged, or reaches outside
// itself. HDF5 is read in a child process first, which it does not survive where the file is damaged.
std::vector<PointColumn> read_points(const std::string& path, const std::vector<std::string>& names);

// values[p] of one expression.
struct PointValues {
  std::string name, expression;
  std::vector<double> values;
  std::string error_of = {};  // the name of the values whose estimated error this is; empty: none
};

struct PointsResult {
  std::string title, command, device;  // attributes
  const std::vector<PointColumn>& coordinates;
  const std::vector<PointValues>& values;
  Quantities quantities = {};  // units and labels of coordinates and of expressions that are a name
};

// HDF5 in the shape of netCDF-4, as the result file (docs/output-format.md): dimension `point`, the coordinates and the
// values along it. Atomic as write_hdf5(). OutputError.
void write_points(const std::string& path, const PointsResult& result, bool overwrite);

}  // namespace gwrm
