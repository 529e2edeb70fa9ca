// The orders of a model's equations along each axis, and how many conditions they take (condition_count.hpp).
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Highest derivative of each unknown along an axis that acts at the points of that axis: not restricted, not integrated
// away. kAbsent for an unknown that does not appear so.
std::vector<int> local_orders(const Model& model, expression::Expr residual, int axis);

// Fills EquationModel::orders, n_conditions, closing_fields and evolves: whether the row of each mode along the axis
// holds that mode of the equation's own unknown undifferentiated along it and differentiated in time or along another
// axis, or with an eigenvalue, or holds no derivative of it along the axis. A multiplier and its constraint
// (multipliers.hpp) are left out of the count: neither takes conditions.
void find_equation_orders(Model& model);

}  // namespace gwrm
