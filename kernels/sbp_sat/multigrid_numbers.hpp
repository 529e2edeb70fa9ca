// The numbers of the multigrid cycle that the CPU's and the device's implementations share
// (problems/sbp_sat/multigrid.hpp, kernels/sbp_sat/device_cg_multigrid.cu).
#pragma once

#include <random>
#include <vector>

#include "core/array.hpp"

namespace gwrm::multigrid {

constexpr double kSmoothedPart = 0.25;  // of the spectrum of D^-1 A: the smoother damps [l/4, l]

// l is found by power iteration, which approaches it from below; with fewer steps on large grids, which are not
// estimated below the coarser ones.
constexpr double kSafety = 1.05;
constexpr int power_steps(Index n) {
  return n < 40000 ? 30 : 8;
}
inline std::vector<double> power_start(Index n) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> v(static_cast<std::size_t>(n));
  for (double& value : v) value = uniform(generator);
  return v;
}

}  // namespace gwrm::multigrid
