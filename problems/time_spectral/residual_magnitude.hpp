// What a residual is small against.
#pragma once

#include <vector>

#include "expression/lowering.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// The magnitudes of its data, and of each unknown or derivative times its coefficient in the linearised equation, also
// inside integrals. (Sums of whole terms would not do: exp(x)*(dx(u) - u) is one term.)
expression::Expr magnitude_of(expression::Pool& pool, const Model& model, expression::Expr residual);

// The same of a condition, with each derivative of an unknown not at the condition's points but anywhere in the domain,
// times its coefficient there: what |D^m u| at a wall where it is zero is small against. No terms without derivatives.
expression::Expr magnitude_of_derivatives(expression::Pool& pool, const Model& model, expression::Expr residual);

// The same as magnitude_of() without the data, of unknowns of the given sizes that vary over the whole domain: a
// derivative of orders m is sizes[field]/(l_1^m_1 l_2^m_2 ..), l the lengths of the axes. With sizes that errors of the
// unknowns have it is the least that a residual can be small against: where all terms vanish, as in the divergence of a
// flow along walls, their magnitudes are errors as the residual is.
expression::Expr magnitude_of_sizes(expression::Pool& pool, const Model& model, expression::Expr residual,
                                    const std::vector<double>& sizes);

}  // namespace gwrm
