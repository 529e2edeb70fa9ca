// What the words of a field's boundary mean for its scalar functions at r = 1.
//
//   scalar    value u = 0;  slope u' = 0;  robin u' + a u = 0;  clamped, with hyperdiffusion, u = u' = 0
//   magnetic  insulating: the field goes on as a potential field, T = 0, P' + (l+1) P = 0;
//             conducting (perfectly): no field leaves and no tangential electric field, P = 0, T' + T = 0
//   velocity  no_slip: T = 0, P = P' = 0;  stress_free: T' - T = 0, P = P'' = 0
#pragma once

#include <functional>

#include "problems/ball/ball_case.hpp"
#include "problems/ball/ball_space.hpp"

namespace gwrm::ball {

// `robin`: a, in units of the radius.
std::function<std::vector<WallCondition>(Index l)> wall_conditions(BoundaryWord word, PartKind kind, double robin);

// "T = 0", "P' + (l+1) P = 0": for people.
std::string wall_text(BoundaryWord word, PartKind kind, const std::string& name, double robin);

}  // namespace gwrm::ball
