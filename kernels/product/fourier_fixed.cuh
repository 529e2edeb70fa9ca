// The lengths with kernels of their own, in double precision; the rest goes by AnyLength.
//
// Device only: the plans of the CPU (kernels/product/product_plan.hpp) have no variant fourier.
#pragma once

#include <vector>

#include "kernels/product/fourier_passes.cuh"

namespace gwrm::cuda {

struct FixedKernels {
  FourierLength f;
  FourierKernels<double> kernels;

  template <int... radices>
  static FixedKernels of() {
    return {fourier_length(std::vector<int>{radices...}), FourierKernels<double>::of<FixedLength<radices...>>()};
  }
};

// Ascending; in files of their own because they take long to compile.
const std::vector<FixedKernels>& short_fixed_kernels();
const std::vector<FixedKernels>& middle_fixed_kernels();
const std::vector<FixedKernels>& long_fixed_kernels();

}  // namespace gwrm::cuda
