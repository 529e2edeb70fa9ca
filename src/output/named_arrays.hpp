// Arrays of a module's own in the result file: a group beside the general ones, its dimensions with coordinates, so
// that xarray opens it as a data set of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gwrm {

using TextAttributes = std::vector<std::pair<std::string, std::string>>;

struct NamedDimension {
  std::string name, long_name;
  std::vector<double> points;
};

struct NamedArray {
  std::string name;
  std::vector<std::string> dimensions;  // names; the last runs fastest
  std::vector<double> values;
  TextAttributes attributes;
};

struct ArrayGroup {
  std::string name;  // of the group in the file
  TextAttributes attributes;
  std::vector<NamedDimension> dimensions;
  std::vector<NamedArray> arrays;
};

}  // namespace gwrm
