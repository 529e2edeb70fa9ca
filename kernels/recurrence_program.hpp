// The text of the block recurrence's kernels with a right-hand side in them, for compilation at run time.
#pragma once

#include <string>

#include "kernels/recurrence_source.hpp"

namespace gwrm {

// Kernels moments_kernel, fill_double, fill_single, both with _corrected, and solve_kernel (recurrence_expression.cu).
std::string recurrence_program(const DeviceExpression& expression);

}  // namespace gwrm
