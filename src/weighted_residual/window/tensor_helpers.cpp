#include "weighted_residual/window/tensor_helpers.hpp"

#include "core/vector_clones.hpp"
#include "core/weighted_sum.hpp"

namespace gwrm {
namespace {

// Strides of a tensor within one of larger extents: 0 along an axis that broadcasts.
std::vector<Index> strides_in(const Shape& shape, const Shape& whole) {
  std::vector<Index> strides(shape.size(), 0);
  Index stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] == whole[axis] && whole[axis] > 1) strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

}  // namespace

GWRM_VECTOR_CLONES void add_product(double* sum, const Shape& shape, const ArrayView& a, const ArrayView& b) {
  const Index size = element_count(shape), size_a = a.size(), size_b = b.size();
  if (size_b == size && size_a == size) {
    for (Index i = 0; i < size; ++i) sum[i] += a.data[i] * b.data[i];
    return;
  }
  if (size_b == size && size_a == 1) {
    const double factor = *a.data;
    for (Index i = 0; i < size; ++i) sum[i] += factor * b.data[i];
    return;
  }
  const std::vector<Index> sa = strides_in(a.shape, shape), sb = strides_in(b.shape, shape);
  const std::size_t n_axes = shape.size();
  const Index width = n_axes == 0 ? 1 : shape.back();
  const Index step_a = n_axes == 0 ? 0 : sa.back(), step_b = n_axes == 0 ? 0 : sb.back();
  std::vector<Index> index(n_axes, 0);
  for (Index first = 0; first < size; first += width) {
    const double *pa = a.data, *pb = b.data;
    for (std::size_t axis = 0; axis + 1 < n_axes; ++axis) {
      pa += index[axis] * sa[axis];
      pb += index[axis] * sb[axis];
    }
    for (Index i = 0; i < width; ++i) sum[first + i] += pa[i * step_a] * pb[i * step_b];
    for (std::size_t axis = n_axes - 1; axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

Array weighted_sum(const Array& a, std::size_t axis, const Vector& weights) {
  Index outer = 1, inner = 1;
  for (std::size_t d = 0; d < axis; ++d) outer *= a.shape[d];
  for (std::size_t d = axis + 1; d < a.shape.size(); ++d) inner *= a.shape[d];
  const Index n = a.shape[axis];
  Shape shape = a.shape;
  shape[axis] = 1;
  Array sum(shape);
  const Vector total = Vector::Constant(1, weights.sum());
  weighted_sum(a.data.data(), n == 1 ? total.data() : weights.data(), outer, n, inner, sum.data.data());
  return sum;
}

}  // namespace gwrm
