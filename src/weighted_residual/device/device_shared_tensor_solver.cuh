// The time-averaged preconditioner of a window that several GPUs share, for separable operators in Schur form: each
// solves for its pairs (time mode, field).
//
// Contract: src/weighted_residual/preconditioner/shared_average.hpp
//
// Rows in columns go to time modes, the rank's pairs to it, are solved for (device_tensor_fields.cuh), and back. A
// complex number is two columns. Pairs are dealt out mode by mode, as on the CPU.
#pragma once

#include "weighted_residual/device/device_preconditioner.cuh"
//
#include <memory>
#include <vector>

#include "weighted_residual/device/device_shares.cuh"
#include "weighted_residual/device/device_tensor_fields.cuh"

namespace gwrm::cuda {

class DeviceSharedTensorSolver : public DevicePreconditioner {
 public:
  // By all ranks, as every function. fields: for all modes. shares outlive it.
  DeviceSharedTensorSolver(DeviceTools& tools, const WindowSystem& system, const DeviceShares& shares,
                           const std::vector<TensorField>& fields, const TimeModes& modes,
                           const std::vector<std::complex<double>>& z);

  void look_at_rows(const double* v, double* facts) override { facts_.look(tools_, v, facts); }
  void apply(const double* v, const double* facts, double* result) override;
  void apply(const double* v, double* result) override;

 private:
  struct Part {                   // a block of rows, or the unknowns of a field
    Index offset = 0, width = 0;  // among the rank's own: width numbers at each time
    std::size_t table = 0;
    Index n_spatial = 0;  // numbers of a whole mode
  };
  struct Field {
    Index first = 0, n_modes = 0;  // the rank's own
    std::size_t place = 0;  // in the solver, if it has modes
    Part rows, unknowns;
    std::vector<Part> conditions;
  };
  Part add_part(const DeviceShares::Part& part, std::size_t field, std::vector<SharedTable>& tables) const;
  DeviceArray own_modes(const Part& part, const Field& field, const double* by_lines) const;

  DeviceTools& tools_;
  const DeviceShares& shares_;
  ModeMatrices modes_;
  DeviceRowFacts facts_;
  std::unique_ptr<DeviceTensorFields> solver_;  // null where the rank has no modes
  std::vector<Field> fields_;
  std::unique_ptr<DeviceExchange> of_rows_, of_unknowns_;
};

}  // namespace gwrm::cuda
