// A manufactured solution of -u'' + k^2 u = f.
#pragma once

#include "case/case.hpp"

namespace gwrm {

// The source f = -u_e'' + k^2 u_e and the conditions of u_e = `exact`. CaseError if there is none.
Case manufactured_recurrence(Case the_case);

}  // namespace gwrm
