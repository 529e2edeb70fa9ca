// What initial values ask of the degrees on several axes of space.
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm {

// Whether some condition holds a derivative along the axis that it closes: periodic ones of equations of second order.
// Projected initial values miss such a condition by the square of the degree times their tail.
bool has_derivative_conditions(const Model& model);

// Whether values are given at all ends of all axes: neither derivatives nor periods. What happens inside is then tied
// to data that are known; around a period nothing keeps fronts from steepening.
bool keeps_its_values_on_walls(const Model& model);

// The least degrees that resolve these states (of all parameter points, on `subdomains`), where those have become
// larger than the starting ones: the first degrees are found by doubling.
void shorten(const Model& model, const std::vector<State>& states, double tolerance,
             std::vector<AxisDescription>& subdomains);

}  // namespace gwrm
