// What a case says against the multipliers of its constraints (weighted_residual/model/multipliers.hpp). CaseError:
//
// initial values  A velocity with a divergence is no state of incompressible flow: Radau's first node has none, and the
//                 pressure that removes it there grows like 1/h. Refused where the constraint of the initial values, at
//                 points of the first window, is larger than `tolerance` times the sum of its terms; projected where it
//                 is smaller (weighted_residual/preconditioner/consistent_state.hpp).
// net flux        problems/time_spectral/net_flux.hpp.
// subdomains      along two bounded dimensions: where four of them meet, nothing is solved for.
#pragma once

#include <string>
#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

void check_multipliers(const Model& model, const std::vector<double>& parameter_point, double tolerance);

// What is said of initial values that are projected because they contradict a constraint a little.
std::vector<std::string> projected_initial_values(const Model& model, const std::vector<double>& parameter_point);

}  // namespace gwrm
