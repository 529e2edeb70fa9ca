// What gwrm eval --at prints: a row for every point of a grid, below the names of the columns (with -q without them).
#pragma once

#include <vector>

#include "cli/eval_points.hpp"
#include "cli/options.hpp"

namespace gwrm::cli {

// values[e], and errors[e] unless there are none: of expression e, extents those of the points, the last axis fastest.
void print_rows(const Options& options, const std::vector<Axis>& axes, const EvalPoints& at,
                const std::vector<Array>& values, const std::vector<Array>& errors);

}  // namespace gwrm::cli
