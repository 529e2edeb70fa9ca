// What stands behind --vary: the values of one key.
//
//   KEY=24,32              a list; [..] around values that are lists themselves
//   KEY=0.01:0.1:10        10 equidistant values from end to end
//   KEY=0.01:1:20:log      equidistant in the logarithm
//   KEY=normal(8,0.1)      samples of a distribution (distribution.hpp)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/yaml_document.hpp"
#include "output/sweep_points.hpp"
#include "problems/sweep/distribution.hpp"

namespace gwrm {

struct SweptValues {
  std::string key;
  std::vector<std::string> values;  // as YAML text; none of a distribution
  std::optional<Distribution> distribution;
};

// CaseError for what is none of these.
SweptValues parse_swept_values(const std::string& argument);

// The text of a value of a list or a map, which reads back to it: 24, dense, "sin(pi*x)", [0, 0.5, 1].
std::string swept_value_text(const casefile::YamlNode& node);

// The shortest text that reads back to the same number.
std::string number_text(double value);

}  // namespace gwrm
