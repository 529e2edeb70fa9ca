// What a space does not hold of the force on a velocity, as an error of the answer.
//
// Formula   of the functions of a much larger space that are not in the space: what the force makes of each within the
//           run, at most |acceleration| T, and at rest <psi_k, F> / (kappa stiffness_k): the smaller of both, in L2.
//           (The acceleration alone would count layers at the surface that diffusion takes away.) Gradients count
//           nothing: the pressure takes them.
#pragma once

#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// Relative to the largest velocity of the run.
double unseen_force(const BallModel& model, const BallSpace& space, const BallSolution& solution, std::size_t field);

// mass x = weak of one part, in place: the rates that products with the functions of the space make.
void solve_mass(const BallSpace& space, std::size_t part, double* weak);

}  // namespace gwrm::ball
