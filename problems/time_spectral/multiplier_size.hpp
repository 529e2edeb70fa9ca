// How large a multiplier may be in a window: so large that its derivative balances how the other unknowns change.
//
//     g d^n(p)/dx^n = c d^m(u)/dt^m    ->    |p| <= |c/g| l^n/h^m |u|
//
// l the length of the domain, h that of the window. Rounding of u makes as much in p times its own share: relative to
// |p| itself, which may be far smaller, as in flow along walls, it is no truncation.
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

struct SizeOfMultiplier {
  int field = -1;
  int time_order = 0;   // m
  double factor = 0.0;  // the largest |c/g| l^n of the equations that hold its derivative with a constant factor
};

// Of every multiplier in an equation with a derivative in time.
std::vector<SizeOfMultiplier> sizes_of_multipliers(const Model& model);

}  // namespace gwrm
