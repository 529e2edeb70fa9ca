// Means of the coefficients of a shared window over time and space, from the planes that the ranks have.
//
// Formula   over all axes, or all but one, with the weights of the quadrature, in time of its nodes: those of
//           coefficient_means(time_averages(..)) (tensor_operators.hpp, averaged_rows.hpp), to rounding.
// Bits      means of planes, gathered and added in the order of the planes: those of any number of ranks.
// Exchange  a number for each coefficient and plane, or one for each point along the axis where it lies in the planes.
#pragma once

#include <vector>

#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

// By all ranks. axis: -1, or the one along which they keep their profile. Of each coefficient of the linearised rows,
// one number where it does not vary along the axis.
std::vector<Vector> shared_means(const WindowSystem& system, const SharedWindow& window,
                                 const SharedLinearisation& at_x, Communicator& ranks, int axis);

}  // namespace gwrm
