// A right-hand side put into the text of the block recurrence's kernels, for compilation at run time.
#pragma once

#include <string>

#include "kernels/recurrence_source.hpp"

namespace gwrm {

// The upper-case words UNROLLED, CALLS, TABLES, FIRSTS, COORDINATE and STATEMENTS of the text replaced
// (recurrence_expression.cu says where they stand).
std::string with_source(std::string text, const DeviceExpression& expression);

}  // namespace gwrm
