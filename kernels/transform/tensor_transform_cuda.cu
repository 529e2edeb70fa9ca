#include "core/device_handles.cuh"

#include <algorithm>
#include <utility>

#include "kernels/transform/tensor_transform.hpp"
#include "kernels/transform/tensor_transform_device.cuh"

namespace gwrm::cuda {
namespace {

// y[o,j,i] = sum_k A[j,k] x[o,k,i]. cuBLAS counts by columns: it sees x_o as inner x n, A as its transpose n x m.
void apply_along(DeviceHandles& handles, const double* matrix, Index m, Index n, Index outer, Index inner,
                 const double* x, double* y) {
  const double one = 1.0, zero = 0.0;
  const int rows = static_cast<int>(m), columns = static_cast<int>(n), width = static_cast<int>(inner);
  if (inner == 1) {
    GWRM_DEVICE(cublasDgemm(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, rows, static_cast<int>(outer), columns, &one,
                            matrix, columns, x, columns, &zero, y, rows));
    return;
  }
  GWRM_DEVICE(cublasDgemmStridedBatched(handles.blas, CUBLAS_OP_N, CUBLAS_OP_N, width, rows, columns, &one, x, width,
                                        inner * n, matrix, columns, 0, &zero, y, width, inner * m,
                                        static_cast<int>(outer)));
}

}  // namespace

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

double* transform_on_device(DeviceHandles& handles, double* first, double* second, double* device_matrices,
                            Shape& shape, std::span<const Matrix* const> matrices) {
  double *x = first, *y = second;
  for (std::size_t d : tensor_transform_order(shape, matrices)) {
    const Matrix& matrix = *matrices[d];
    Index outer = 1, inner = 1;
    for (std::size_t e = 0; e < d; ++e) outer *= shape[e];
    for (std::size_t e = d + 1; e < shape.size(); ++e) inner *= shape[e];
    handles.upload(device_matrices, matrix.data(), static_cast<std::size_t>(matrix.size()));
    apply_along(handles, device_matrices, matrix.rows(), matrix.cols(), outer, inner, x, y);
    device_matrices += matrix.size();
    shape[d] = matrix.rows();
    std::swap(x, y);
  }
  return x;
}

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
