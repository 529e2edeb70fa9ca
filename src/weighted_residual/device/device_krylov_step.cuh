// An iteration of GMRES on the device: the preconditioner, then the Jacobian-vector product.
//
// Contract: src/weighted_residual/preconditioner/averaged_solver.hpp; its solve().
#pragma once

#include "weighted_residual/device/device_gmres.cuh"
//
#include <memory>
#include <utility>

#include "weighted_residual/device/device_preconditioner.cuh"
#include "weighted_residual/device/device_window.cuh"

namespace gwrm::cuda {

class JacobianStep : public DeviceKrylovStep {
 public:
  explicit JacobianStep(DeviceWindow& window) : window_(window) {}

  // Before the first look().
  void use(std::shared_ptr<DevicePreconditioner> preconditioner) { preconditioner_ = std::move(preconditioner); }

  void look(const double* v, double* facts) override { preconditioner_->look_at_rows(v, facts); }
  void run(const double* v, const double* facts, double* z, double* w) override {
    preconditioner_->apply(v, facts, z);
    window_.apply_jacobian(z, w);
  }

 private:
  DeviceWindow& window_;
  std::shared_ptr<DevicePreconditioner> preconditioner_;
};

}  // namespace gwrm::cuda
