// The solvers on the device: of one block with constant coefficients, of any other grid, and with a stored matrix.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "kernels/sbp_sat/device_poisson.hpp"
#include "problems/sbp_sat/multigrid.hpp"
#include "problems/sbp_sat/poisson_solver.hpp"

namespace gwrm::sbp {

// The levels of multigrid for kernels/sbp_sat/device_poisson.hpp; nothing where the coarsest grid is too large for a
// dense inverse.
struct DeviceMultigrid {
  std::vector<DeviceLevel> levels;
  Matrix coarsest_inverse;
};
std::optional<DeviceMultigrid> device_multigrid(const Grid& grid);

// Whether so many unknowns are worth the start of a device, some tenths of a second.
bool device_pays(const SolverChoice& choice, const Grid& grid);

// False: this choice runs on the CPU.
bool runs_on_device(const Context& context, const SolverChoice& choice, const Grid& grid);
std::string why_not_on_device(const SolverChoice& choice);  // and what would

// Ends at the residual norm `stop`. Only where runs_on_device().
DeviceCgResult solve_on_device(const Context& context, const SolverChoice& choice, const Grid& grid,
                               const std::vector<double>& b, std::vector<double>& u, double stop, int max_iterations);

}  // namespace gwrm::sbp
