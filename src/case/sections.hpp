// The general sections of a case file, one reader each. The tree's shape has been checked (shape.hpp); each reader
// fills its members of the Case and relies on those filled before it, in the order of this list.
#pragma once

#include "case/case.hpp"
#include "case/case_module.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {

inline constexpr int kMaxAxes = 8;

void read_constants(const CaseTree& file, Case& result);
void read_domain(const CaseTree& file, Case& result);
void read_unknowns(const CaseTree& file, Case& result);
void read_definitions(const CaseTree& file, Case& result);
void read_conditions(const CaseTree& file, Case& result);  // boundary, exact
// Here the module reads its own.
void read_solver(const CaseTree& file, Case& result);  // solver, backend
void read_verification(const CaseTree& file, Case& result);
void read_output(const CaseTree& file, Case& result);
void read_convergence(const CaseTree& file, const CaseModule& module, Case& result);

}  // namespace gwrm::casefile
