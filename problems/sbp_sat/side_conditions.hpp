// The list `boundary` of a case as one condition for each of the four sides.
//
// A condition is an equation at one end of one dimension, linear in the unknown u, its first derivatives and `flux`,
// the outward flux n.C grad u:   u(x=0) = sin(y)   dx(u)(x=1) + 2*u(x=1) = y   flux(r=2) = 0 Derivatives must form the
// flux (on rectangles: a multiple of C's row), as there is no condition for any other.
#pragma once

#include <array>
#include <vector>

#include "problems/sbp_sat/grid.hpp"
#include "problems/sbp_sat/point_expressions.hpp"

namespace gwrm::sbp {

// sum of the terms = known:  value u + slow u_slow + fast u_fast + flux = known
struct SideCondition {
  Side side;
  SourceText text;
  bool has_derivatives = false, has_flux = false;
  expression::Expr residual = nullptr;  // left - right, lowered

  ConditionKind kind() const { return has_derivatives || has_flux ? ConditionKind::flux : ConditionKind::dirichlet; }
};

// In the order slow lower, slow upper, fast lower, fast upper. CaseError for all that does not fit, a side without
// condition or with two among it.
std::vector<SideCondition> read_side_conditions(const Case& the_case, const PointExpressions& expressions);

// The coefficients of a condition at the points of (a part of) its side.
struct ConditionValues {
  std::vector<double> value, slow, fast, flux, known;
};
ConditionValues condition_values(const PointExpressions& expressions, const SideCondition& condition,
                                 const Points& points);

}  // namespace gwrm::sbp
