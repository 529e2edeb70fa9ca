// Matrices applied along one dimension of tensors that lie on the device: the steps of every transform there.
//
// Contract: kernels/transform/tensor_transform.hpp, kernels/transform/complex_transform.hpp
//
// Formula   y[o, j, i] = factor sum_k A[j, k] x[o, k, i] (+ y[o, j, i]); the symmetries of parity_split.hpp, which save
//           the CPU half the work, are left alone.
// Cost      one matrix product of cuBLAS, batched over `outer`, for each block. Everything goes to the stream of
//           `handles`; nothing waits.
// Determinism  cuBLAS on one stream: the same bits on every run on one device.
#pragma once

#include <complex>
#include <cstddef>
#include <deque>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/device_handles.cuh"
//
#include "core/matrix.hpp"
#include "kernels/device/device_pool.cuh"
#include "kernels/device/device_profile.cuh"
#include "kernels/linear_algebra/block_matrix.hpp"
#include "kernels/transform/complex_transform.hpp"

namespace gwrm::cuda {

// x and y may be parts of larger tensors: n_x and n_y are their extents along the dimension.
struct Along {
  Index m = 0, n = 0;  // of the matrix
  Index outer = 1, inner = 1;
  Index n_x = 0, n_y = 0;
};
void multiply_along(const DeviceHandles& handles, const double* matrix, const Along& along, double factor,
                    const double* x, bool add, double* y);
void multiply_along(const DeviceHandles& handles, const std::complex<double>* matrix, const Along& along,
                    const std::complex<double>* x, std::complex<double>* y);

// Matrices and lists for the device: what holds the same bytes is kept once. They are gathered on the host and sent
// together, because a small copy costs its latency and not its bytes.
class DeviceMatrices {
 public:
  DeviceMatrices(DeviceProfile& profile, DevicePool& pool) : profile_(profile), pool_(pool) {}
  ~DeviceMatrices();
  DeviceMatrices(const DeviceMatrices&) = delete;
  DeviceMatrices& operator=(const DeviceMatrices&) = delete;
  // Where the matrix or list will be after send().
  const double* add(const std::shared_ptr<const Matrix>& matrix) {
    return add(matrix->data(), static_cast<std::size_t>(matrix->size()));
  }
  template <class T>
  const T* add(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAligned);
    return reinterpret_cast<const T*>(add_bytes(values, count * sizeof(T)));
  }
  // What has been added since the last time.
  void send();

 private:
  static constexpr std::size_t kAligned = 256;  // bytes, as cudaMalloc's
  // All places and counts in bytes.
  struct Chunk {
    DeviceArray memory;
    std::byte* values = nullptr;  // the same on the host: page-locked where there is such memory, else own
    char* pinned = nullptr;
    std::vector<std::byte> own;
    std::size_t used = 0, sent = 0;
    std::byte* device() const { return reinterpret_cast<std::byte*>(memory.data()); }
    std::size_t size() const { return memory.size() * sizeof(double); }
  };
  struct Known {
    const Chunk* chunk;
    std::size_t begin, count;
  };
  const std::byte* add_bytes(const void* values, std::size_t count);
  Chunk& chunk_for(std::size_t count);
  DeviceProfile& profile_;
  DevicePool& pool_;
  std::deque<Chunk> chunks_;
  std::vector<Known> known_;
};

class DeviceFourierSeries;  // kernels/transform/device_fourier_series.cuh

// A BlockMatrix on the device.
struct DeviceBlockMatrix {
  struct Block {
    Index row = 0, column = 0, m = 0, n = 0;
    double factor = 1.0;
    const double* matrix = nullptr;
    std::shared_ptr<const DeviceFourierSeries> series{};  // in place of the matrix, where it takes less time
  };
  Index rows = 0, cols = 0;
  bool identity = false;
  std::vector<Block> blocks;  // with a series: one

  DeviceBlockMatrix() = default;
  DeviceBlockMatrix(const BlockMatrix& matrix, DeviceMatrices& matrices);
  // y = factor A x along a dimension of x; shape is that of x. Not for the identity.
  void apply(const DeviceHandles& handles, const Shape& shape, std::size_t dimension, double factor, const double* x,
             double* y) const;
};

}  // namespace gwrm::cuda
