// cuBLAS loads its kernels at the first call of each kind of product, 50 to 70 ms each on an H200: threads make those
// calls while the host is busy with other things.
//
// Device only: the BLAS of the CPU has nothing to load.
#pragma once

#include <thread>

#include "core/device_handles.cuh"

namespace gwrm::cuda {

class BlasWarmUp {
 public:
  enum class Numbers { real, complex };

  // Begins with matrix products of such numbers, as kernels/transform/device_tensor.cuh asks for them, on a handle and
  // a stream of its own, on the caller's device. What fails is left for the caller's own products to report.
  explicit BlasWarmUp(Numbers numbers) : thread_(&BlasWarmUp::run, numbers, current_device()) {}
  ~BlasWarmUp() { wait(); }
  BlasWarmUp(const BlasWarmUp&) = delete;
  BlasWarmUp& operator=(const BlasWarmUp&) = delete;

  // Until it has ended: while kernels are loaded the driver keeps copies waiting, of other threads too.
  void wait() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  static int current_device() {
    int device = 0;
    GWRM_DEVICE(cudaGetDevice(&device));
    return device;
  }
  static void run(Numbers numbers, int device);
  std::thread thread_;
};

}  // namespace gwrm::cuda
