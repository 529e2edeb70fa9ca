// What a linearised equation multiplies its unknowns and derivatives by.
#pragma once

#include <vector>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"

namespace gwrm {

struct WeightedAtom {
  expression::Expr weight = nullptr;  // the magnitude of the coefficient
  expression::Atom atom;
};

// Every atom of `linear`, also those under integrals; there the weight is integrated.
std::vector<WeightedAtom> weighted_atoms(expression::Pool& pool, expression::LinearExpr linear);

}  // namespace gwrm
