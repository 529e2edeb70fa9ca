// The flux through the boundary of a box that a constraint asks for: found before anything is solved.
//
// Formula   c = sum_i a_i dx_i(u_i) + g with constant a_i: its integral over the box is that of g and the sum over the
//           faces of a_i u_i, which the conditions give. Where they give all of them, and nothing but a constant is
//           free in the multiplier, it must vanish, or no velocity satisfies the constraint.
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// CaseError where it does not vanish at points in time and of the parameters that belong to the same system, to
// `tolerance` of the largest face, 1e-3 at least: smaller ones are told at the end of a run. What cannot be told from
// the conditions is passed over.
void check_net_flux(const Model& model, const std::vector<double>& parameter_point, double tolerance);

}  // namespace gwrm
