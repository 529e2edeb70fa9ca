// Plans of cuFFT whose memory is the caller's.
//
// Device only: on the CPU the Fourier transforms are our own (kernels/transform/fourier_plan.hpp).
#pragma once

#include "core/device_handles.cuh"
//
#include <cufft.h>

#include "core/array.hpp"

namespace gwrm::cuda {

// DeviceError "CALL: cuFFT status N" unless the status is success; MemoryError if it is want of memory.
void check(cufftResult status, const char* call);
#define GWRM_FFT(call) ::gwrm::cuda::check((call), #call)

// `batch` transforms, each of a contiguous array of `points` along `rank` dimensions, on a stream.
class FourierLibraryPlan {
 public:
  FourierLibraryPlan(cufftType type, int rank, int* points, Index batch, cudaStream_t stream);
  FourierLibraryPlan(const FourierLibraryPlan&) = delete;
  FourierLibraryPlan& operator=(const FourierLibraryPlan&) = delete;
  ~FourierLibraryPlan();

  std::size_t bytes() const { return bytes_; }
  // The plan for the cufftExec calls that follow, with bytes() bytes of device memory.
  cufftHandle with_memory(void* memory) const;

 private:
  cufftHandle plan_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace gwrm::cuda
