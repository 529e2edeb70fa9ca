#include "kernels/product/fourier_fixed.cuh"

namespace gwrm::cuda {

const std::vector<FixedKernels>& long_fixed_kernels() {
  static const std::vector<FixedKernels> all = {
      FixedKernels::of<5, 6, 10>(),    // 300
      FixedKernels::of<6, 6, 10>(),    // 360
      FixedKernels::of<6, 8, 10>(),    // 480
      FixedKernels::of<6, 10, 10>(),   // 600
      FixedKernels::of<8, 10, 10>(),   // 800
      FixedKernels::of<10, 10, 10>(),  // 1000
      FixedKernels::of<5, 5, 6, 8>(),  // 1200
      FixedKernels::of<5, 5, 6, 10>()  // 1500
  };
  return all;
}

}  // namespace gwrm::cuda
