// The product of a block matrix and a dense one, block by block, through BLAS.
#pragma once

#include "kernels/linear_algebra/block_matrix.hpp"

namespace gwrm {

Matrix multiply(const BlockMatrix& a, const Matrix& b);

}  // namespace gwrm
