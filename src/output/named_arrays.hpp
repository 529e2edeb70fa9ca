// Arrays of a module's own in the result file: a group beside the general ones, its dimensions with coordinates, so
// that xarray opens it as a data set of its own.
#pragma once

#include <optional>
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

// Attribute of a group that says what the dimensions r, theta, phi of the sampled fields are.
inline constexpr const char* kSpherical = "spherical";

struct ArrayGroup {
  std::string name;  // of the group in the file
  TextAttributes attributes;
  std::vector<NamedDimension> dimensions;
  std::vector<NamedArray> arrays;

  const NamedArray* find(const std::string& array) const;              // null: not there
  const NamedDimension* find_dimension(const std::string& one) const;  // null: not there
};

// Of a result file, with the attribute `normalisation` of the group and of its arrays where they have one; nothing
// where the file has no such group. OutputError for anything that is not a complete gwrm file, like read_hdf5(); sizes
// are checked before anything is allocated.
std::optional<ArrayGroup> read_array_group(const std::string& path, const std::string& group);

}  // namespace gwrm
