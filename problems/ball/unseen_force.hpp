// What a space does not hold of the force on a velocity, as an error of the answer.
//
// Formula   the solenoidal acceleration that the force makes in a much larger space, less that in the space, in L2;
// within
//           a time T a harmonic that decays at the rate kappa lambda is brought by it to at most |F| min(T, 1/(kappa
//           lambda)). lambda is at least l (l + 1) for the lowest degree that is left out, and about (pi n / 2)^2 for
//           what more than n functions of r take. Gradients count nothing: the pressure takes them.
#pragma once

#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// Relative to the largest velocity of the run.
double unseen_force(const BallModel& model, const BallSpace& space, const BallSolution& solution, std::size_t field);

// mass x = weak of one part, in place: the rates that products with the functions of the space make.
void solve_mass(const BallSpace& space, std::size_t part, double* weak);

}  // namespace gwrm::ball
