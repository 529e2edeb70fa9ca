#include "kernels/transform/device_tensor.cuh"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/device_libraries.cuh"
#include "core/errors.hpp"
#include "kernels/transform/device_fourier_series.cuh"

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
  if (along.inner == 0 || along.outer == 0) return;  // a rank may have no columns
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
  if (along.inner == 0 || along.outer == 0) return;
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

DeviceMatrices::Chunk& DeviceMatrices::chunk_for(std::size_t count) {
  constexpr std::size_t kPinned = PinnedBlocks::kBlock;
  if (!chunks_.empty() && chunks_.back().used + count <= chunks_.back().size()) return chunks_.back();
  Chunk& chunk = chunks_.emplace_back();
  if (count <= kPinned) chunk.pinned = profile_.pinned_blocks().take();
  const std::size_t size = std::max(count, kPinned);
  chunk.memory = pool_.take(size / sizeof(double));
  if (chunk.pinned == nullptr) chunk.own.resize(size);
  chunk.values = chunk.pinned == nullptr ? chunk.own.data() : reinterpret_cast<std::byte*>(chunk.pinned);
  return chunk;
}

DeviceMatrices::~DeviceMatrices() {
  for (const Chunk& chunk : chunks_)
    if (chunk.pinned != nullptr) profile_.pinned_blocks().give_back(chunk.pinned);
}

const std::byte* DeviceMatrices::add_bytes(const void* values, std::size_t count) {
  for (const Known& known : known_)
    if (known.count == count && std::memcmp(known.chunk->values + known.begin, values, count) == 0)
      return known.chunk->device() + known.begin;
  // An empty one has its own address.
  const std::size_t space = std::max<std::size_t>(1, (count + kAligned - 1) / kAligned) * kAligned;
  Chunk& chunk = chunk_for(space);
  const std::size_t begin = chunk.used;
  if (count > 0) std::memcpy(chunk.values + begin, values, count);
  std::memset(chunk.values + begin + count, 0, space - count);
  chunk.used += space;
  known_.push_back({&chunk, begin, count});
  return chunk.device() + begin;
}

void DeviceMatrices::send() {
  for (Chunk& chunk : chunks_) {
    const std::size_t begin = std::exchange(chunk.sent, chunk.used), count = chunk.used - begin;
    if (count == 0) continue;
    if (chunk.pinned != nullptr)
      profile_.upload_pinned(chunk.device() + begin, chunk.values + begin, count);
    else
      profile_.upload(chunk.device() + begin, chunk.values + begin, count);
  }
}

DeviceBlockMatrix::DeviceBlockMatrix(const BlockMatrix& matrix, DeviceMatrices& matrices)
    : rows(matrix.rows), cols(matrix.cols), identity(matrix.identity) {
  if (matrix.blocks.size() == 1) {
    const MatrixBlock& only = matrix.blocks.front();
    if (only.series != nullptr && DeviceFourierSeries::is_faster_than_matrix(*only.series)) {
      blocks.push_back({0, 0, rows, cols, only.factor, nullptr,
                        std::make_shared<const DeviceFourierSeries>(*only.series, matrices)});
      return;
    }
  }
  for (const MatrixBlock& block : matrix.blocks)
    blocks.push_back({block.row, block.column, block.matrix->rows(), block.matrix->cols(), block.factor,
                      matrices.add(block.matrix), nullptr});
}

void DeviceBlockMatrix::apply(const DeviceHandles& handles, const Shape& shape, std::size_t dimension, double factor,
                              const double* x, double* y) const {
  const AroundDimension around(shape, dimension);
  if (around.outer == 0 || around.inner == 0) return;
  if (blocks.size() == 1 && blocks.front().series != nullptr) {
    blocks.front().series->apply(handles, factor * blocks.front().factor, x, around.outer, around.inner, y);
    return;
  }
  const bool whole = blocks.size() == 1 && blocks.front().m == rows;
  if (!whole)
    GWRM_DEVICE(cudaMemsetAsync(y, 0, static_cast<std::size_t>(around.outer * rows * around.inner) * sizeof(double),
                                handles.stream));
  for (const Block& block : blocks)
    multiply_along(handles, block.matrix, {block.m, block.n, around.outer, around.inner, cols, rows},
                   factor * block.factor, x + block.column * around.inner, !whole, y + block.row * around.inner);
}

}  // namespace gwrm::cuda
