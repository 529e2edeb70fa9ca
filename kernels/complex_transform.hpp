// Complex tensors and a matrix applied along one of their dimensions, in single or double precision.
//
// Formula   y[o, j, i] = sum_k A[j, k] x[o, k, i], o over the dimensions before the one treated, i over those behind
// it. Layout    row-major tensors, the last dimension fastest; A row-major. Cost      one matrix product (BLAS).
#pragma once

#include <complex>
#include <vector>

#include "core/matrix.hpp"

namespace gwrm {

template <class Real>
struct ComplexTensor {
  Shape shape;
  std::vector<std::complex<Real>> data;

  ComplexTensor() = default;
  explicit ComplexTensor(Shape extents) : shape(std::move(extents)) {
    data.assign(static_cast<std::size_t>(element_count(shape)), std::complex<Real>(0));
  }
};

template <class Real>
using ComplexRowMajor = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Instantiated for float and double. Several threads may call it.
template <class Real>
ComplexTensor<Real> transform_along(const ComplexRowMajor<Real>& matrix, const ComplexTensor<Real>& x,
                                    std::size_t dimension);

// Extents before and behind a dimension.
struct AroundDimension {
  Index outer = 1, inner = 1;
  AroundDimension(const Shape& shape, std::size_t dimension) {
    for (std::size_t d = 0; d < dimension; ++d) outer *= shape[d];
    for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  }
};

}  // namespace gwrm
