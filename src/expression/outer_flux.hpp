// What is continuous where the data of an equation jump along an axis: the fluxes under its outer derivatives.
//
// An equation a dx(F) + .. = 0 holds across a jump at z as one of distributions: F may not jump there, [F] = 0, for the
// derivative of a jump is a delta that nothing balances. With several terms w_i dx^k_i(F_i), w_i what stands outside,
// the coefficients of delta and its derivatives vanish:
//
//   [G_p] = 0, G_p = sum over k_i > p of w_i dx^(k_i - 1 - p)(F_i),   p = 0 .. max k_i - 1.
//
// dx(k*dx(u)) has G_0 = k dx(u); dx(E*dx(u,2), 2) has G_0 = dx(E u''), G_1 = E u''; dx(u,2) = u + dx(step(x)) has G_0 =
// dx(u) - step(x), so that dx(u) jumps by 1. A derivative inside a flux that holds a jump itself, as in dx(D*dx(c/K)),
// is finite where its argument is continuous: the next G_p. Source: the jump conditions of conservation laws in weak
// form (Rankine and Hugoniot, at rest).
#pragma once

#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// At one place of the axis: fluxes[p] = G_p as written (not lowered), from both sides.
struct ContinuousFluxes {
  double place = 0.0;
  std::vector<Expr> fluxes;
};

// Those of the equation left = right, ascending by place; none where nothing that jumps is differentiated along the
// axis. continuous: per field the highest derivative along the axis that does not jump there (-1: none).
// CaseError, without a place in the file, where the jump of a product is not defined: dx(k)*dx(u) with a k that jumps.
std::vector<ContinuousFluxes> continuous_fluxes(Pool& pool, Expr left, Expr right, int axis,
                                                const std::vector<int>& continuous);

}  // namespace gwrm::expression
