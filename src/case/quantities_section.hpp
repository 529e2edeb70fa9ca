// `units` and `labels` of a case file: what its quantities are measured in and called.
#pragma once

#include "case/case.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {

// Into Case::quantities, as written. CaseError for a name that the case does not have, and for a text that is none.
void read_quantities(const CaseTree& file, Case& result);

}  // namespace gwrm::casefile

namespace gwrm {

// Those of a case, and those that follow from them: a component of a vector has the vector's unit, and its label with
// ", component x"; a field of the output that is a quantity by itself (`speed: u`) has what that has.
Quantities quantities_of(const Case& the_case);

}  // namespace gwrm
