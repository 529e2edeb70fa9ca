// How a sweep has ended, in text and in JSON.
#pragma once

#include <string>

#include "output/sweep_file.hpp"

namespace gwrm {

// Dimensions, and how many runs have ended in which way.
std::string sweep_text(const std::string& title, const SweepPoints& points, const SweepTotals& totals);
// `file`: the result; empty: none.
std::string sweep_json(const std::string& title, const SweepPoints& points, const SweepTotals& totals, int exit_status,
                       const std::string& file);

}  // namespace gwrm
