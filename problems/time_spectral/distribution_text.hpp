// What `gwrm check` says of a parameter with a distribution, and how high its degree may be.
#pragma once

#include <string>

#include "basis/axis_description.hpp"

namespace gwrm {

// The highest degree of a parameter: `limit`, or less where its distribution has no ends.
int highest_degree(const AxisDescription& description, int limit);

// " in [0, 1], degree 8 on each of 2 subdomains"; ", normal(1, 0.1), Hermite polynomials to degree 8".
std::string expansion_text(const Axis& axis, const AxisDescription& description);

// "; its points reach from 0.549 to 1.451; judged where all but 0.01 of the probability is, [0.742, 1.258]"; empty
// without a distribution.
std::string quadrature_text(const AxisDescription& description);

}  // namespace gwrm
