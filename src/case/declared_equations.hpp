// The sections of modules whose equations the user writes: equations, initial, guess.
#pragma once

#include <vector>

#include "case/case.hpp"
#include "case/key_table.hpp"
#include "case/resolved_text.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {

std::vector<KeySpec> declared_equations_keys();
// Of the section `initial` alone, for modules with equations of their own.
std::vector<KeySpec> initial_keys();

// Into Case::equations, initial and guess. CaseError where there are not as many equations as unknowns; with vectors or
// definitions that is checked when vectors are taken apart (vectors.hpp).
void read_declared_equations(const CaseTree& file, Case& result);
void check_equation_count(const CaseTree& file, const Case& result);

void write_declared_equations(ResolvedText& text, const Case& the_case);

}  // namespace gwrm::casefile
