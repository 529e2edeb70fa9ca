// What `gwrm check` says of a parameter with a distribution, and how high its degree may be.
#pragma once

#include <string>

#include "basis/axis_description.hpp"

namespace gwrm {

// The highest degree of a parameter: `limit`, or less where its distribution has no ends.
int highest_degree(const AxisDescription& description, int limit);

// "normal(1, 0.1), Hermite polynomials to degree 8"; empty without a distribution.
std::string polynomials_text(const AxisDescription& description);

// "from 0.549 to 1.451; judged where all but 0.001 of the probability is, [0.671, 1.329]"; empty likewise.
std::string quadrature_text(const AxisDescription& description);

}  // namespace gwrm
