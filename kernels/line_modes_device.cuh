// The modes of a line in device memory, laid out as in kernels/line_modes.hpp.
#pragma once

#include "core/device_handles.cuh"

#include <vector>

#include "kernels/line_problem.hpp"

namespace gwrm::cuda {

class DeviceLine {
 public:
  // Complete on return. What only the eigenproblem needed is released: (size of the largest part)^2 values and
  // cuSOLVER's workspace.
  DeviceLine(DeviceHandles& handles, const StencilRows& a, const std::vector<double>& weights,
             LineSplit split = LineSplit::automatic, EigenSolver by = EigenSolver::automatic);

  int n() const { return n_; }
  const double* vectors() const { return vectors_; }  // n x n, a vector per row
  const double* values() const { return values_; }

 private:
  int n_;
  DeviceBuffer memory_;
  double *vectors_, *values_;
};

}  // namespace gwrm::cuda
