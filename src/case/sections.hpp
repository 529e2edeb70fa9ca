// The sections of a case file, one reader each. The tree's shape has been checked (shape.hpp); each reader fills its
// members of the Case and relies on those filled before it, in the order of this list.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/yaml_document.hpp"

namespace gwrm::casefile {

inline constexpr int kMaxAxes = 8;

void read_constants(const YamlNode& root, Case& result);
void read_domain(const YamlNode& root, Case& result);
void read_unknowns(const YamlNode& root, Case& result);
void read_equations(const YamlNode& root, Case& result);  // and the boundary list
void read_initial(const YamlNode& root, Case& result);
void read_field_expressions(const YamlNode& root, Case& result);  // exact, guess
void read_resolution(const YamlNode& root, Case& result);
void read_continuation(const YamlNode& root, Case& result);
void read_recurrence(const YamlNode& root, Case& result);
void read_sbp_sat(const YamlNode& root, Case& result);
void read_solver(const YamlNode& root, Case& result);  // solver, time, parameters, backend
void read_verification(const YamlNode& root, Case& result);
void read_output(const YamlNode& root, Case& result);
void read_convergence(const YamlNode& root, Case& result);

// Helpers of several sections.
std::vector<std::string> axis_names(const Case& result);
std::vector<std::string> unknown_names(const Case& result);
AxisCase& axis_case(Case& result, const Marked& name);  // by name; CaseError with suggestions

// `value` if it is inside the axis, the end if it is one but for rounding (1e-12 of the length), else CaseError.
double coordinate_on(const Axis& axis, double value, const YamlNode& node);

// The edges of `n` parts of the axis, equally long in z, or in log z on a log axis.
std::vector<double> equal_parts(const Axis& axis, int n);

int default_grid_count(const std::vector<AxisCase>& domain, const Axis& axis);

}  // namespace gwrm::casefile
