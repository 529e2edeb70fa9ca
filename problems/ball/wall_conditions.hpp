// What the words of a field's boundary mean for its scalar functions at a wall: the surface r = 1, or the inner wall r
// = a of a shell, where outside is towards the centre.
//
//   scalar    value u = 0;  slope u' = 0;  robin u' + b u = 0, inside -u' + b u = 0;
//             clamped, with hyperdiffusion, u = u' = 0
//   magnetic  insulating: the field goes on as a potential field, T = 0, P' + (l+1) P = 0, inside, where it is r^l,
//             P' - l P/a = 0;
//             conducting (perfectly): no field leaves and no tangential electric field, P = 0, (r T)' = 0
//   velocity  no_slip: T = 0, P = P' = 0;  stress_free: (T/r)' = 0, P = P'' = 0
#pragma once

#include <functional>

#include "problems/ball/ball_case.hpp"
#include "problems/ball/ball_space.hpp"

namespace gwrm::ball {

// `robin`: b, in units of the radius; `wall`: of the unit ball, below 1 the inner one.
std::function<std::vector<WallCondition>(Index l)> wall_conditions(BoundaryWord word, PartKind kind, double robin,
                                                                   double wall = 1.0);
// Those of a field at all walls, the surface first.
std::function<std::vector<WallCondition>(Index l)> conditions_of(const BallField& field, PartKind kind, double radius,
                                                                 const RadialFunctions& radial);

// "T = 0", "P' + (l+1) P = 0": for people.
std::string wall_text(BoundaryWord word, PartKind kind, const std::string& name, double robin, bool is_inner = false);

}  // namespace gwrm::ball
