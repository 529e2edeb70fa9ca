// The chain of matrix products of tensor_transform on tensors that lie on the device already.
#pragma once

#include <span>

#include "core/device_handles.cuh"
#include "core/matrix.hpp"

namespace gwrm::cuda {

// Doubles that the tensor needs at its largest, at the start, at the end or in between.
Index largest_intermediate(const Shape& shape, std::span<const Matrix* const> matrices);

Index total_entries(std::span<const Matrix* const> matrices);

// Transforms the tensor in `first`, using `second` in turn (largest_intermediate doubles each) and `device_matrices`
// (total_entries doubles) for the matrices, which are sent from the host. Returns whichever holds the result; `shape`
// becomes that of the result. Everything goes to the stream of `handles`; nothing waits.
double* transform_on_device(DeviceHandles& handles, double* first, double* second, double* device_matrices,
                            Shape& shape, std::span<const Matrix* const> matrices);

}  // namespace gwrm::cuda
