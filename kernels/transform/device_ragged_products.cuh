// Matrix products of different shapes on the device, in one launch.
//
// Contract: kernels/transform/ragged_products.hpp
//
// Everything goes to the stream of `handles`; nothing waits. A block of two warps makes a tile of 32 x 64; pieces of 16
// columns of A and rows of B arrive in shared memory while the piece before is multiplied.
#pragma once

#include "kernels/transform/device_tensor.cuh"
//
#include "kernels/transform/ragged_products.hpp"

namespace gwrm::cuda {

class DeviceRaggedProducts {
 public:
  DeviceRaggedProducts() = default;
  // Its lists are there after matrices.send(); `matrices` must outlive it.
  DeviceRaggedProducts(const RaggedProducts& products, DeviceMatrices& matrices);

  void apply(const DeviceHandles& handles, const double* a, const double* b, bool add, double* c) const;

  struct Tile {
    std::int32_t task, row, column;
  };

 private:
  const RaggedTask* tasks_ = nullptr;
  const RaggedTerm* terms_ = nullptr;
  const Tile* tiles_ = nullptr;
  unsigned n_tiles_ = 0;
};

}  // namespace gwrm::cuda
