#include "kernels/product/fourier_fixed.cuh"

namespace gwrm::cuda {

const std::vector<FixedKernels>& short_fixed_kernels() {
  static const std::vector<FixedKernels> all = {
      FixedKernels::of<4, 4>(),     // 16
      FixedKernels::of<4, 6>(),     // 24
      FixedKernels::of<5, 6>(),     // 30
      FixedKernels::of<6, 6>(),     // 36
      FixedKernels::of<6, 8>(),     // 48
      FixedKernels::of<3, 4, 5>(),  // 60
      FixedKernels::of<3, 5, 5>(),  // 75
      FixedKernels::of<4, 4, 6>(),  // 96
  };
  return all;
}

}  // namespace gwrm::cuda
