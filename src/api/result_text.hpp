// A finished run in text and in JSON.
#pragma once

#include <string>

#include "problems/problem.hpp"

namespace gwrm {

// The checks of the answer as a table; ends with the verdict if there was a verification.
std::string result_text(const RunOutcome& outcome);
// `file`: where it was written, empty if nowhere.
std::string result_json(const RunOutcome& outcome, const std::string& file);

}  // namespace gwrm
