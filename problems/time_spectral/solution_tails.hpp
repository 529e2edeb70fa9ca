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

}  // namespace gwrm
