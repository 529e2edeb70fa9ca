// A manufactured solution of a case in the sphere: sources and initial values with which `exact` of all unknowns (of
// vectors r, theta and phi components) solves it.
//
// Formula   what is left of the equations for the exact fields: of a scalar Theta, a magnetic field B and a velocity U,
// v
//           the given flow and the velocity together,
//             Theta_t - kappa lap Theta + kappa_4 lap lap Theta + v.grad Theta - background - reaction,
//             B_t + kappa curl curl B - curl(v x B),
//             U_t + kappa curl curl U - (v x curl U + U x curl u) - (curl B) x B - g Theta r + rotation e_z x U;
//           of a velocity but for gradients, which the pressure takes.
// Refused   exact vectors with a divergence, exact fields that do not meet their boundary, with the amount.
#pragma once

#include "case/case.hpp"

namespace gwrm::ball {

Case manufactured_ball(Case the_case);

}  // namespace gwrm::ball
