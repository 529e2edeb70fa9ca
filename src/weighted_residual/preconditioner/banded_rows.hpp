// The Jacobian of a window of one axis of space as a banded matrix with a dense border: what banded_factors.cpp
// factors.
//
// A term c(t, x) d^j u/dx^j of an equation in banded form is, with the coefficients c(t_i, .) series of low degree d,
// the banded operator of basis/banded_form.hpp at each time node, times the matrix that gives the values of the term's
// time derivative at the nodes (Discretisation::time_trial): half-widths of about (m + d) fields K.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/linear_algebra/banded_lu.hpp"
#include "weighted_residual/preconditioner/banded_layout.hpp"

namespace gwrm {

// The highest degree along the axis that a coefficient of an equation may have.
inline constexpr int kHighestCoefficientDegree = 24;

// Why the Jacobian of these equations has no such form, their coefficients not looked at; empty if it has.
std::string banded_unsupported_reason(const Model& model, const SystemPlan& plan,
                                      const std::vector<AxisDescription>& subdomains);

// The highest degree along the axis of a coefficient in the equations, as a few points show it (the parameters in the
// middle of their ranges, t over the whole time); nothing if one is above kHighestCoefficientDegree. Only where there
// does not count against it.
std::optional<int> coefficient_degree(const Model& model, const SystemPlan& plan,
                                      const std::vector<AxisDescription>& subdomains);

// One term of a condition: time (K x K) times the values `modes . (modes of the field)` at each node.
struct BandedConditionTerm {
  Index first = 0;  // the condition at the first node
  int field = 0;
  RowVector modes;
  Matrix time;
};

struct BandedRows {
  BandedMatrix core{0, 0, 0};
  Matrix border;  // the first rows of the core (the others are zero) x border_size
  std::vector<BandedConditionTerm> conditions;
};

// Nothing if a coefficient is not of low degree (or not finite) at the points of this window.
std::optional<BandedRows> banded_rows(const WindowSystem& system, const BandedLayout& layout,
                                      const Linearisation& linearisation);

}  // namespace gwrm
