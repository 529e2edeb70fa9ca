// How large unknowns become at least, as far as boundary conditions give their values.
//
// An unknown that starts from zero is as small as the first window is short, and tails relative to itself may be the
// same in every window: a wave that a moving wall sends in is g(t - x), with a kink at its front, however early. A
// condition c u(x=a) = g(t) says that u becomes as large as g/c, which tails are to be small against.
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Per unknown the largest |g/c| over the time of the run, of unknowns whose initial values are zero; else 0.
std::vector<double> sizes_by_conditions(const Model& model, const std::vector<double>& parameters);

}  // namespace gwrm
