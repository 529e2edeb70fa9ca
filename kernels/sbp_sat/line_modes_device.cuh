// The modes of a line in device memory.
//
// Contract: kernels/sbp_sat/line_modes.hpp
#pragma once

#include "core/device_handles.cuh"

#include <vector>

#include "kernels/sbp_sat/line_problem.hpp"

namespace gwrm::cuda {

class DeviceLine {
 public:
  // Complete on return. cuSOLVER's workspace is released.
  DeviceLine(DeviceHandles& handles, const StencilRows& a, const std::vector<double>& weights,
             LineSplit split = LineSplit::automatic, EigenSolver by = EigenSolver::automatic);

  const EvenOddSplit& fold() const { return fold_; }
  const double* vectors() const { return vectors_; }
  const double* values() const { return values_; }
  // How many values these are.
  std::size_t n_vectors() const { return at(fold_.n_parts) * at(fold_.pitch) * at(fold_.pitch); }
  std::size_t n_values() const { return at(fold_.extent()); }

 private:
  EvenOddSplit fold_;
  DeviceBuffer memory_;
  double *vectors_, *values_;
};

}  // namespace gwrm::cuda
