#include "weighted_residual/device/device_krylov_step.cuh"

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {
namespace {

// The first graph of a process costs tens of milliseconds: not for runs that are done by then.
constexpr int kWorthRecording = 50;

}  // namespace

void JacobianStep::use(std::shared_ptr<DeviceTensorSolver> preconditioner) {
  if (preconditioner == preconditioner_) return;
  graph_.reset();
  has_run_ = false;
  preconditioner_ = std::move(preconditioner);
}

void JacobianStep::run_directly(const double* v, bool with_conditions, double* z, double* w) {
  preconditioner_->apply(v, with_conditions, z);
  window_.apply_jacobian(z, w);
}

void JacobianStep::run(const double* v, const double* facts, double* z, double* w) {
  const bool with_conditions = DeviceTensorSolver::conditions_matter(facts);
  if (!with_graph_ || with_conditions || !has_run_ || n_direct_ < kWorthRecording) {
    run_directly(v, with_conditions, z, w);
    ++n_direct_;
    has_run_ = has_run_ || !with_conditions;
    return;
  }
  const std::size_t n = window_.size();
  if (graph_ == nullptr) {
    for (DeviceArray* array : {&v_, &z_, &w_})
      if (array->empty()) *array = tools_.pool.take(n);
    graph_ = std::make_unique<DeviceGraph>(tools_.profile, tools_.pool,
                                           [&] { run_directly(v_.data(), false, z_.data(), w_.data()); });
  }
  const auto copy = [&](double* target, const double* source) {
    GWRM_DEVICE(cudaMemcpyAsync(target, source, n * sizeof(double), cudaMemcpyDeviceToDevice, tools_.handles.stream));
  };
  copy(v_.data(), v);
  graph_->launch();
  copy(z, z_.data());
  copy(w, w_.data());
}

}  // namespace gwrm::cuda
