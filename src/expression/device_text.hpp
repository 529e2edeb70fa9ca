// An expression as statements of C++, for compilation at run time on a device.
#pragma once

#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// `e` is lowered and holds no unknown: numbers, coordinates, operators and calls. The result is the body of a function
// of the coordinates, doubles under their own names with an underscore behind them, that returns the value. Shared
// subexpressions are computed once; numbers are written with all their digits. Powers with small whole exponents are
// products, as on the CPU.
std::string device_text(Expr e);

// sin, cos or exp of slope * coordinate + offset. At points that are equally spaced it follows from its value at one of
// them by the addition theorem, so that the caller may compute it for less than a call.
struct AffineCall {
  Function function = Function::sin;
  double slope = 0.0, offset = 0.0;
};

// The same of a function of one coordinate; up to `most` of its affine calls with |slope| <= steepest are left to the
// caller: the text calls their values a0, a1, .. in the order of `calls`.
std::string device_text(Expr e, std::size_t most, double steepest, std::vector<AffineCall>& calls);

}  // namespace gwrm::expression
