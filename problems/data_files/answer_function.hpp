// An earlier answer of gwrm as a function: its series are evaluated, nothing is interpolated.
#pragma once

#include "case/case_format.hpp"
#include "problems/data_files/table_function.hpp"

namespace gwrm {

// data.dataset: an unknown, or any expression of the earlier case's unknowns; empty: the only unknown. Dimensions of it
// that are in the domain are those of the function, or `data.axes` where they are given; the others need `at`, but for
// time, of which the last is taken. The error is what the earlier run has estimated. CaseError, OutputError.
ReportedFunction function_of_answer(const CaseFormat& format, const Case& the_case, const DataCase& data);

}  // namespace gwrm
