#include "core/device_libraries.cuh"

#include <cstring>
#include <memory>
#include <string>

#include "core/context.hpp"
#include "core/devices.hpp"
#include "core/errors.hpp"
#include "core/memory.hpp"

namespace gwrm {
namespace cuda {

void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess)
    throw DeviceError(std::string(call) + ": " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw DeviceError(std::string(call) + ": " + cublasGetStatusName(status) + ", " + cublasGetStatusString(status));
}

void check(cusolverStatus_t status, const char* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  const char* name = status == CUSOLVER_STATUS_NOT_INITIALIZED    ? "not initialised"
                     : status == CUSOLVER_STATUS_ALLOC_FAILED     ? "allocation failed"
                     : status == CUSOLVER_STATUS_INVALID_VALUE    ? "invalid value"
                     : status == CUSOLVER_STATUS_ARCH_MISMATCH    ? "unsupported device"
                     : status == CUSOLVER_STATUS_EXECUTION_FAILED ? "execution failed"
                     : status == CUSOLVER_STATUS_INTERNAL_ERROR   ? "internal error"
                                                                  : "error";
  throw DeviceError(std::string(call) + ": cuSOLVER status " + std::to_string(static_cast<int>(status)) + ", " + name);
}

void* DeviceBuffer::reserve_bytes(std::size_t bytes) {
  if (bytes <= bytes_) return memory_;
  if (memory_ != nullptr) GWRM_DEVICE(cudaFree(memory_));
  memory_ = nullptr;
  bytes_ = 0;
  const cudaError_t status = cudaMalloc(&memory_, bytes);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());  // not sticky: clear it for the next launch check
    std::size_t available = 0, total = 0;
    GWRM_DEVICE(cudaMemGetInfo(&available, &total));
    throw MemoryError("the device has " + format_bytes(available) + " left of " + format_bytes(total) + ", " +
                      format_bytes(bytes) + " are needed");
  }
  check(status, "cudaMalloc");
  bytes_ = bytes;
  return memory_;
}

// Statuses are of no use in destructors: a failed release follows an error that was reported already.
DeviceBuffer::~DeviceBuffer() {
  static_cast<void>(cudaFree(memory_));
}

}  // namespace cuda

static void release(const DeviceHandles& handles) {
  if (handles.solver_parameters) static_cast<void>(cusolverDnDestroyParams(handles.solver_parameters));
  if (handles.solver) static_cast<void>(cusolverDnDestroy(handles.solver));
  if (handles.blas) static_cast<void>(cublasDestroy(handles.blas));
  if (handles.stream) static_cast<void>(cudaStreamDestroy(handles.stream));
}

DeviceHandles::DeviceHandles() {
  try {
    GWRM_DEVICE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    GWRM_DEVICE(cublasCreate(&blas));
    GWRM_DEVICE(cublasSetStream(blas, stream));
  } catch (...) {
    release(*this);
    throw;
  }
}

void DeviceHandles::open_solver() {
  if (solver != nullptr) return;
  GWRM_DEVICE(cusolverDnCreate(&solver));
  GWRM_DEVICE(cusolverDnSetStream(solver, stream));
  GWRM_DEVICE(cusolverDnCreateParams(&solver_parameters));
}

DeviceHandles::~DeviceHandles() {
  release(*this);
}

namespace {

// CUDA has a current device for each thread, too, but asking for it begins with loading the library.
thread_local int device_of_thread = 0;

__global__ void probe_kernel() {}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string find_device(std::string& why) {
  int driver = 0, count = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    why = "no NVIDIA driver is installed";
    return {};
  }
  const cudaError_t status = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  if (status == cudaErrorInsufficientDriver) {
    why = "the NVIDIA driver is too old: it serves CUDA " + version_text(driver) +
          ", the program was built with CUDA " + version_text(CUDART_VERSION);
    return {};
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    why = "there is no CUDA device";
    return {};
  }
  cudaDeviceProp device{};
  cudaFuncAttributes attributes{};
  const int number = device_of_thread;
  if (status != cudaSuccess || cudaSetDevice(number) != cudaSuccess ||
      cudaGetDeviceProperties(&device, number) != cudaSuccess) {
    const cudaError_t last = cudaGetLastError();
    why = std::string("the CUDA device does not answer: ") + cudaGetErrorString(status != cudaSuccess ? status : last);
    return {};
  }
  if (cudaFuncGetAttributes(&attributes, probe_kernel) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    why = "the program holds no code for " + std::string(device.name) + " (compute capability " +
          std::to_string(device.major) + "." + std::to_string(device.minor) + ")";
    return {};
  }
  why.clear();
  return device.name;
}

std::shared_ptr<DeviceHandles> open_device() {
  return std::make_shared<DeviceHandles>();
}

int n_devices() {
  int driver = 0, count = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return 0;
  const bool answers = cudaGetDeviceCount(&count) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return answers ? count : 0;
}

void use_device(int number) {
  GWRM_DEVICE(cudaSetDevice(number));
  device_of_thread = number;
}

std::uint64_t device_identity(int number) {
  cudaDeviceProp device{};
  GWRM_DEVICE(cudaGetDeviceProperties(&device, number));
  std::uint64_t halves[2] = {};
  static_assert(sizeof(device.uuid.bytes) == sizeof(halves));
  std::memcpy(halves, device.uuid.bytes, sizeof(halves));
  return (halves[0] ^ halves[1] * 0x9e3779b97f4a7c15ull) | 1;
}

}  // namespace gwrm
