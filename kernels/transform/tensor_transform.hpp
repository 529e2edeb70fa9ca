// A matrix applied along each dimension of a tensor: the transforms between coefficients and points, in any number of
// dimensions.
//
// Formula   y[j1,..,jd] = sum_{k1..kd} A1[j1,k1] ... Ad[jd,kd] x[k1,..,kd]. A null matrix stands for the identity.
// Shapes    x: n1 x ... x nd, A_i: m_i x n_i row-major, y: m1 x ... x md; row-major tensors, the last dimension
// fastest. Order     ascending in 1/n_i - 1/m_i: fewest operations (exchange two neighbours).
// Cost      one matrix product per dimension.
// Memory    host pointers; the device version sends x, runs the chain on the device and brings y back. What lies there
//           already is transformed by kernels/transform/device_tensor.cuh.
// Determinism  the same bits on every run of one backend.
// Errors    ShapeError if an extent is 0 or a matrix does not fit its dimension.
#pragma once

#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"

namespace gwrm {

Array tensor_transform(const Context& context, const Array& x, std::span<const Matrix* const> matrices);

// The same along one dimension with a matrix of blocks; blocks only are multiplied.
Array block_transform(const Context& context, const Array& x, std::size_t dimension, const BlockMatrix& matrix);

// The dimensions that have a matrix, in the order they are treated.
std::vector<std::size_t> tensor_transform_order(const Shape& shape, std::span<const Matrix* const> matrices);

// The implementations below take shapes as checked.
namespace cpu {
Array tensor_transform(const Array& x, std::span<const Matrix* const> matrices);
Array block_transform(const Array& x, std::size_t dimension, const BlockMatrix& matrix);
// To memory of the caller, which is overwritten; x and y must not overlap.
void block_transform(const double* x, const Shape& shape, std::size_t dimension, const BlockMatrix& matrix, double* y);
}  // namespace cpu
namespace cuda {
Array tensor_transform(const Context& context, const Array& x, std::span<const Matrix* const> matrices);
}

}  // namespace gwrm
