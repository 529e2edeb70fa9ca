// The names of a case that has been read so far, and values along its dimensions: helpers of several sections.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {

std::vector<std::string> axis_names(const Case& result);
std::vector<std::string> unknown_names(const Case& result);
AxisCase& axis_case(Case& result, const Marked& name);  // by name; CaseError with suggestions

// `value` if it is inside the axis, the end if it is one but for rounding (1e-12 of the length), else CaseError.
double coordinate_on(const Axis& axis, double value, const YamlNode& node);

// Expressions by unknown, as `exact` and `guess`; CaseError for a name that is no unknown.
void read_expressions_of_unknowns(const CaseTree& file, const std::string& section, Case& result,
                                  std::vector<NamedExpression>& into);

}  // namespace gwrm::casefile
