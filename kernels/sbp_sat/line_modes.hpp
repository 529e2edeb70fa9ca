// Eigenpairs of one dimension: A v = lambda H v, A symmetric and positive semidefinite, H diagonal and positive.
//
// Formula  S = H^(-1/2) A H^(-1/2), S y = lambda y, v = H^(-1/2) y. With the eigenvectors as rows of V:
//          V A V^T = L, V H V^T = 1.
// Halves   Where both ends are alike (S[i,j] = S[n-1-i,n-1-j]) eigenvectors are even or odd: S falls into two matrices
//          of half the size in the orthonormal basis of (e_i +- e_{n-1-i})/sqrt(2), and e_m for the middle of an odd n:
//          a quarter of the operations.
// Method   Divide and conquer: LAPACK's dsyevd; on the device cuSOLVER's from kDeviceEigenproblem rows on.
// Layout   In the parts of `fold` (kernels/sbp_sat/even_odd_split.hpp), even ones first. vectors: per part pitch x
// pitch,
//          row-major, an eigenvector per row, its values at the points of the part: those at the mirrored points are
//          the same, or the negative ones of an odd vector. values: ascending within a part; zero what is rounding of
//          zero. What a part does not fill is zero in vectors, infinite in values.
// Error    ShapeError if A is not positive semidefinite, not finite, a weight not positive, or LAPACK finds no
//          eigenvalues; DeviceError if cuSOLVER finds none, MemoryError where they do not fit on the device.
// Source   Cantoni and Butler, Linear Algebra Appl. 13 (1976) 275, for the halves.
#pragma once

#include <vector>

#include "core/context.hpp"
#include "kernels/sbp_sat/even_odd_split.hpp"
#include "kernels/sbp_sat/stencil_rows.hpp"

namespace gwrm {

struct LineModes {
  EvenOddSplit fold;
  std::vector<double> vectors, values;
};

// `whole`: one problem also where both ends are alike, to compare with.
enum class LineSplit { automatic, whole };

// The parts that line_modes() finds. ShapeError where sizes differ.
EvenOddSplit fold_of(const StencilRows& a, const std::vector<double>& weights, LineSplit split = LineSplit::automatic);

LineModes line_modes(const StencilRows& a, const std::vector<double>& weights, LineSplit split = LineSplit::automatic);

// Who solves the eigenproblems of a device's solver.
enum class EigenSolver { automatic, host, device };

// Rows of a problem (after it was split) from which cuSOLVER takes it, with EigenSolver::automatic. On an H200 beside
// 16 cores a process solves its first two problems of 513 rows in 137 ms by LAPACK and in 60 ms by cuSOLVER, whose
// library takes some 90 ms to load; of 1025 rows in 510 and 50 ms; and later in 124 and 22, 480 and 48 ms
// (`sbp_sat_bench setup`).
inline constexpr int kDeviceEigenproblem = 512;

namespace cuda {

// As above, by way of the device.
LineModes line_modes(const Context& context, const StencilRows& a, const std::vector<double>& weights, LineSplit split,
                     EigenSolver by);

// Seconds until the modes lie on the device; none come back.
double line_modes_seconds(const Context& context, const StencilRows& a, const std::vector<double>& weights,
                          EigenSolver by);

}  // namespace cuda
}  // namespace gwrm
