// By how much the acceleration that the equations give a state slips along the walls, and how fast the state changes.
//
// Flow      At a time t the pressure is that of the Neumann problem for the state u (rates_at.hpp). Its gradient takes
//           the normal acceleration at a wall, not the tangential one: along the wall the fluid would accelerate by
//               a_s = (F(u) - grad P(u))_t - dg/dt
//           against the condition u = g. The layer that keeps it at rest grows like u = -4 a_s t i2erfc(d / 2 sqrt(nu
//           t)), and moves p like sqrt(nu t) ds(a_s): continuous, with an infinite rate. States that an earlier part of
//           the run has led to have a_s = 0; initial values have it by chance.
// Found     as the residual at the wall of the equation whose highest modes the condition replaces, with dt(u) and the
//           unknowns that keep constraints from rates_at(). (The Neumann problem gives the same, 8 digits with 12
//           modes.) Not for the component normal to the wall, nor for conditions that hold derivatives.
// Source    docs/numerics.md 6.
#pragma once

#include <string>
#include <vector>

#include "core/context.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/system_plan.hpp"
#include "weighted_residual/window/field_layout.hpp"

namespace gwrm {

struct WallSlip {
  // Per unknown, the largest magnitudes:
  std::vector<double> slip;    // a_s at its walls, units u/t; 0 without such walls
  std::vector<double> rates;   // of dt(u), units u/t; 0 of others
  std::vector<double> values;  // of u, or of what keeps a constraint at t
  std::vector<bool> driven;    // its equation holds an unknown that keeps a constraint
  // A wall along which an unknown slips.
  struct Layer {
    int field = -1, axis = -1;
    bool is_upper = false;
    double curvature = 0.0;  // largest a_s/nu there, units u/length^2
  };
  std::vector<Layer> layers;
  std::string where;  // of the largest slip of a driven unknown: "y = 1"; empty: there is none
};

// The unknowns that keep constraints (is_fixed_by_constraint()); empty: none, or a system of another kind.
std::vector<bool> constrained_unknowns(const Model& model);

// Whether an unknown that one of those drives has a value given at a wall, along it.
bool may_slip(const Model& model, const std::vector<bool>& constrained);

// state: at t, on the subdomains; length: of the window that would start there. All slips zero where the rates are not
// found: no constrained_unknowns(), time orders above 1, no linear solver for them.
WallSlip wall_slip(const Context& context, const Model& model, const SystemPlan& plan,
                   const std::vector<AxisDescription>& subdomains, const std::vector<double>& parameter_values,
                   double t, double length, const State& state);

}  // namespace gwrm
