// What is left of coupled equations in a space of higher degrees, where solver and answer have no coefficients.
//
// Norms     scalar and toroidal parts, magnetic ones: L2 of what the finer functions hold of the residual; poloidal
// part
//           of a velocity: L2 of the solenoidal acceleration curl curl(P Y r), r^T G^-1 r with the gradients G, by
//           which the pressure has no share. Relative to the largest of the terms at any of the times, or to what they
//           count for at least (least_terms.hpp).
// Orders    all up to the highest of the answer and the next that flows and products of fields make, whatever set of
// them
//           the answer has: what leaves that is seen. An answer about the axis stays so.
#pragma once

#include <vector>

#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// value / size; 0 if the value is 0, infinity if only the size is.
double ratio(double value, double size);

// At most so many windows are looked at.
inline constexpr std::size_t kWindowsLookedAt = 12;

// By part.
std::vector<double> coupled_residuals(const BallModel& model, const BallSpace& space, const BallSolution& solution);

// The greatest common divisor of the orders m that the answer has; 0: it is symmetric about the axis.
Index stride_of_orders(const BallSpace& space, const BallSolution& solution);

// Whether equations couple harmonics with each other.
bool couples_harmonics(const BallModel& model);

// Whether terms are products of two fields.
bool multiplies_fields(const BallModel& model);

// Whether there are products of fields or reactions.
bool is_nonlinear(const BallModel& model);

}  // namespace gwrm::ball
