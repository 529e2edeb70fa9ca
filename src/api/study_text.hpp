// A convergence study in text and in JSON.
#pragma once

#include <string>

#include "output/convergence_study.hpp"

namespace gwrm {

std::string study_text(const ConvergenceStudy& study);
// `files`: those written.
std::string study_json(const ConvergenceStudy& study, int exit_status, const std::vector<std::string>& files);

}  // namespace gwrm
