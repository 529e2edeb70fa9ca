// What equations and conditions are called in messages: by their number in the case file, and of an equation of vectors
// the component.
#pragma once

#include <string>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

std::string equation_name(const Model& model, std::size_t e);   // "equation 2", "equation 1, component x"
std::string condition_name(const Model& model, std::size_t c);  // "condition 2"

}  // namespace gwrm
