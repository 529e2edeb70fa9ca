// GMRES (solver/gmres.hpp) with all vectors on the device.
//
// Classical Gram-Schmidt twice instead of modified: as accurate, and the inner products of a pass are one kernel. An
// iteration waits for the host once, for its column of the Hessenberg matrix.
#pragma once

#include "kernels/device_pool.cuh"
//
#include <functional>

#include "kernels/device_profile.cuh"
#include "solver/gmres.hpp"
#include "system/device_atoms.cuh"

namespace gwrm::cuda {

using DeviceOperator = std::function<void(const double* v, double* y)>;

// x need not be set. b and x: n numbers on the device.
GmresResult device_gmres(DeviceTools& tools, const DeviceOperator& a, const DeviceOperator& preconditioner,
                         const double* b, double* x, std::size_t n, double tolerance, int max_iterations);

}  // namespace gwrm::cuda
