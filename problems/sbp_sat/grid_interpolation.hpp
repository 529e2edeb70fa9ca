// Values from the points of one grid to those of another of the same blocks.
#pragma once

#include <vector>

#include "problems/sbp_sat/grid.hpp"

namespace gwrm::sbp {

// On every block by polynomials through `width` points along each dimension; a block's own values alone.
std::vector<double> interpolated(const Grid& from, const Grid& to, const std::vector<double>& values, int width);

}  // namespace gwrm::sbp
