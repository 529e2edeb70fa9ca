// The keys that every problem module reads: names and data of the problem, solver, verification, output, convergence.
#pragma once

#include <string>
#include <vector>

#include "case/key_table.hpp"

namespace gwrm::casefile {

// `modules`: the words of `problem`, the default first. `measures`: of modules, words of convergence.measure.
std::vector<KeySpec> general_keys(const std::vector<std::string>& modules, const std::vector<std::string>& measures);

}  // namespace gwrm::casefile
