// Whether a problem is parabolic: well posed by the form of its equations and the ends at which its conditions stand.
//
// In every equation  c dt(u) = sum over the axes of a_k d^{2m} u / dx_k^{2m} + terms of lower order  with (-1)^{m+1}
// a_k/c positive everywhere, m conditions on u at each end of each axis, and other unknowns under derivatives of lower
// order (Petrovsky's condition with a diagonal leading part). An equation without derivatives in space is an ODE at
// every point. All that is not of this form - waves, transport, systems coupled by their highest derivatives,
// coefficients that depend on the unknowns - may be well posed too, but is not known to be.
#pragma once

#include <optional>
#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Expressions of the coordinates that must be positive everywhere for the problem to be parabolic; nothing if it is not
// of the form above.
std::optional<std::vector<expression::Expr>> parabolic_coefficients(const Model& model);

}  // namespace gwrm
