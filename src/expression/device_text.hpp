// An expression as statements of C++, for compilation at run time on a device.
#pragma once

#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// `e` is lowered and holds no unknown: numbers, coordinates, operators and calls. The result is the body of a function
// of the coordinates, doubles under their own names with an underscore behind them, that returns the value. Shared
// subexpressions are computed once; numbers are written with all their digits. Powers with small whole exponents are
// products, as on the CPU. Values of `given` are left to the caller, who declares them before as a0, a1, ..
std::string device_text(Expr e, const std::vector<Expr>& given = {});

}  // namespace gwrm::expression
