// The discrete problem of a BvpModel solved by block moments (kernels/recurrence/block_recurrence.hpp).
#pragma once

#include <memory>
#include <string>

#include "core/context.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"
#include "problems/recurrence_bvp/boundary_closure.hpp"
#include "problems/recurrence_bvp/grid_source.hpp"

namespace gwrm {

struct MomentsSolution {
  ClosureStatus status = ClosureStatus::closed;
  std::string message;                   // of a failure
  bool finite = true;                    // false: the sums over the source are not
  double shift = 0.0;                    // added to the source, so that three conditions have a solution
  std::unique_ptr<GridSolution> values;  // null: failed
};

// `single_precision`: how the solution is stored. `tolerance`: of three conditions, as BoundaryClosure::close() has it.
// The source outlives the solution.
MomentsSolution solve_by_moments(const Context& context, const BvpModel& model, const BoundaryClosure& closure,
                                 const GridSource& source, bool single_precision, double tolerance);

}  // namespace gwrm
