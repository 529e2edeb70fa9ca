#include "kernels/device_tensor.cuh"

#include <cstring>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

int narrow(Index n) {
  if (n > 2147483647) throw MemoryError("a tensor on the device has more than 2^31 entries along one dimension");
  return static_cast<int>(n);
}

const cuDoubleComplex* raw(const std::complex<double>* p) {
  return reinterpret_cast<const cuDoubleComplex*>(p);
}

}  // namespace

// cuBLAS counts by columns: it sees x_o as inner x n, A as its transpose n x m.
void multiply_along(const DeviceHandles& handles, const double* matrix, const Along& along, double factor,
                    const double* x, bool add, double* y) {
  const double beta = add ? 1.0 : 0.0;
  const int m = narrow(along.m), n = narrow(along.n), inner = narrow(along.inner), outer = narrow(along.outer);
  if (inner == 1) {
    GWRM_DEVICE(cublasDgemm(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, outer, n, &factor, matrix, n, x,
                            narrow(along.n_x), &beta, y, narrow(along.n_y)));
    return;
  }
  GWRM_DEVICE(cublasDgemmStridedBatched(handles.blas, CUBLAS_OP_N, CUBLAS_OP_N, inner, m, n, &factor, x, inner,
                                        along.inner * along.n_x, matrix, n, 0, &beta, y, inner, along.inner * along.n_y,
                                        outer));
}

void multiply_along(const DeviceHandles& handles, const std::complex<double>* matrix, const Along& along,
                    const std::complex<double>* x, std::complex<double>* y) {
  const cuDoubleComplex one{1.0, 0.0}, zero{0.0, 0.0};
  const int m = narrow(along.m), n = narrow(along.n), inner = narrow(along.inner), outer = narrow(along.outer);
  auto* target = reinterpret_cast<cuDoubleComplex*>(y);
  if (inner == 1) {
    GWRM_DEVICE(cublasZgemm(handles.blas, CUBLAS_OP_T, CUBLAS_OP_N, m, outer, n, &one, raw(matrix), n, raw(x),
                            narrow(along.n_x), &zero, target, narrow(along.n_y)));
    return;
  }
  GWRM_DEVICE(cublasZgemmStridedBatched(handles.blas, CUBLAS_OP_N, CUBLAS_OP_N, inner, m, n, &one, raw(x), inner,
                                        along.inner * along.n_x, raw(matrix), n, 0, &zero, target, inner,
                                        along.inner * along.n_y, outer));
}

const double* DeviceMatrices::send(const double* values, std::size_t count) {
  for (const Sent& sent : sent_)
    if (sent.values.size() == count && std::memcmp(sent.values.data(), values, count * sizeof(double)) == 0)
      return sent.buffer.as<double>();
  Sent& sent = sent_.emplace_back();
  sent.values.assign(values, values + count);
  double* target = sent.buffer.reserve<double>(count == 0 ? 1 : count);
  profile_.upload(target, values, count);
  return target;
}

const std::complex<double>* DeviceMatrices::send(const std::complex<double>* values, std::size_t count) {
  return reinterpret_cast<const std::complex<double>*>(send(reinterpret_cast<const double*>(values), 2 * count));
}

DeviceBlocks::DeviceBlocks(const BlockMatrix& matrix, DeviceMatrices& matrices)
    : rows(matrix.rows), cols(matrix.cols), identity(matrix.identity) {
  for (const MatrixBlock& block : matrix.blocks)
    blocks.push_back({block.row, block.column, block.matrix->rows(), block.matrix->cols(), block.factor,
                      matrices.send(block.matrix)});
}

void DeviceBlocks::apply(const DeviceHandles& handles, const Shape& shape, std::size_t dimension, double factor,
                         const double* x, double* y) const {
  const Around around(shape, dimension);
  const bool whole = blocks.size() == 1 && blocks.front().m == rows;
  if (!whole)
    GWRM_DEVICE(cudaMemsetAsync(y, 0, static_cast<std::size_t>(around.outer * rows * around.inner) * sizeof(double),
                                handles.stream));
  for (const Block& block : blocks)
    multiply_along(handles, block.matrix, {block.m, block.n, around.outer, around.inner, cols, rows},
                   factor * block.factor, x + block.column * around.inner, !whole, y + block.row * around.inner);
}

}  // namespace gwrm::cuda
