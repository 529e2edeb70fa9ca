// The times that an expression looks at besides the one it is evaluated at.
#pragma once

#include <vector>

#include "expression/expression.hpp"

namespace gwrm {

struct TimeReach {
  bool whole = false;         // integral(..., t)
  std::vector<double> times;  // u(t=0)
  bool none() const { return !whole && times.empty(); }
};

// `e` is lowered; `time` is the axis of time or -1.
TimeReach time_reach(const expression::Pool& pool, expression::Expr e, int time);

}  // namespace gwrm
