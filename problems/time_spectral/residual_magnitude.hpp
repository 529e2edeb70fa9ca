// What a residual is small against.
#pragma once

#include "expression/lowering.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// The magnitudes of its data, and of each unknown or derivative times its coefficient in the linearised equation, also
// inside integrals. (Sums of whole terms would not do: exp(x)*(dx(u) - u) is one term.)
expression::Expr magnitude_of(expression::Pool& pool, const Model& model, expression::Expr residual);

}  // namespace gwrm
