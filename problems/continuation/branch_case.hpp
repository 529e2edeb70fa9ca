// The cases behind a case with `continue`: the steady problem at one value of the parameter, and the one in which the
// parameter is an unknown.
#pragma once

#include <vector>

#include "case/case.hpp"

namespace gwrm {

// The coordinate of the branch in the result: its arc length.
inline constexpr const char* kBranchAxis = "s";

// The steady case with the parameter's constant at this value, without `continue`.
Case case_at(const Case& the_case, double parameter);

// The parameter as one more unknown, a number, with one more equation `parameter = from`, the last of either. No guess
// and no exact solution: they may hold the constant.
Case case_with_parameter_unknown(const Case& the_case);

// What names mean in the result: `axes` (the branch's first) and, over the branch, the unknowns and the parameter.
expression::Symbols branch_symbols(const Case& the_case, const std::vector<Axis>& axes);

// CaseError if the names of the case leave none for the branch's coordinate, or the dimensions have no degree.
void check_branch_case(const Case& the_case);

}  // namespace gwrm
