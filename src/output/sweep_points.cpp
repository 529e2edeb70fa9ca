#include "output/sweep_points.hpp"

namespace gwrm {

std::size_t SweepPoints::n_runs() const {
  std::size_t n = 1;
  for (const SweptDimension& dimension : dimensions) n *= dimension.size();
  return n;
}

std::vector<std::size_t> SweepPoints::extents() const {
  std::vector<std::size_t> extents;
  for (const SweptDimension& dimension : dimensions) extents.push_back(dimension.size());
  return extents;
}

std::vector<std::pair<std::string, std::string>> SweepPoints::values_of(std::size_t run) const {
  std::vector<std::size_t> place(dimensions.size());
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    place[d] = run % dimensions[d].size();
    run /= dimensions[d].size();
  }
  std::vector<std::pair<std::string, std::string>> values;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    for (const SweptKey& key : dimensions[d].keys) values.emplace_back(key.key, key.values[place[d]]);
  return values;
}

std::string SweepPoints::text_of(std::size_t run) const {
  std::string text;
  for (const auto& [key, value] : values_of(run)) text += (text.empty() ? "" : ", ") + key + " = " + value;
  return text;
}

}  // namespace gwrm
