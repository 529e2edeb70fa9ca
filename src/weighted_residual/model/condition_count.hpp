// How many conditions a system takes along an axis, and in place of which equations.
//
// Source: Jacobi's bound. With a_ef the highest derivative of unknown f in equation e along the axis, the order of the
// system is the largest sum of a_{e, s(e)} over all assignments s of unknowns to equations; equation e gives up a_{e,
// s(e)} modes. For one equation this is its order; in a system a derivative in one equation does not count twice if
// another equation fixes it (dt(u) = -dx(w), dx(w,2) = u takes two conditions, incompressible flow none for the
// pressure).
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm {

inline constexpr int kAbsent = -1;  // the unknown does not appear in the equation

struct AssignedOrder {
  int order = 0;  // of the equation in the best assignment
  int field =
      -1;  // the unknown it is assigned: the one that is continuous across subdomains, with order - 1 derivatives
};

// orders[e][f] -> the order of each equation in the best assignment. Among equals one that follows `preferred` (the
// unknown each equation stands for) is taken. An assignment may use an absent unknown only if there is no other way
// (counted as order 0).
std::vector<AssignedOrder> assigned_orders(const std::vector<std::vector<int>>& orders,
                                           const std::vector<int>& preferred);

}  // namespace gwrm
