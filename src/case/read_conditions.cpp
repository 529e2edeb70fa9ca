// boundary, exact: expressions of a case, kept as text with their places.
#include "case/dimensions.hpp"
#include "case/sections.hpp"

namespace gwrm::casefile {

void read_conditions(const CaseTree& file, Case& result) {
  for (const YamlNode& node : items_at(file.root, "boundary")) result.boundary.push_back(node.mark.where());
  read_expressions_of_unknowns(file, "exact", result, result.exact);
}

}  // namespace gwrm::casefile
