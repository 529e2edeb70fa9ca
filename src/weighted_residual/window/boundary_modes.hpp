// The modes along an axis that the conditions on it determine: where these conditions stand in place of the equation.
//
// Which they are the basis says (AxisBasis::boundary_modes): of Chebyshev series the highest on which the conditions
// are independent. On an axis divided into subdomains the continuity at the inner edges counts among the conditions,
// and every subdomain gives up as many.
#pragma once

#include <vector>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {

// The modes that the conditions along `axis` in place of rows of `equation` leave to it, ascending, as indices among
// the coefficients of `basis`.
std::vector<Index> interior_modes(const Model& model, const SystemPlan& plan, int equation, int axis,
                                  const AxisBasis& basis);

}  // namespace gwrm
