// A complex matrix applied along one dimension of a complex tensor, in single or double precision.
//
// Formula   y[o, j, i] = sum_k A[j, k] x[o, k, i], o over the dimensions before that one, i over those behind it.
// Layout    row-major tensors, the last dimension fastest; A row-major.
// Cost      one matrix product (BLAS).
// Device    multiply_along() of kernels/transform/device_tensor.cuh.
#pragma once

#include <complex>

#include "core/matrix.hpp"

namespace gwrm {

template <class Real>
using ComplexRowMajor = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// y = the transform of x, which has the extents `shape`; they must not overlap. Instantiated for float and double.
// Several threads may call it.
template <class Real>
void transform_along(const ComplexRowMajor<Real>& matrix, const std::complex<Real>* x, const Shape& shape,
                     std::size_t dimension, std::complex<Real>* y);

// Extents before and behind a dimension.
struct AroundDimension {
  Index outer = 1, inner = 1;
  AroundDimension(const Shape& shape, std::size_t dimension) {
    for (std::size_t d = 0; d < dimension; ++d) outer *= shape[d];
    for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  }
};

}  // namespace gwrm
