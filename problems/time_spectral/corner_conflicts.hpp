// Initial data that contradict the boundary data where they meet, at t = t0.
//
// Order 0: a condition does not hold for the initial values. Order 1: it holds, but its time derivative does not, with u_t from
// the equations (u0 = x(1-x) under u_t = nu u_xx, u = 0: u_t = -2 nu at the ends). Either makes the solution singular at the
// corner, and the convergence in t algebraic unless the first windows are small (numerics.md 2).
#pragma once

#include <string>
#include <vector>

#include "system/window_system.hpp"

namespace gwrm {

struct CornerConflict {
  int condition = 0;  // index into Model::conditions
  int order = 0;
  double size = 0.0;  // largest violation, relative to the size of what the condition holds (order 1: per unit of time)
};

// Conflicts larger than 1e-8 relative. Order 1 is judged where every dt of order one stands alone, linearly, in its equation
// (dt(u) = F); elsewhere order 0 only.
std::vector<CornerConflict> corner_conflicts(const Context& context, const Model& model, const Discretisation& first_window,
                                             const State& state);

std::string describe(const Model& model, const CornerConflict& conflict);

}  // namespace gwrm
