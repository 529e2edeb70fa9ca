// A right-hand side put into the text of the block recurrence's kernels, for compilation at run time.
#pragma once

#include <string>
#include <vector>

#include "kernels/linear_algebra/double_double.hpp"
//
#include "kernels/recurrence/recurrence_layout.hpp"
#include "kernels/recurrence/recurrence_source.hpp"

namespace gwrm {

// The upper-case words UNROLLED, SUMMED, MOST_CALLS, CALLS, TABLES, FIRSTS, CONSTANT, SUMS, COORDINATE and STATEMENTS
// of the text replaced (recurrence_expression.cu says where they stand). ShapeError for more than kMaxAffineCalls
// calls.
std::string with_source(std::string text, const DeviceExpression& expression);

// Of each call, its factor left out.
std::vector<recurrence::CallSums> call_sums(const DeviceExpression& expression);

}  // namespace gwrm
