// Calls of sin, cos and exp with an argument that is affine in the coordinate. At equally spaced points they follow
// from few of their values by the addition theorems, for one or two operations each.
#pragma once

#include <cstddef>
#include <optional>
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

// constant + sum of factors[k] times variable k
struct LinearForm {
  double constant = 0.0;
  std::vector<double> factors;
};

// `e` as a sum of multiples of the calls and a constant; nothing where it is more than that.
std::optional<LinearForm> sum_of_calls(Expr e, const std::vector<AffineCall>& calls);

}  // namespace gwrm::expression
