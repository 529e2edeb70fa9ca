// A plan of cuFFT for many transforms one after the other, with its work area in memory of the caller.
//
// Device only: a library of the device.
#pragma once

#include "core/device_handles.cuh"
//
#include <cufft.h>

#include <cstddef>
#include <string>

#include "core/array.hpp"
#include "core/errors.hpp"

namespace gwrm::cuda {

inline void check(cufftResult status, const char* call) {
  if (status == CUFFT_SUCCESS) return;
  const std::string message = std::string(call) + ": cuFFT status " + std::to_string(static_cast<int>(status));
  if (status == CUFFT_ALLOC_FAILED) throw MemoryError(message + ", out of device memory");
  throw DeviceError(message);
}
#define GWRM_FFT(call) ::gwrm::cuda::check((call), #call)

class CufftPlan {
 public:
  CufftPlan(cufftType type, int rank, int* lengths, Index batch, cudaStream_t stream) {
    GWRM_FFT(cufftCreate(&plan_));
    GWRM_FFT(cufftSetAutoAllocation(plan_, 0));
    GWRM_FFT(
        cufftMakePlanMany(plan_, rank, lengths, nullptr, 1, 0, nullptr, 1, 0, type, static_cast<int>(batch), &bytes_));
    GWRM_FFT(cufftSetStream(plan_, stream));
  }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;
  ~CufftPlan() { static_cast<void>(cufftDestroy(plan_)); }

  std::size_t bytes() const { return bytes_; }
  cufftHandle with_memory(void* memory) const {
    GWRM_FFT(cufftSetWorkArea(plan_, memory));
    return plan_;
  }

 private:
  cufftHandle plan_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace gwrm::cuda
