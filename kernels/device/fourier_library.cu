#include "kernels/device/fourier_library.cuh"

#include <string>

#include "core/errors.hpp"

namespace gwrm::cuda {

void check(cufftResult status, const char* call) {
  if (status == CUFFT_SUCCESS) return;
  const std::string message = std::string(call) + ": cuFFT status " + std::to_string(static_cast<int>(status));
  if (status == CUFFT_ALLOC_FAILED) throw MemoryError(message + ", out of device memory");
  throw DeviceError(message);
}

FourierLibraryPlan::FourierLibraryPlan(cufftType type, int rank, int* points, Index batch, cudaStream_t stream) {
  GWRM_FFT(cufftCreate(&plan_));
  GWRM_FFT(cufftSetAutoAllocation(plan_, 0));
  GWRM_FFT(
      cufftMakePlanMany(plan_, rank, points, nullptr, 1, 0, nullptr, 1, 0, type, static_cast<int>(batch), &bytes_));
  GWRM_FFT(cufftSetStream(plan_, stream));
}

FourierLibraryPlan::~FourierLibraryPlan() {
  static_cast<void>(cufftDestroy(plan_));
}

cufftHandle FourierLibraryPlan::with_memory(void* memory) const {
  GWRM_FFT(cufftSetWorkArea(plan_, memory));
  return plan_;
}

}  // namespace gwrm::cuda
