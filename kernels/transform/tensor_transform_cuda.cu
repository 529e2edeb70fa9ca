#include "kernels/transform/device_tensor.cuh"

#include <algorithm>
#include <utility>

#include "kernels/transform/tensor_transform.hpp"

namespace gwrm::cuda {
namespace {

// Numbers of the tensor at its largest, at the start, at the end or in between.
Index largest_intermediate(const Shape& shape, std::span<const Matrix* const> matrices) {
  Shape current = shape;
  Index largest = element_count(current);
  for (std::size_t d : tensor_transform_order(shape, matrices)) {
    current[d] = matrices[d]->rows();
    largest = std::max(largest, element_count(current));
  }
  return largest;
}

Index total_entries(std::span<const Matrix* const> matrices) {
  Index total = 0;
  for (const Matrix* matrix : matrices) total += matrix ? matrix->size() : 0;
  return total;
}

// Transforms the tensor in `first`, using `second` in turn (largest_intermediate numbers each) and `device_matrices`
// (total_entries numbers) for the matrices. Returns whichever holds the result; `shape` becomes that of the result.
double* transform_on_device(DeviceHandles& handles, double* first, double* second, double* device_matrices,
                            Shape& shape, std::span<const Matrix* const> matrices) {
  double *x = first, *y = second;
  for (std::size_t d : tensor_transform_order(shape, matrices)) {
    const Matrix& matrix = *matrices[d];
    const AroundDimension around(shape, d);
    const Index m = matrix.rows(), n = matrix.cols();
    handles.upload(device_matrices, matrix.data(), static_cast<std::size_t>(matrix.size()));
    multiply_along(handles, device_matrices, {m, n, around.outer, around.inner, n, m}, 1.0, x, false, y);
    device_matrices += matrix.size();
    shape[d] = m;
    std::swap(x, y);
  }
  return x;
}

}  // namespace

Array tensor_transform(const Context& context, const Array& x, std::span<const Matrix* const> matrices) {
  DeviceHandles& handles = *context.device();
  const std::size_t size = static_cast<std::size_t>(largest_intermediate(x.shape, matrices));
  double* first = handles.scratch[0].reserve<double>(size);
  double* second = handles.scratch[1].reserve<double>(size);
  double* entries = handles.scratch[2].reserve<double>(static_cast<std::size_t>(total_entries(matrices)));

  Array y;
  y.shape = x.shape;
  handles.upload(first, x.data.data(), x.data.size());
  const double* result = transform_on_device(handles, first, second, entries, y.shape, matrices);
  y.data.resize(static_cast<std::size_t>(element_count(y.shape)));
  handles.download(y.data.data(), result, y.data.size());
  return y;
}

}  // namespace gwrm::cuda
