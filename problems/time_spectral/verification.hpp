// The verified answer: everything here is evaluated from the finished polynomials alone, at points that the solver did
// not use.
//
// residual   root mean square of left - right of each equation over that of the magnitudes of what it adds up
// tail       largest of the last two coefficients along an axis in any piece and window, relative to the field's
// largest
//            coefficient
// initial    error of each initial value; boundary: of each condition, both relative to the size of what they hold
// error_max, error_l2   against `exact`, relative to its maximum and L2 norm
// value      against the known values of the case, relative
#pragma once

#include "case/case.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"
#include "system/model.hpp"

namespace gwrm {

// The lowered expression of a known value; CaseError if its point leaves out a dimension it varies along.
expression::Expr known_value_expression(const Model& model, const ReferenceValue& reference);

Verification verify(const Case& problem, const Model& model, const Solution& solution);

}  // namespace gwrm
