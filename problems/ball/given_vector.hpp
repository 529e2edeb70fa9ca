// A given vector (a force, another source, an initial value) on points, in spherical components.
#pragma once

#include <array>
#include <vector>

#include "problems/ball/ball_case.hpp"
#include "problems/ball/ball_expressions.hpp"

namespace gwrm::ball {

// r, theta, phi; Error with the place where a component is not finite.
std::array<std::vector<double>, 3> given_vector(const BallExpressions& expressions, const VectorCase& vector,
                                                double time, const SpherePoints& points);

}  // namespace gwrm::ball
