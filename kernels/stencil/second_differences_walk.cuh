// Contract: kernels/stencil/second_differences.hpp
// What one thread does (second_differences_device.cuh); tests run it on the host.
#pragma once

#define GWRM_BOTH_SIDES __device__
#include "kernels/stencil/second_difference_weights.hpp"

namespace gwrm::cuda {

struct StencilWalk {
  int nx, ny, nz;
  double scale_x, scale_y, scale_z;  // 1 / h^2
  int block_x, block_y, planes;      // StencilShape
  int blocks_x, blocks_y;            // of the grid of blocks; those along z follow
};

// Block b of the walk covers x, then y, then z; thread t of it x, then y.
template <int Order, bool Periodic>
__device__ void walk_planes(const StencilWalk& walk, const double* f, const double* g, const double* e, double* out) {
  using Weights = SecondDifference<Order>;
  constexpr int kRadius = Weights::kRadius, kEnd = Weights::kEndRows;
  const int b = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  const int x = (b % walk.blocks_x) * walk.block_x + t % walk.block_x;
  const int y = (b / walk.blocks_x % walk.blocks_y) * walk.block_y + t / walk.block_x;
  const int first = b / walk.blocks_x / walk.blocks_y * walk.planes;
  const int last = first + walk.planes < walk.nz ? first + walk.planes : walk.nz;
  if (x >= walk.nx || y >= walk.ny) return;

  const long long plane = static_cast<long long>(walk.nx) * walk.ny;
  const long long column = static_cast<long long>(y) * walk.nx + x;
  const bool inner_x = x >= kRadius && x < walk.nx - kRadius, inner_y = y >= kRadius && y < walk.ny - kRadius;
  const auto plane_of = [&](int z) {  // where z lies outside and is not wrapped, any: the value is not used
    return Periodic ? (z % walk.nz + walk.nz) % walk.nz : z < 0 ? 0 : z < walk.nz ? z : walk.nz - 1;
  };

  double ring[2 * kRadius + 1];  // e of the planes z - kRadius .. z + kRadius
  for (int k = 0; k < 2 * kRadius; ++k) ring[k] = e[plane_of(first - kRadius + k) * plane + column];
  for (int z = first; z < last; ++z) {
    ring[2 * kRadius] = e[plane_of(z + kRadius) * plane + column];
    const double* const f_here = f + z * plane + column;
    const double* const g_here = g + z * plane + column;
    double along_x = 0.0, along_y = 0.0, along_z = 0.0;
    if (inner_x) {
#pragma unroll
      for (int k = -kRadius; k <= kRadius; ++k) along_x += Weights::inner(k) * f_here[k];
    } else {
      along_x = second_difference<Order, Periodic>(x, walk.nx, [&](int j) { return f_here[j - x]; });
    }
    if (inner_y) {
#pragma unroll
      for (int k = -kRadius; k <= kRadius; ++k) along_y += Weights::inner(k) * g_here[k * walk.nx];
    } else {
      along_y = second_difference<Order, Periodic>(
          y, walk.ny, [&](int j) { return g_here[static_cast<long long>(j - y) * walk.nx]; });
    }
    if (Periodic || (z >= kEnd && z < walk.nz - kEnd)) {
#pragma unroll
      for (int k = 0; k <= 2 * kRadius; ++k) along_z += Weights::inner(k - kRadius) * ring[k];
    } else {
      along_z = second_difference<Order, Periodic>(z, walk.nz, [&](int j) { return e[j * plane + column]; });
    }
    out[z * plane + column] = walk.scale_x * along_x + walk.scale_y * along_y + walk.scale_z * along_z;
#pragma unroll
    for (int k = 0; k < 2 * kRadius; ++k) ring[k] = ring[k + 1];
  }
}

}  // namespace gwrm::cuda
