// The modes along an axis that the conditions on it determine: where these conditions stand in place of the equation.
//
// They are the highest modes on which the conditions are independent: for Dirichlet, Neumann and Robin data the m
// highest, but T_L(1) - T_L(-1) = 0 for even L, so that one periodic condition determines mode L - 1 there. (With mode
// L given up instead, a product T_L(x) T_L(y) in two periodic directions would be seen by no equation and no
// condition.)
#pragma once

#include <vector>

#include "core/matrix.hpp"
#include "system/model.hpp"

namespace gwrm {

// The modes of 0..degree that the conditions along `axis` in place of rows of `equation` leave free, ascending:
// degree + 1 - order of them.
std::vector<Index> free_modes(const Model& model, int equation, int axis);

}  // namespace gwrm
