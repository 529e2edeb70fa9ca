// A condition that holds a multiplier alone, as p(x=1) = 0 at an outflow, takes modes of the equation of a velocity u
// of which it says nothing: the operators of u by itself (tensor_factors.cpp) lack a row there.
//
// Formula   with g dx(p) and k dx(u,2) in the equation, g p + k dx(u) is the flux of momentum, and for the
// preconditioner
//           a p = b is the natural condition of Stokes flow,
//             a p + (a k/g) dx(u) = b.
// Error     of rank one for each mode along the wall. Where the tangential velocity is given there, too, the constraint
//           has dx(u) vanish but for truncation, and so does the error; else it is bounded, the viscous part of the
//           traction being smaller than all of it. S(z) is applied with that row, too (spatial_factors.hpp), which is
//           what its inverse is of; for the z of a short step (instantaneous_factors.hpp) it is smaller than round-off.
#pragma once

#include <optional>

#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {

struct NaturalTerm {
  RowTerm term;         // dx(u) at the same place
  double factor = 1.0;  // a k/g, without the row's scale
};

// What is added to this row block of a condition along the axis; nothing where it is not of the form, or k vanishes.
std::optional<NaturalTerm> natural_term(const WindowSystem& system, const CoefficientMeans& means,
                                        const RowBlock& condition, int axis);

// Whether a condition holds nothing but a multiplier, as far as the model shows.
bool holds_multiplier_alone(const Model& model, const ConditionModel& condition);

}  // namespace gwrm
