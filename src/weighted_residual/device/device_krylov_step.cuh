// An iteration of GMRES on the device: the preconditioner, then the Jacobian-vector product. From the second one on
// whose conditions are fulfilled it is a graph that is replayed, until the preconditioner is another one.
#pragma once

#include "kernels/device/device_graph.cuh"
//
#include <memory>

#include "weighted_residual/device/device_gmres.cuh"
#include "weighted_residual/device/device_tensor_solver.cuh"
#include "weighted_residual/device/device_window.cuh"

namespace gwrm::cuda {

class JacobianStep : public DeviceKrylovStep {
 public:
  // n_direct: iterations so far that the host has launched, of all windows. with_graph: false leaves all of them to it.
  JacobianStep(DeviceTools& tools, DeviceWindow& window, bool with_graph, int& n_direct)
      : tools_(tools), window_(window), with_graph_(with_graph), n_direct_(n_direct) {}

  // Before the first look().
  void use(std::shared_ptr<DeviceTensorSolver> preconditioner);

  void look(const double* v, double* facts) override { preconditioner_->look_at_rows(v, facts); }
  void run(const double* v, const double* facts, double* z, double* w) override;

 private:
  void run_directly(const double* v, bool with_conditions, double* z, double* w);

  DeviceTools& tools_;
  DeviceWindow& window_;
  bool with_graph_;
  int& n_direct_;
  std::shared_ptr<DeviceTensorSolver> preconditioner_;
  bool has_run_ = false;
  DeviceArray v_, z_, w_;  // what the graph reads and writes
  std::unique_ptr<DeviceGraph> graph_;
};

}  // namespace gwrm::cuda
