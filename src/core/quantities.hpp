// What the quantities of a case are called and measured in, for the attributes of files and for figures.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gwrm {

struct Quantities {
  using Texts = std::vector<std::pair<std::string, std::string>>;  // by the name of a dimension, an unknown or a field
  Texts units, labels;

  // "1" in a case without units, where all is dimensionless; empty where the case has units and none for this name.
  std::string unit_of(const std::string& name) const;
  // Empty: none.
  std::string label_of(const std::string& name) const;
};

}  // namespace gwrm
