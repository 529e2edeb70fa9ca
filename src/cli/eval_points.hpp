// The points of `--at t=0.3,x=0:1:101`.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "output/evaluate.hpp"

namespace gwrm::cli {

struct EvalPoints {
  std::vector<std::size_t> given;  // axes in the order written
  GridPoints points;               // per axis; the lower end where not given
};

// Values are expressions of the case's constants and pi; first:last:count makes equidistant points. CaseError for an
// unknown or repeated dimension, a value outside its interval, a time outside the windows of the file, or more than ten
// million points.
EvalPoints parse_eval_points(const std::string& text, const Case& the_case, const Solution& solution);

// The names before the signs of equality of --at.
std::vector<std::string> names_in(const std::string& text);

}  // namespace gwrm::cli
