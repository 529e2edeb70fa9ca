// Coefficients of a piecewise polynomial on other pieces of the same axis.
#pragma once

#include "core/axis.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"
#include "output/solution.hpp"

namespace gwrm {

// to.n_coefficients() x from.n_coefficients(). Where a new piece lies within one old piece this is exact, or the
// truncated series if its degree is lower; else the interpolant at the Gauss points of the new piece (a point on an old
// edge takes the piece on its left).
BlockMatrix piece_conversion(const AxisPieces& from, const AxisPieces& to, MapKind map);

}  // namespace gwrm
