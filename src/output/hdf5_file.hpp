// The result file: HDF5 in the shape of netCDF-4 (design: docs/output-format.md), written under a temporary name and
// renamed when complete, and read back.
#pragma once

#include <string>
#include <vector>

#include "output/evaluate.hpp"
#include "output/named_arrays.hpp"
#include "output/parameter_statistics.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"

namespace gwrm {

struct SampledField {
  std::string name;           // dataset at the root
  std::string expression;     // attribute `expression`
  std::vector<int> axes;      // the axes it has, ascending; a scalar has none
  Array values;               // extents along `axes`
  std::string error_of = {};  // attribute `error_of`: the field whose estimated error this is; empty: none
};

// The estimated error of a field on the same grid, |e| in the field's units, NaN where it is not known: stands beside
// it as `<field>_error`.
SampledField error_field(const SampledField& of, Array error);

// What goes into the file; it stays where it is, for it may fill the memory.
struct OutputData {
  const Solution& solution;
  const RunReport& report;
  const GridPoints& grid;  // per axis of the solution, the sampled coordinates
  const std::vector<SampledField>& fields;
  const std::vector<FieldStatistics>& statistics;  // over the parameters, on the same grid; may be empty
  const ArrayGroup* module_arrays = nullptr;       // a group of the module's own; null: none
};

// Throws OutputError if the directory does not exist or cannot be written, or the file exists and overwrite is false.
// Call it before the computation starts, so that no result is lost for want of a place.
void check_output_path(const std::string& path, bool overwrite);
// The same before long work, and that a file can be made there and takes a byte: no attribute of a folder says so of
// /proc, of a full disk or of a used-up quota. Leaves nothing behind.
void try_output_path(const std::string& path, bool overwrite);

// Throws OutputError if the file could not hold these names side by side: a sampled field or an unknown called like an
// axis, a group or a scale of the file, a name twice or with a slash. Call it before the computation starts, too.
void check_output_names(const std::vector<std::string>& axes, const std::vector<std::string>& unknowns,
                        const std::vector<std::string>& sampled_fields);

// Atomic: on any failure (disk full included) the temporary file is removed and OutputError thrown; an existing file of
// the final name is untouched until the rename. Without `overwrite` the rename never replaces a file.
// Memory: at most 64 MB beside the data, however large they are (tests/output/output_memory_test.cpp).
void write_hdf5(const std::string& path, const OutputData& data, bool overwrite);

struct StoredRun {
  Solution solution;
  RunReport report;
};

// The whole report comes back, the Newton history included. Throws OutputError with a readable message for anything
// that is not a complete gwrm file.
StoredRun read_hdf5(const std::string& path);

}  // namespace gwrm
