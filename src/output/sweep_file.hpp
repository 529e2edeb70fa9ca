// The result of a sweep: one HDF5 file in the shape of netCDF-4, with the swept values as dimensions (docs/sweep.md has
// every dataset).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "output/sweep_journal.hpp"

namespace gwrm {

// What the file says of the sweep besides its runs.
struct SweepProvenance {
  std::string title, command, device;
  std::string case_text;       // the resolved case, with none of the values
  Quantities quantities = {};  // its units and labels
};

// How the runs have ended.
struct SweepTotals {
  std::size_t n_runs = 0, n_ended = 0;
  std::map<std::pair<int, std::string>, std::size_t> counts;  // by exit status and its word
  std::vector<SweepRun> failures;                             // of ended runs, by number: without arrays
  int first_failure = 0;  // exit status of the first of them, 9 (error not estimated) only if all have it; 0: none
};

// Names that the file has at its root besides the swept keys, the dimensions of the fields and the fields: none of them
// may be called so.
const std::vector<std::string>& names_of_sweep_file();

// Makes the file of the journal's records; runs that have none are marked as not run. Fields are NaN where a run has no
// complete answer, or has it on a grid of another size than the first one that has (its reason says so).
// Memory: the numbers of the runs, and the largest field of all runs together or kMemoryOfFields, whichever is more.
// Atomic, and OutputError like write_hdf5 (hdf5_file.hpp).
SweepTotals write_sweep(const std::string& path, const std::string& journal, const SweepProvenance& provenance,
                        bool overwrite);

inline constexpr std::size_t kMemoryOfFields = std::size_t{1} << 30;  // bytes

}  // namespace gwrm
