// cuBLAS loads its kernels at the first call of each kind of product, 50 to 70 ms each on an H200: a thread makes those
// calls while the host is busy with other things.
#pragma once

#include <thread>

#include "core/device_handles.cuh"

namespace gwrm::cuda {

class BlasWarmUp {
 public:
  // Begins with matrix products of doubles and complex doubles, as kernels/device_tensor.cuh asks for them, on a handle
  // and a stream of its own. What fails is left for the caller's own products to report.
  BlasWarmUp() : thread_(&BlasWarmUp::run) {}
  ~BlasWarmUp() { thread_.join(); }
  BlasWarmUp(const BlasWarmUp&) = delete;
  BlasWarmUp& operator=(const BlasWarmUp&) = delete;

 private:
  static void run();
  std::thread thread_;
};

}  // namespace gwrm::cuda
