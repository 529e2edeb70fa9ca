// The time-averaged preconditioner on the device, for separable operators in Schur form.
//
// Contract: src/weighted_residual/preconditioner/tensor_operators.hpp
//
// Time nodes go to time modes, the fields are solved for (device_tensor_fields.cuh), and back.
#pragma once

#include "weighted_residual/device/device_preconditioner.cuh"
//
#include "weighted_residual/device/device_tensor_fields.cuh"

namespace gwrm::cuda {

class DeviceTensorSolver : public DevicePreconditioner {
 public:
  // modes: null for a steady problem. Nothing of `system` is kept.
  DeviceTensorSolver(DeviceTools& tools, const WindowSystem& system, const std::vector<TensorField>& fields,
                     const TimeModes* modes, const std::vector<std::complex<double>>& z);

  // The facts: the largest magnitudes in the rows of the equations and of the conditions, which may have nothing in
  // them.
  void look_at_rows(const double* v, double* facts) override { facts_.look(tools_, v, facts); }
  void apply(const double* v, const double* facts, double* result) override;
  void apply(const double* v, double* result) override;

 private:
  struct Places {  // of a field in a window's vectors
    Index rows = 0, unknowns = 0;
    std::vector<Index> conditions;
  };

  DeviceTools& tools_;
  ModeMatrices modes_;
  ModeTensors tensors_;
  DeviceRowFacts facts_;
  DeviceTensorFields fields_;
  std::vector<Places> places_;
};

}  // namespace gwrm::cuda
