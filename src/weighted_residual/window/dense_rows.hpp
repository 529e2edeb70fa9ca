// Spatial operators of the time average as dense matrices.
#pragma once

#include "weighted_residual/window/averaged_rows.hpp"

namespace gwrm {

// B_p (averaged_rows.hpp): layout.size x layout.size.
Matrix averaged_operator(const WindowSystem& system, const std::vector<Array>& averages, int power);

}  // namespace gwrm
