#include "system/tensor_helpers.hpp"

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

void add_product(Array& sum, const Array& a, const Array& b) {
  const std::size_t size = sum.data.size();
  if (b.data.size() == size && a.data.size() == size) {
    for (std::size_t i = 0; i < size; ++i) sum.data[i] += a.data[i] * b.data[i];
    return;
  }
  if (b.data.size() == size && a.data.size() == 1) {
    const double factor = a.data.front();
    for (std::size_t i = 0; i < size; ++i) sum.data[i] += factor * b.data[i];
    return;
  }
  const std::vector<Index> sa = strides_in(a.shape, sum.shape), sb = strides_in(b.shape, sum.shape);
  const std::size_t n_axes = sum.shape.size();
  const Index width = n_axes == 0 ? 1 : sum.shape.back();
  const Index step_a = n_axes == 0 ? 0 : sa.back(), step_b = n_axes == 0 ? 0 : sb.back();
  std::vector<Index> index(n_axes, 0);
  for (std::size_t first = 0; first < size; first += static_cast<std::size_t>(width)) {
    const double *pa = a.data.data(), *pb = b.data.data();
    for (std::size_t axis = 0; axis + 1 < n_axes; ++axis) {
      pa += index[axis] * sa[axis];
      pb += index[axis] * sb[axis];
    }
    double* target = sum.data.data() + first;
    for (Index i = 0; i < width; ++i) target[i] += pa[i * step_a] * pb[i * step_b];
    for (std::size_t axis = n_axes - 1; axis-- > 0;) {
      if (++index[axis] < sum.shape[axis]) break;
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
  const double total = weights.sum();
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < n; ++i) {
      const double weight = n == 1 ? total : weights(i);
      const double* from = a.data.data() + (o * n + i) * inner;
      double* to = sum.data.data() + o * inner;
      for (Index k = 0; k < inner; ++k) to[k] += weight * from[k];
    }
  return sum;
}

}  // namespace gwrm
