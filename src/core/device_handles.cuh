// What a Context holds on the device: one stream, the library handles on it, and scratch memory that is kept between
// calls; and the checks that every call of the CUDA libraries goes through.
//
// The stream is our own and non-blocking; nothing runs on the default stream. Memory comes from plain cudaMalloc.
//
// Include this file first in a .cu: Eigen stays on the host (its device functions do not compile without warnings), and
// hears so before its first header.
#pragma once

#ifndef EIGEN_NO_CUDA
#define EIGEN_NO_CUDA
#endif

#include <cuda_runtime.h>

#include <array>
#include <cstddef>

// What the handles of cuBLAS and cuSOLVER point to (cublasHandle_t, cusolverDnHandle_t, cusolverDnParams_t). Their
// headers are in core/device_libraries.cuh: most files call neither library.
struct cublasContext;
struct cusolverDnContext;
struct cusolverDnParams;

namespace gwrm {
namespace cuda {

// DeviceError "CALL: MESSAGE" unless the status is success.
void check(cudaError_t status, const char* call);

#define GWRM_DEVICE(call) ::gwrm::cuda::check((call), #call)
// Behind every kernel launch: reports what the launch itself found wrong.
#define GWRM_LAUNCHED(kernel) ::gwrm::cuda::check(cudaGetLastError(), "launch of " #kernel)

// Device memory that grows and never shrinks; growing loses the contents.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  // Room for `count` values; MemoryError if the device has not that much.
  template <typename T>
  T* reserve(std::size_t count) {
    return static_cast<T*>(reserve_bytes(count * sizeof(T)));
  }
  template <typename T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* reserve_bytes(std::size_t bytes);

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace cuda

struct DeviceHandles {
  DeviceHandles();
  DeviceHandles(const DeviceHandles&) = delete;
  DeviceHandles& operator=(const DeviceHandles&) = delete;
  ~DeviceHandles();

  template <typename T>
  void upload(T* device, const T* host, std::size_t count) const {
    GWRM_DEVICE(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, stream));
  }
  // Waits for everything on the stream: the numbers are there on return.
  template <typename T>
  void download(T* host, const T* device, std::size_t count) const {
    GWRM_DEVICE(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
    GWRM_DEVICE(cudaStreamSynchronize(stream));
  }

  cudaStream_t stream = nullptr;
  cublasContext* blas = nullptr;
  // Its library takes a tenth of a second to load: opened by whoever needs it first.
  void open_solver();
  cusolverDnContext* solver = nullptr;
  cusolverDnParams* solver_parameters = nullptr;
  std::array<cuda::DeviceBuffer, 3> scratch;  // of whichever operation is running; they run one after the other
};

}  // namespace gwrm
