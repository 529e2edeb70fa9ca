// The linear solver of a window, for those that solve other systems with its matrix than Newton's.
#pragma once

#include <functional>

#include "problems/time_spectral/window.hpp"

namespace gwrm {

// Calls body(solver) with the linear solver of the method for this window, which leaves its factors in `memory`.
void with_linear_solver(Window& window, LinearMethod method, SolverMemory& memory,
                        const std::function<void(LinearSolver&)>& body);

}  // namespace gwrm
