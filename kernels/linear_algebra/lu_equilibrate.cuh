// The scaling of DenseLu's matrix on the device, and its norm.
//
// Contract: kernels/linear_algebra/dense_lu.hpp; its R and C.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "core/device_handles.cuh"

namespace gwrm::cuda {

// matrix <- R matrix C (column-major, n x n, on the device) with powers of two; false, and the matrix untouched, if an
// entry is not finite.
bool equilibrate_on_device(DeviceHandles& handles, double* matrix, Index n, std::vector<double>& row_scale,
                           std::vector<double>& column_scale);

// The largest sum of |entries| of a column.
double one_norm_on_device(DeviceHandles& handles, const double* matrix, Index n);

}  // namespace gwrm::cuda
