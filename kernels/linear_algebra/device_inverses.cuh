// Inverses of many complex matrices of one size in device memory, in place.
//
// Contract: kernels/linear_algebra/wide_lu.hpp; inverses in place of factors, pivots of rows in place of columns
//
// An inverse in place of factors, because a solve is then one pass over the matrix at the speed of the memory, where
// two triangles wait n times. Elimination of a panel of columns, in shared memory, takes one block of threads a matrix;
// the rest of a step is a product of all matrices at once. (inverse_steps.cuh)
//
// Cost      8 n^3 operations a matrix; n / 16 passes over the matrices (more from n = 848 on, where panels are
//           narrower).
// Memory    besides the matrices 512 n bytes and a few numbers for each of those that are worked on at once.
// Determinism  the same bits on every run on one device.
#pragma once

#include "core/device_handles.cuh"

namespace gwrm::cuda {

inline constexpr int kLargestInverse = 8192;  // n: a column is to fit into shared memory

// Bytes of workspace for `count` matrices at once.
std::size_t inverse_workspace(int n, std::size_t count);

// matrices: count x n x n, row-major, become their inverses. status[i]: kInverseRegular .. (inverse_steps.cuh); those
// that are not regular are left with arbitrary numbers. Everything goes to the stream of `handles`; nothing waits.
void invert(const DeviceHandles& handles, double2* matrices, int n, std::size_t count, void* workspace, int* status);

}  // namespace gwrm::cuda
