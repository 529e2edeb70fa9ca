// The order of magnitude of an expression for unknowns of given sizes.
#pragma once

#include <vector>

#include "core/axis.hpp"
#include "expression/expression.hpp"

namespace gwrm {

// 1/(l_1^m_1 l_2^m_2 ..) of a derivative of orders m: what it makes of an unknown that varies over the whole domain.
double share_of_derivative(const std::vector<Axis>& axes, const std::vector<int>& orders);

// e: lowered. Sums of magnitudes, products, quotients; functions of their arguments' values at unknowns that are
// +sizes; coordinates at the share `place` of their axes; data at the end of its range that is farther from 0. Infinite
// where it is not known.
double magnitude_at_sizes(const expression::Pool& pool, const std::vector<Axis>& axes, expression::Expr e,
                          const std::vector<double>& sizes, double place);

}  // namespace gwrm
