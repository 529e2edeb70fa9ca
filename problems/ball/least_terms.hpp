// Below what terms and coefficients of a part are rounding.
//
// Why       a part that is zero, as the poloidal one of a field that is given by its components, or the toroidal one of
//           convection about the axis, holds what rounding of the others left: no degree makes that small against
//           itself, and it is no error.
// Rule      its terms count for 1e-8, at least, of what the largest field would make of them,
//             1e-8 max_q |u_q| (1/T + kappa/d^2 + kappa_4/d^4),
//           T the length of the run, d the radius or the thickness of a shell, kappa and kappa_4 those of the part: a
//           field of that size that varies over all of the domain (as residual_magnitude.hpp of
//           problems/time_spectral has it, with the same share). Coefficients count for 1e-8 of the largest field's.
// Norms     L2 over the unit ball or shell; a poloidal scalar is R times as large as what it is the scalar of.
#pragma once

#include <vector>

#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// The coefficients of a part, a window's all together: of the window where they are most.
double largest_norm(const BallSpace& space, const BallSolution& solution, std::size_t part);
// By part: what its coefficients count for, at least.
std::vector<double> least_sizes(const BallModel& model, const BallSpace& space, const BallSolution& solution);
// By part: what its terms count for, at least; L2.
std::vector<double> least_terms(const BallModel& model, const BallSpace& space, const BallSolution& solution);

}  // namespace gwrm::ball
