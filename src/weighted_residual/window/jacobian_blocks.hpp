// The Jacobian of a window block by block, for matrices that are not dense.
#pragma once

#include <functional>
#include <span>

#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// What one term of a row adds: `values`, column-major, from (row, column) on. Blocks may overlap; they add up.
struct JacobianBlock {
  Index row = 0, column = 0;
  Index n_rows = 0, n_columns = 0;
  std::span<const double> values;
};
using TakeBlock = std::function<void(const JacobianBlock&)>;

// In the same order for every x. The system has neither integrals nor banded terms nor products of series.
void for_each_jacobian_block(const WindowSystem& system, const Linearisation& at_x, const TakeBlock& take);

}  // namespace gwrm
