// Calls of sin, cos and exp with an argument that is affine in the coordinate. At equally spaced points they follow
// from few of their values by the addition theorems, for one or two operations each.
#pragma once

#include <cstddef>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// function(slope * coordinate + offset)
struct AffineCall {
  Expr call = nullptr;
  Function function = Function::sin;
  double slope = 0.0, offset = 0.0;
};

// Those in `e`, a lowered function of one coordinate, each once: the first `most` of them with |slope| <= steepest.
std::vector<AffineCall> affine_calls(Expr e, std::size_t most, double steepest);

}  // namespace gwrm::expression
