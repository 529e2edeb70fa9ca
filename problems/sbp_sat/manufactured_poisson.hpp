// A manufactured solution of -div(C grad u) = f, on plain and mapped grids.
#pragma once

#include "case/case.hpp"

namespace gwrm {

// The source f = -div(C grad u_e) and the conditions of u_e = `exact`. CaseError if there is none.
Case manufactured_poisson(Case the_case);

}  // namespace gwrm
