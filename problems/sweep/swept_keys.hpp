// The keys that a sweep changes: whether the case has them, and what the result calls them.
#pragma once

#include <string>

#include "output/sweep_points.hpp"
#include "problems/module.hpp"

namespace gwrm {

// The path of a key as the user wrote it; a dimension alone is its resolution. CaseError, beginning with `where`, for a
// key that is none of a case file, and for a name (a constant, a goal, ..) that this case does not have, each with the
// nearest.
std::string path_of_swept_key(const ProblemModules& modules, const Case& base, const std::string& key,
                              const std::string& where);

// Gives every key the shortest end of its path that is no name of another, of a dimension, unknown or field of the
// case, or of the result file: "nu", "degree_x", "initial_X"; and every dimension of one key that name. CaseError for a
// key that is there twice, and for fields called like something of the result file.
void name_swept_keys(const Case& base, SweepPoints& points);

}  // namespace gwrm
