// Small operations on tensors that the parts of the window system share.
#pragma once

#include <vector>

#include "core/matrix.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {

// One matrix along each axis (kernels/transform/tensor_transform.hpp).
inline Array apply(const Context& context, const Array& x, const std::vector<Matrix>& matrices) {
  std::vector<const Matrix*> pointers;
  for (const Matrix& matrix : matrices) pointers.push_back(&matrix);
  return tensor_transform(context, x, pointers);
}

inline void add_to(Array& sum, const Array& term) {
  for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += term.data[i];
}

// sum += a * b, with the extents `shape`; an extent 1 of a or b broadcasts.
void add_product(double* sum, const Shape& shape, const ArrayView& a, const ArrayView& b);

// sum_i weights_i a[.., i, ..] along one axis; a value of extent 1 there is taken as constant.
Array weighted_sum(const Array& a, std::size_t axis, const Vector& weights);

// Index of each axis at a flat position of a row-major tensor.
inline std::vector<Index> unravel(const Shape& extents, Index position) {
  std::vector<Index> indices(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    indices[axis] = position % extents[axis];
    position /= extents[axis];
  }
  return indices;
}

}  // namespace gwrm
