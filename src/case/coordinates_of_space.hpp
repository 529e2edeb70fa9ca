// Which dimensions are coordinates of space: x, y, z by their names; r, rho, theta, phi by their use.
#pragma once

#include <string>

#include "case/yaml_document.hpp"
#include "core/source_text.hpp"

namespace gwrm::casefile {

// Whether the expression differentiates along the axis, as dr(u) does, or holds at a point of it, as u(r=1).
bool uses_as_coordinate(const SourceText& text, const std::string& axis);

// Whether a dimension of this name is one of space: x, y and z always, r, rho, theta and phi where `equations`,
// `boundary` or `definitions` of the file use them as coordinates. All others are parameters, or time.
bool is_coordinate_of_space(const YamlNode& root, const std::string& axis);

}  // namespace gwrm::casefile
