#include "kernels/product/fourier_fixed.cuh"

namespace gwrm::cuda {

const std::vector<FixedKernels>& middle_fixed_kernels() {
  static const std::vector<FixedKernels> all = {
      FixedKernels::of<4, 5, 6>(),  // 120
      FixedKernels::of<5, 5, 6>(),  // 150
      FixedKernels::of<5, 6, 6>(),  // 180
      FixedKernels::of<6, 6, 6>(),  // 216
      FixedKernels::of<5, 6, 8>(),  // 240
      FixedKernels::of<6, 6, 8>(),  // 288
  };
  return all;
}

}  // namespace gwrm::cuda
