// The analytic Jacobian against differences of the residual, at random fields: J(x) v and (F(x + h v) - F(x - h v)) /
// 2h.
#pragma once

#include <vector>

#include "core/context.hpp"
#include "output/report.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {

// One check ("jacobian") for each equation, condition and set of continuity conditions of the first window: the largest
// difference over its rows, relative to the largest |J v| there, for the worst of several random directions v at the
// best of several steps h. Fields: the start of Newton's iteration plus random coefficients. Not finite where the
// residual is not.
std::vector<Check> check_jacobian(const Context& context, const Model& model, const SystemPlan& plan,
                                  const std::vector<double>& parameter_point);

}  // namespace gwrm
