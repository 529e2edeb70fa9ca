// The operator of any grid as interior stencils and stored rows, for the device.
#pragma once

#include "kernels/sbp_sat/block_operator.hpp"
#include "problems/sbp_sat/grid.hpp"

namespace gwrm::sbp {

// ShapeError where the grid has more points than 32-bit indices count.
BlockOperator block_operator(const Grid& grid);

}  // namespace gwrm::sbp
