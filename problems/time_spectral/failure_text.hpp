// What a march that ended early is to the user: exit status, where, why, what to try.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "core/errors.hpp"
#include "output/report.hpp"
#include "problems/time_spectral/march.hpp"

namespace gwrm {

struct Failure {
  ExitStatus exit = ExitStatus::internal_error;
  std::string status, reason;
};

Failure describe_failure(const Model& model, const MarchEnd& end, const std::vector<double>& parameter_point,
                         int n_windows_done);

// Which checks of a finished run failed, and what to change in the case; empty if none did.
std::string describe_verification(const Case& problem, const Verification& verification);

}  // namespace gwrm
