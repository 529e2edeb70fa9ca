// A file of points: every line one run.
//
//   CSV    a header with the keys, a line for each point: "constants.nu,resolution.degree.x"; fields with commas in
//          quotes ("" inside is one of them); lines that begin with # are comments
//   YAML   a list of maps: "- {constants.nu: 0.1, resolution.degree.x: 24}"; each with the same keys
#pragma once

#include <string>

#include "output/sweep_points.hpp"

namespace gwrm {

// The keys and their values, names not yet given; the form is told by the ending (.yaml, .yml, else CSV). CaseError for
// a file that cannot be read or has another form, with the line.
SweptDimension read_points_file(const std::string& path);

}  // namespace gwrm
