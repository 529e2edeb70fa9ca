// Integrals over one axis of what is evaluated at the points of a window: a kernel for the integrand, a weighted sum.
//
// Contract: src/expression/tape.hpp; its integrals, and those of the linearised rows.
//
// Formula   value[.., 1, ..] = length sum_j w_j integrand[.., j, ..], w the quadrature weights of the axis divided by
//           their sum, length.
// Cost      one pass that writes the integrand, none where it is a single tensor, and one that reads it.
// Determinism  sums by products with one row of weights: the same bits on every run on one device.
#pragma once

#include "kernels/transform/device_tensor.cuh"
//
#include <string>
#include <vector>

#include "weighted_residual/device/device_atoms.cuh"
#include "weighted_residual/device/device_pointwise.cuh"

namespace gwrm::cuda {

class DeviceIntegrals {
 public:
  // pointwise: gets a set for each integrand, named after `name`; is compiled before the first run().
  DeviceIntegrals(DeviceTools& tools, DevicePointwise& pointwise, std::string name)
      : tools_(tools), pointwise_(pointwise), name_(std::move(name)) {}

  // Where the value will be: extent 1 along the axis. The integrand has no target; it may read integrals added before.
  DeviceTensor add(PointwiseOutput integrand, std::size_t axis, const double* weights, double length);
  // All of them, in the order in which they were added.
  void run() const;

 private:
  struct Integral {
    int set = -1;  // -1: the integrand is there already
    DeviceTensor integrand;
    DeviceArray memory, value;
    std::size_t axis = 0;
    const double* weights = nullptr;
    double length = 0.0;
  };
  DeviceTools& tools_;
  DevicePointwise& pointwise_;
  std::string name_;
  std::vector<Integral> integrals_;
};

}  // namespace gwrm::cuda
