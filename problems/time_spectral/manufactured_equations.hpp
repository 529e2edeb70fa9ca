// Manufactured solutions of equations that the user writes.
#pragma once

#include "case/case.hpp"

namespace gwrm {

// L(u) = L(u_e) for every equation and condition, and the initial values of u_e = `exact`. CaseError unless every
// unknown has an exact solution.
Case manufactured_equations(Case the_case);

}  // namespace gwrm
