// What DenseLu looks at before it factors on the device: scaling, finiteness, the norm, and lines that are equal.
#pragma once

#include <vector>

#include "core/device_handles.cuh"
#include "core/matrix.hpp"

namespace gwrm::cuda {

struct LuScan {
  double one_norm = 0.0;
  // An empty row or column, or two rows or two columns that are equal up to the sign.
  bool dependent_lines = false;
};

// matrix <- R matrix C (column-major, n x n, on the device) with powers of two; false, and the matrix untouched, if an
// entry is not finite.
bool equilibrate_on_device(DeviceHandles& handles, double* matrix, Index n, std::vector<double>& row_scale,
                           std::vector<double>& column_scale);

// The column-sum norm of the scaled matrix, and whether two of its lines are equal: every line has a 64-bit fingerprint,
// compared on the host. Rows and columns that were proportional by a power of two are equal after the scaling.
LuScan scan_lines(DeviceHandles& handles, const double* matrix, Index n);

}  // namespace gwrm::cuda
