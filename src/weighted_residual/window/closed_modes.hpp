// The modes along an axis that the conditions on it determine: where these conditions stand in place of the equation.
//
// They are the highest modes on which the conditions are independent: for Dirichlet, Neumann and Robin data the m
// highest, but T_L(1) - T_L(-1) = 0 for even L, so that one periodic condition determines mode L - 1 there. (With mode
// L given up instead, a product T_L(x) T_L(y) in two periodic directions would be seen by no equation and no
// condition.) On an axis divided into subdomains the continuity at the inner edges counts among the conditions, and
// every subdomain gives up m modes.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {

// The modes that the conditions along `axis` in place of rows of `equation` leave free, ascending, as indices among the
// coefficients of `pieces`: (degree + 1 - order) per piece.
std::vector<Index> free_modes(const Model& model, const SystemPlan& plan, int equation, int axis,
                              const AxisPieces& pieces);

}  // namespace gwrm
