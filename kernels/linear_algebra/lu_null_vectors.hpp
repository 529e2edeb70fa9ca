// The numerical null vectors of a nearly singular matrix from its LU factors, by two steps of inverse iteration.
//
// Formula   with P S = L U and S = R A C: y from S^T y = x, x from S x = y, twice, each scaled to unit maximum norm; y
//           tends to the left and x to the right singular vector of the smallest singular value. Pivots below eps
//           max|U| count as eps max|U|. Then row_weights = R y and column_weights = C x.
// Layout    lu column-major n x n, unit L below the diagonal; pivots as LAPACK's, but counted from 0: row i was swapped
//           with row pivots[i].
// Cost      8 n^2 flops on the host, whichever backend factored.
#pragma once

#include <span>

#include "kernels/linear_algebra/dense_lu.hpp"

namespace gwrm {

Dependency lu_null_vectors(std::span<const double> lu, std::span<const Index> pivots, std::span<const double> row_scale,
                           std::span<const double> column_scale);

}  // namespace gwrm
