// Lagrange multipliers in a system: unknowns that are there to keep a constraint, as pressure keeps div u = 0.
//
// Rule      (constraint c, unknown m) are such a pair if c holds no time derivative and the system none of m; c holds m
//           undifferentiated or not at all, and differentiates other unknowns; m is differentiated in another equation;
//           and along every bounded axis Jacobi's number (condition_count.hpp) of the system is that of the system
//           without c and m: they ask for no conditions of their own. That is so of the pressure of incompressible
//           flow, steady or not, of nearly incompressible elasticity, of what keeps div b = 0; not of Darcy's law, of
//           the flux of first-order heat conduction, of the pressure of inviscid flow between walls. In a box that is
//           periodic along all axes there are no conditions to count, and what matters is the mean alone: there m is
//           one if it occurs only differentiated, so is everything in c, and m has the highest derivative of no
//           equation.
// Degrees   along a bounded axis m has as many modes less as the equations that hold its derivatives give up, two for
//           the pressure: with equal degrees some of its highest modes are fixed by nothing, with one less T_(N-1)
//           still is not (Bernardi and Maday 1992; Canuto, Hussaini, Quarteroni, Zang: P_N x P_(N-2)). c is tested on
//           as many.
// Mean      where m occurs only differentiated, in conditions too, a constant is free: its mean is set to zero, in
// place of
//           the row of c for coefficient 0 along all axes, which the others imply. A condition of the user's that
//           holds nothing but m at one point, or its mean, takes the same row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Fills Model::multipliers, and the field of their constraints. Before conditions are read.
void find_multipliers(Model& model);

// The multiplier of which a condition fixes the mean, or the value at one point; null: it is another condition. lost:
// the axes that the condition's value has lost.
const Multiplier* multiplier_fixed_by(const Model& model, const ConditionModel& condition,
                                      const std::vector<int>& lost);

// "integral(integral(p, x), y) = 0" of each multiplier whose mean nothing fixes: the conditions to be added. After
// the user's have been read.
std::vector<SourceText> missing_gauges(const Model& model);

// Fills FieldModel::n_lower of the multipliers. After equations have been given their conditions.
void lower_degrees(Model& model);

// The multiplier of which this equation holds a derivative along the axis; -1: there is none. Across the edges of
// subdomains it is continuous in place of the highest derivative of the equation's own unknown.
int multiplier_differentiated_in(const Model& model, int equation, int axis);

// Whether a condition, as that of a free side of an elastic body, mu*(dy(u) + dx(v))(y=0) = 0, holds a derivative along
// its side.
bool holds_tangential_derivative(const expression::Pool& pool, const ConditionModel& condition);

// Fills EquationModel::corner_ranks: the place of the axis, but axes along which a condition or the continuity at inner
// edges holds a multiplier, which has no numbers for the highest modes along the others, come first, and axes with more
// conditions that hold derivatives along their sides come last. (On modes of the side but the highest such a condition
// would hold up to combinations of these that nothing fixes where the side meets one with given values: over a few
// subdomains they grow to any size.) After conditions have been matched.
void rank_corners(Model& model);

// Whether a multiplier is lower along this axis and along another.
bool is_lower_beside_another(const Model& model, int axis);

// Whether two or more of such axes are divided. Where four subdomains meet the jumps of p across the four edges add up
// to zero whatever p is: one of the rows that say so depends on the others, and one mode of p and the velocities is
// fixed by nothing (a nullity of 2 with even degrees, a singular value of 1e-8 with odd ones). There the normal stress
// p + k/g dx(u) is continuous in place of p: dx(u) is so by the constraint, up to truncation.
bool has_cross_points(const Model& model, const std::vector<AxisDescription>& subdomains);

// k/g of an equation with the terms g dx(p) and k dx(u,2), u its own unknown and p the multiplier in it, both constant:
// minus the viscosity. Nothing: they are not.
std::optional<double> stress_factor(const Model& model, int equation, int axis);

// "the multiplier of equation 3: two degrees lower along y, mean zero"
std::string describe(const Model& model, const Multiplier& multiplier);

// The multiplier that this unknown is, or null.
const Multiplier* multiplier_of(const Model& model, int field);

// Whether an unknown without dt is there to keep a constraint: a multiplier, or one whose own equation holds neither it
// nor a time derivative, but an unknown whose dt(u) it drives: the pressure gradient G(t) of a given flow rate,
// integral(u, y) = Q. Such unknowns follow from dt of the constraint (index 2).
bool is_fixed_by_constraint(const Model& model, int field);

}  // namespace gwrm
