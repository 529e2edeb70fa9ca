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

// A window in which Newton failed and which was halved.
struct HalvedWindow {
  double start = 0.0, end = 0.0;
  NewtonStatus status = NewtonStatus::damping_failed;
};
// One warning for all of them, at least one: a solution that becomes infinite halves fifty.
std::string describe_halvings(const std::vector<HalvedWindow>& windows);

Failure describe_failure(const Model& model, const MarchEnd& end, const std::vector<double>& parameter_point,
                         int n_windows_done);

// What to look for where an answer grows beyond its data for no reason in the equations.
inline constexpr const char* kIllPosedCure =
    "if the equations do not say so, the problem is ill-posed: look for a boundary condition at the end where "
    "characteristics leave (they need one where they enter), a wrong number of conditions at an end, or diffusion of "
    "the wrong sign (dt(u) = -dx(u,2)); if they do, try more windows (resolution.domains.t)";

// Which checks of a finished run failed, and what to change in the case, by the estimate's advice where there is one;
// empty if none did. axes: those of the solution. why_not_finer: of an automatic run whose resolution has been raised
// already, why that ended; in place of a smaller tolerance.
std::string describe_verification(const Case& the_case, const Verification& verification, const std::vector<Axis>& axes,
                                  const std::string& why_not_finer = {});

}  // namespace gwrm
