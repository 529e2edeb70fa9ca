// Conditions at inner edges of subdomains, where data jump or the case says what holds: they take the place of the
// continuity of an unknown or of one of its derivatives there (window_system.hpp).
//
// Given    a condition with one-sided values, c(x=0.5-) = 4*c(x=0.5+). Of the equation that its unknown closes it takes
//          the place of the continuity of the lowest derivative that it holds: u itself, if it holds u. An equation of
//          order m has m such places at every edge; those not taken are as everywhere else.
// Fluxes   where `step` or `sign` under an outer derivative of an equation switches, by an argument of that axis only:
//          the flux there is continuous (expression/outer_flux.hpp) instead of the highest derivative.
#pragma once

#include <optional>

#include "expression/parser.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Where a condition, as written, holds one-sided values along its axis; none if it holds none. CaseError for several
// places.
std::optional<double> inner_edge_of(const Model& model, const ConditionModel& condition);

// Fills ConditionModel::equation and order of the given ones, adds those of fluxes, and puts edges of Model::subdomains
// on all of them and on every other one-sided point of the equations. After match_conditions(). CaseError where the
// axis cannot be divided, or an equation has no place left.
void add_inner_conditions(Model& model);

// A flux with a coefficient that jumps can be differentiated where the place of the jump is known: an equation then has
// an edge there, across which the flux is continuous. Elsewhere the product rule would leave out
// the jump. A CaseError names it there.
void check_jumps(const Model& model, const expression::Equation& parsed, const SourceText& text, bool is_equation);

}  // namespace gwrm
