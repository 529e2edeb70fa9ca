// Contract: kernels/device/tuned_kernel.hpp
#pragma once

#include <memory>

#include "core/device_handles.cuh"
#include "kernels/device/run_time_compiler.cuh"
#include "kernels/device/tuned_kernel.hpp"

namespace gwrm::cuda {

class TunedKernel {
 public:
  // Of the trial: n_items, and `arguments`, pointers to the kernel's, as cudaLaunchKernel takes them. `question`: what
  // the choice depends on, sizes before all. DeviceError if no choice can be launched.
  TunedKernel(const DeviceHandles& handles, const std::vector<KernelChoice>& choices, const std::string& question,
              long long n_items, void** arguments);

  void launch(cudaStream_t stream, long long n_items, void** arguments) const;
  std::size_t choice() const { return choice_; }

 private:
  std::size_t choice_ = 0;
  KernelChoice chosen_;
  std::shared_ptr<const DeviceProgram> program_;
};

}  // namespace gwrm::cuda
