// From the options of `gwrm sweep` to its runs, checked before the first of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "case/case_reader.hpp"
#include "output/sweep_points.hpp"
#include "problems/module.hpp"

namespace gwrm {

struct SweepRequest {
  std::vector<std::string> vary;  // "KEY=VALUES" (swept_values.hpp)
  std::string points_file;        // points_file.hpp; empty: none
  std::size_t n_samples = 0;      // of the distributions in `vary`
  std::uint64_t seed = 1;
  bool sobol = false;
};

// The runs: the product of the lists and ranges in their order, then of the points of the file, then of the samples,
// which all distributions share. A dimension of the case alone (x) means how finely its module resolves it. CaseError
// for what is not understood, a key that the case does not have (with the nearest), a key twice, more than
// kMostSweptRuns runs.
SweepPoints sweep_points(const ProblemModules& modules, const Case& base, const SweepRequest& request);

// Reads the case with these keys changed.
using ReadPoint = std::function<Case(const std::vector<Override>& changes)>;

std::vector<Override> overrides_of(const SweepPoints& points, std::size_t run);

// What is known of the runs before they begin.
struct SweepCosts {
  std::vector<float> unknowns;   // per run, of a linear system; empty: all the same
  std::size_t memory_bytes = 0;  // of the largest
  bool device_pays = false;      // for any
};

// Reads the case of every run, on as many threads as given. CaseError with the number and the values of the first run
// whose case is wrong; CaseError where the numbers of points of output.grid differ between runs; MemoryError where a
// field of all runs together does not fit in memory.
SweepCosts check_points(const ProblemModules& modules, const Case& base, const SweepPoints& points,
                        const ReadPoint& read, int n_threads);

}  // namespace gwrm
