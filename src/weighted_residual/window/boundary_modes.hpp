// The modes along an axis that the conditions on it determine: there they replace rows of the equations.
//
// Rule      an equation that takes m conditions along the axis gives up the rows of m modes on every subdomain, the
//           highest ones. That is the tau method, and right for every boundary-value problem. Where the equation's own
//           unknown evolves (in time, along other axes, or with an eigenvalue), what it gives up must be determined by
//           the conditions alone: the joint matrix of conditions and continuity at the inner edges against the modes
//           given up, field by field, has to be regular. u(x=0) = u(x=1) does not hold mode L of even L: L - 1 is given
//           up. In a ring of two, u(x=1) = v(x=0) and v(x=1) = u(x=0), modes L of u and L - 1 of v; a chain,
//           v(x=0) = u(x=1) and u(x=0) = 0, keeps L in both.
// Choice    fields one after the other, each the highest mode whose column is independent of those before it
//           (Gram-Schmidt). Conditions that hold no mode of the unknown (no slip by the stream function, for the
//           vorticity) leave the highest.
// Cost      G^3 at most, G the modes given up by all equations that conditions tie together; none where they are not
//           tied into a ring, or nothing evolves.
// Source    measured in the project: spectra of the chains, rings, periodic and antiperiodic problems have real parts
//           below 4e-14 (tests/weighted_residual/boundary_modes_test.cpp).
#pragma once

#include <vector>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {

// The modes that the conditions along `axis` leave to each equation of the model, ascending, as indices among the
// coefficients of `basis`. An equation that takes no condition there has all.
std::vector<std::vector<Index>> interior_modes(const Model& model, const SystemPlan& plan, int axis,
                                               const AxisBasis& basis);

}  // namespace gwrm
