// Many triangular systems of tensor products at once in device memory, of two or three dimensions and in double
// precision, the triangles with factors:
//   (shift + s_1 T_1 (x) I (x) I + s_2 I (x) T_2 (x) I + s_3 I (x) I (x) T_3) y = r,   T_d upper triangular.
//
// Contract: kernels/linear_algebra/kronecker_sum.hpp
//
// Another schedule: the CPU takes one system and one dimension after the other and leaves the sums to BLAS. Here the
// tensor is cut into blocks of 8 x 8 x 8 (16 x 16 for two dimensions). A block depends on those behind it along each
// axis: blocks whose distances from the last corner add up to the same number are independent, and one launch solves
// them for all systems. A thread block subtracts what the solved blocks behind it contribute, then solves its own
// entries, antidiagonal after antidiagonal.
//
// Layout    T row-major. Two dimensions: n_1 = 1 and T_1 = null.
// Cost      sum_d n_d / block launches; nothing waits for them.
// Determinism  the same bits on every run.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "core/device_handles.cuh"

namespace gwrm::cuda {

struct TriangularSystem {
  double2* r = nullptr;
  const double2* triangles[3] = {nullptr, nullptr, nullptr};
  double2 scales[3] = {};
  double2 shift = {};
};

// All of these extents.
void solve_kronecker_sums(const DeviceHandles& handles, const std::vector<TriangularSystem>& systems, int n1, int n2,
                           int n3);

}  // namespace gwrm::cuda
