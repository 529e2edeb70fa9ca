// Lists of named texts held against each other, as gwrm diff shows them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "output/compare_runs.hpp"
#include "output/stored_samples.hpp"

namespace gwrm {

using Texts = std::vector<std::pair<std::string, std::string>>;

// Every value of a resolved case by its path.
Texts settings_of(const std::string& case_text, const std::string& path);
Texts build_texts(const StoredBuild& build);

// What differs, in the order of the first list; what only the second has at the end. Names may repeat.
std::vector<TextDifference> differences(const Texts& a, const Texts& b);

// The same but for rounding.
bool same_points(const std::vector<double>& a, const std::vector<double>& b);

// compare_runs() of two results of gwrm sweep: all numbers of all runs but their times.
RunComparison compare_sweeps(const std::string& a, const std::string& b);

}  // namespace gwrm
