// What a steady or periodic run tries when Newton's iteration from its guess finds no solution.
//
// Order     damping down to 1/1024; undamped steps; SIR (solver/newton.hpp), up to kMostSirUnknowns unknowns; then, in
//           runs with a tolerance, the same from eight subdomains on each axis of space that can be divided (three with
//           several axes), or from three times the degree where the basis is periodic: on coarse subdomains a problem
//           with layers may have no solution, or one that is not near that of the equations.
//           Unknown numbers (a period, a length) are also tried from 1.3, 0.75 and 1.6 times their guesses.
// Vanished  a number with a guess that comes out as zero counts as not found: with T = 0 every constant is an orbit.
// Not tried where the case prescribes `solver.newton.globalisation` or `max_iterations`.
// Budget    kMostIterations Newton iterations in each, kMostSeconds in all.
// Accepted  is the first that passes the verification, so that a solution of the discrete equations alone does not
//           count: far from the answer they have several.
// Measured  van der Pol's orbit with mu = 2 from sines, a pellet with Thiele modulus 1/2 and heat of reaction 8, the
//           forced Duffing oscillator and Allen-Cahn layers: natural damping down to 1/16 refuses all of them, undamped
//           steps or SIR find each.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

struct SteadyAttempt {
  Case the_case;
  double smallest_damping = 0.0;  // NewtonOptions
  std::string what;               // "undamped steps from 8 subdomains along x"
};

inline constexpr double kMostSteadySeconds = 20.0;  // for all attempts

std::vector<SteadyAttempt> steady_attempts(const Case& the_case, const Model& model);

}  // namespace gwrm
