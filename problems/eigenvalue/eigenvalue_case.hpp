// The cases behind a case with `eigenvalue`: the steady problem at one value of it, the one in which it is an unknown,
// and what names mean in the result.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "output/solution.hpp"
#include "problems/time_spectral/eigenvalue_section.hpp"

namespace gwrm {

// The steady case with the eigenvalue as a constant of this value.
Case case_with_eigenvalue_at(const Case& the_case, double value);

// The eigenvalue as one more unknown, a number, with one more equation `lam = 0`, the last of either.
Case case_with_eigenvalue_unknown(const Case& the_case);

// The names under which an unknown or the eigenvalue stands in the result: itself, or where modes are complex its real
// and imaginary part.
std::vector<std::string> parts_of(const std::string& name, bool is_complex);

// The dimension that is a parameter: eigenvalues are curves over it. Null: none.
const AxisCase* parameter_of(const Case& the_case);

// The case at one value of it: a constant.
Case case_at_parameter(const Case& the_case, double value);

// The constants that a critical point moves: numbers of the result.
std::vector<std::string> moved_constants(const Case& the_case);

// What the names of a result are: of modes that are real, with `u_left` where left modes are known, or not.
struct ModeNames {
  bool is_complex = false, has_left = false;
};
ModeNames names_of(const Case& the_case, const Solution& solution);

// axes, fields: those of the result.
expression::Symbols mode_symbols(const Case& the_case, const std::vector<Axis>& axes, const ModeNames& names);

// CaseError for what does not go with `eigenvalue`.
void check_eigenvalue_case(const Case& the_case);

}  // namespace gwrm
