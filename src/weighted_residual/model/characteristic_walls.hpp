// Equations that take no condition along an axis because nothing enters through its ends.
//
// Rule      an equation of first order along the axis, d_t u + c d_x u + (no other derivative of leading order) = ...,
//           carries u with the speed c. It takes a condition at each end where c points inward. Jacobi's number
//           (condition_count.hpp) counts one. Where c, with the conditions of the other unknowns inserted, points
//           inward at neither end (the density of a gas between walls with u = 0, a scalar in a flow that stops at both
//           walls), the equation itself holds at the end, and closes the series: d_t u + c d_x u = .. at x = lower
//           replaces the highest mode.
// Derivatives of leading order: those of another unknown g that are as high as the order that g is assigned.
// Source    H.-O. Kreiss and J. Lorenz, Initial-Boundary Value Problems and the Navier-Stokes Equations (1989), ch. 7:
//           as many conditions as characteristics enter; none where the boundary is characteristic.
#pragma once

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Where fewer conditions are given along an axis than the orders of the equations ask for, adds the equations that hold
// at the end (ConditionModel::equation_at_end), those of unknowns without a condition of their own first. After
// find_equation_orders(), before match_conditions().
void add_equations_at_characteristic_walls(Model& model);

// Whether an equation holds at an end of this axis, by the program or as a condition of the case. Such an axis is not
// divided by the program: a subdomain gives up a mode for each edge through which something enters, which varies with
// the sign of c, while all give up one.
bool is_closed_by_equation(const Model& model, int axis);

}  // namespace gwrm
