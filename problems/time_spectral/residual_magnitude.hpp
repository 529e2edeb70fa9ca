// What a residual is small against.
#pragma once

#include "expression/lowering.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// The magnitudes of its data, and of each unknown or derivative times its coefficient in the linearised equation, also
// inside integrals. (Sums of whole terms would not do: exp(x)*(dx(u) - u) is one term.)
expression::Expr magnitude_of(expression::Pool& pool, const Model& model, expression::Expr residual);

// What its terms with constant coefficients are of unknowns of size 1 that vary over the whole domain: the sum of
// |c|/(l_1^m_1 l_2^m_2 ..), m the orders of a derivative, l the lengths of the axes. Where all terms vanish, as in the
// divergence of a flow along walls, their magnitudes are rounding, and a residual is small against this.
double magnitude_of_unit_fields(expression::Pool& pool, const Model& model, expression::Expr residual);

}  // namespace gwrm
