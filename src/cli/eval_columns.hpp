// The names of the columns that gwrm eval writes.
#pragma once

#include <string>
#include <vector>

#include "core/axis.hpp"

namespace gwrm::cli {

// Of CSV and of datasets, one for each expression: the expression itself where it is a word that nothing else beside it
// has, else value_<number>, counted from 1. An error's column is called `<name>_error`.
std::vector<std::string> value_names(const std::vector<std::string>& expressions, const std::vector<Axis>& axes,
                                     bool with_errors);

}  // namespace gwrm::cli
