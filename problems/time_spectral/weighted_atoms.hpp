// What a linearised equation multiplies its unknowns and derivatives by.
#pragma once

#include <vector>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

struct WeightedAtom {
  expression::Expr weight = nullptr;  // the magnitude of the coefficient
  expression::Atom atom;
};

// Every atom of `linear`, also those under integrals; there the weight is integrated.
std::vector<WeightedAtom> weighted_atoms(expression::Pool& pool, expression::LinearExpr linear);

// What a residual is small against: the magnitudes of its data, and of each unknown or derivative times its coefficient
// in the linearised equation, also inside integrals. (Sums of whole terms would not do: exp(x)*(dx(u) - u) is one
// term.)
expression::Expr magnitude_of(expression::Pool& pool, const Model& model, expression::Expr residual);

}  // namespace gwrm
