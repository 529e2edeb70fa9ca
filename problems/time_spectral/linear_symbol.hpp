// How a jump goes on: the eigenvalues of the linearised equations for waves exp(i k z) along one axis, with their
// coefficients frozen at one point,
//     sum_m M_m(k) lambda^m v = 0,   M_m from the Frechet derivative of the equations, dt -> lambda, d/dz -> i k.
//
// k is 1e4 over the axis's length, lambda is compared with sqrt(1e4) over the time of the run: what is slower hardly
// changes in space. Of the faster ones
//   parabolic  Re lambda < -0.1 |lambda| for all of them: jumps are smoothed at once
//   travels    some have Re lambda >= -0.1 |lambda|: jumps are carried along, or grow
//   still      there are none: jumps stay where they are
// Unknowns without the axis, values at fixed places and integrals are no part of a wave.
#pragma once

#include <optional>
#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

enum class JumpBehaviour { parabolic, travels, still };

struct LinearSymbol {
  JumpBehaviour behaviour = JumpBehaviour::still;
  // Of a parabolic one, of the fastest wave at the largest k: |Re lambda| = diffusivity k^order, units
  // length^order/time; |Im lambda| = speed k.
  double diffusivity = 0.0, order = 0.0, speed = 0.0;
};

// values: an expression of the coordinates for each unknown, in whose place it stands in the coefficients. point: one
// coordinate for each axis of the model, with parameters. Nothing where a coefficient is not finite there, holds an
// integral, or the equations leave lambda undetermined.
std::optional<LinearSymbol> linear_symbol(const Model& model, int axis, const std::vector<expression::Expr>& values,
                                          const std::vector<double>& point);

// The value of an expression without unknowns at one point; nothing where it holds an integral.
std::optional<double> value_at(const expression::Pool& pool, expression::Expr lowered,
                               const std::vector<double>& point);

}  // namespace gwrm
