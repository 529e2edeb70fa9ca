// A given force on points, in spherical components.
#pragma once

#include <array>
#include <vector>

#include "problems/ball/ball_case.hpp"
#include "problems/ball/ball_expressions.hpp"

namespace gwrm::ball {

// r, theta, phi; Error with the place where a component is not finite.
std::array<std::vector<double>, 3> force_values(const BallExpressions& expressions, const ForceCase& force, double time,
                                                const SpherePoints& points);

}  // namespace gwrm::ball
