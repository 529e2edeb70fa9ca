// Axes of Chebyshev series on which every unknown is periodic by its conditions: a Fourier series needs 2/pi of the
// coefficients there, no conditions and a cheaper solver.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// For `gwrm check`: a line for each axis whose conditions say nothing but that all unknowns and their derivatives below
// the order of the equations are the same at both ends, and on which the case holds with `basis: fourier`; with the
// text to write. {name, text}
std::vector<std::pair<std::string, std::string>> fourier_advice(const Case& the_case, const Model& model);

}  // namespace gwrm
