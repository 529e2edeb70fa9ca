// What the series of a finished answer end with.
#pragma once

#include <cstddef>
#include <optional>

#include "output/solution.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// The largest of the last two coefficients of a field along its axis d, in any subdomain and window, as it is (not
// relative to anything); none if there are too few coefficients to have a tail.
std::optional<double> tail_of(const Model& model, const Solution& solution, int field, std::size_t d);

// An unknown this much smaller than the largest one is zero but for rounding, as the pressure of a flow along walls: it
// is measured by the others, and its series need not decay.
bool is_zero_to_rounding(double size, double largest);

}  // namespace gwrm
