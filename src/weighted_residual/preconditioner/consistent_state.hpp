// A state that the constraints of a system hold for (model/multipliers.hpp), nearest to a given one: velocities without
// a divergence.
//
// Why       a state that violates D u = c by e makes the multiplier e/h in a first window of length h, however fine.
//           Initial values do so by what their series leave out, and any state on finer subdomains, which test the
//           constraint on more modes.
// Formula   u + w with  m w + G q = 0,  D (u + w) = c,  the conditions on w homogeneous, or B (u + w) = g: one implicit
//           Euler step that is too short for anything but G and D to count, by the preconditioner of the window.
// Cost      that of one preconditioner of one time eigenvalue.
#pragma once

#include <vector>

#include "weighted_residual/preconditioner/instantaneous_factors.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

struct ConsistentState {
  State state;
  double violation = 0.0;   // largest row of the constraints before, over the largest number of the unknowns in them
  double correction = 0.0;  // largest w over the largest u
};

// start, length: of the window that begins with the state, on these subdomains. with_conditions: they are made to hold,
// too. Unchanged where the model has no multipliers, no time, or unknowns of second order in time, and where the
// equations have no preconditioner but a dense one. where: the step is solved; empty: on the CPU.
ConsistentState consistent_state(const Context& context, const Model& model, const SystemPlan& plan,
                                 std::vector<AxisDescription> subdomains, const std::vector<double>& parameter_values,
                                 double start, double length, State state, bool with_conditions,
                                 const InstantaneousPlace& where = {});

}  // namespace gwrm
