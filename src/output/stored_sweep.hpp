// The result of a sweep, read back: every dataset with the names of its dimensions.
#pragma once

#include <string>
#include <vector>

#include "core/array.hpp"
#include "output/stored_samples.hpp"

namespace gwrm {

struct StoredVariable {
  std::string name;               // with its group: "u", "statistics/u_mean", "checks/value"
  std::vector<std::string> dims;  // without groups; a scale's is its own name
  Shape shape;
  bool is_scale = false, is_text = false;
  bool is_key = false;             // values of a swept key
  std::vector<double> numbers;     // row-major; whole numbers too
  std::vector<std::string> texts;  // in place of numbers
};

struct StoredSweep {
  std::string case_text, keys;
  StoredBuild build;
  std::vector<StoredVariable> variables;  // in the file's order
  const StoredVariable* find(const std::string& name) const;
};

// OutputError for anything that is not the complete result of a sweep, like read_hdf5().
StoredSweep read_sweep(const std::string& path);

// Whether a file that can be read says that it is one.
bool is_sweep(const std::string& path);

}  // namespace gwrm
