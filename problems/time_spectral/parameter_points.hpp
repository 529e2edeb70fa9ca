// The collocation points of the parameters solved point by point, and the way back to one polynomial.
#pragma once

#include <vector>

#include "output/solution.hpp"
#include "system/model.hpp"

namespace gwrm {

// Every combination of the M + 1 Gauss points of each collocated parameter, the last parameter fastest: one value per
// axis of the model each (only the collocated ones are set). One empty-handed point if there are none.
std::vector<std::vector<double>> parameter_points(const Model& model);

// Solutions at all points (per point, per window, per field) -> coefficients in the parameters too. The first
// `n_windows` windows are taken.
Solution assemble_solution(const Model& model, const std::vector<std::vector<std::vector<Array>>>& points,
                           std::size_t n_windows);

}  // namespace gwrm
