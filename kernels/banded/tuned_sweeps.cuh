// The trial of sweeps down and up (kernels/banded/sweep_choices.hpp).
//
// Contract: kernels/device/tuned_kernel.hpp
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "kernels/banded/banded_batch.hpp"
#include "kernels/banded/substitution_steps.cuh"
#include "kernels/banded/sweep_choices.hpp"
#include "kernels/device/tuned_kernel.cuh"

namespace gwrm::banded {

// On zeros, of as many systems as fill a device some times; null where a trial is not worth its while.
template <class Tables>
std::unique_ptr<cuda::TunedKernel> tuned_sweeps(const DeviceHandles& handles, const BandedShape& shape,
                                                const std::vector<KernelChoice>& choices, const std::string& name,
                                                Tables down, Tables up) {
  const Index n_systems = std::min<Index>(shape.batch, 10000);
  const std::size_t n_numbers = static_cast<std::size_t>(n_systems * shape.n);
  if (!worth_tuning(static_cast<double>(n_numbers))) return nullptr;
  cuda::DeviceBuffer right, solution;
  BatchOfRows<double> batch{right.reserve<double>(n_numbers), solution.reserve<double>(n_numbers), shape.n, n_systems};
  GWRM_DEVICE(cudaMemsetAsync(right.as<double>(), 0, sizeof(double) * n_numbers, handles.stream));
  void* arguments[] = {&batch, &down, &up};
  return std::make_unique<cuda::TunedKernel>(handles, choices, name + ", " + std::to_string(n_systems) + " systems",
                                             n_systems, arguments);
}

}  // namespace gwrm::banded
