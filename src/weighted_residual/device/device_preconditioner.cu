#include "weighted_residual/device/device_preconditioner.cuh"

#include "weighted_residual/device/device_line_solver.cuh"
#include "weighted_residual/device/device_saddle_solver.cuh"
#include "weighted_residual/device/device_shared_tensor_solver.cuh"
#include "weighted_residual/device/device_tensor_solver.cuh"
#include "weighted_residual/device/device_wavenumber_solver.cuh"

namespace gwrm::cuda {

ModeMatrices mode_matrices(const TimeModes* modes) {
  ModeMatrices result;
  if (modes == nullptr) {
    result.forward[0][0] = result.backward[0][0] = {1.0, 0.0};
    return result;
  }
  result.n_nodes = static_cast<int>(modes->forward.cols());
  result.n_modes = static_cast<int>(modes->forward.rows() / 2);
  for (int k = 0; k < result.n_modes; ++k)
    for (int j = 0; j < result.n_nodes; ++j) {
      result.forward[k][j] = {modes->forward(2 * k, j), modes->forward(2 * k + 1, j)};
      result.backward[k][j] = {modes->backward(j, 2 * k), modes->backward(j, 2 * k + 1)};
    }
  return result;
}

DevicePreconditionerResult make_wavenumber_preconditioner(DeviceTools& tools, const WindowSystem& system,
                                                          const WavenumberOperators& operators, const TimeModes* modes,
                                                          const std::vector<std::complex<double>>& z,
                                                          const std::function<void()>& ready) {
  if (static_cast<int>(operators.axes.size()) < system.model().n_modal_axes()) {  // one of them is bounded
    WavenumberLineTables tables;
    if (const LuStatus status = wavenumber_line_tables(operators, tables); status != LuStatus::regular)
      return {nullptr, status};
    ready();
    auto solver = std::make_unique<DeviceLineSolver>(tools, system, std::move(tables), modes, z);
    const LuStatus status = solver->status();
    if (status != LuStatus::regular) return {nullptr, status};
    return {std::move(solver), LuStatus::regular};
  }
  WavenumberTables tables;
  if (const LuStatus status = wavenumber_tables(operators, z, tables); status != LuStatus::regular)
    return {nullptr, status};
  auto solver = std::make_unique<DeviceWavenumberSolver>(tools, system, operators, tables, modes);
  if (!solver->is_regular()) return {nullptr, LuStatus::singular};
  return {std::move(solver), LuStatus::regular};
}

DevicePreconditionerResult make_preconditioner(DeviceTools& tools, const WindowSystem& system, SpatialMethod method,
                                               const CoefficientMeans& means, const std::function<void()>& ready,
                                               const DeviceShares* shares) {
  const SpatialLayout layout(system);
  const TimeBasis* time = system.discretisation().time();
  const TimeModes* modes = time != nullptr ? &time_modes(time->n_unknowns()) : nullptr;
  std::vector<std::complex<double>> z{0.0};  // steady: S(0) = B_0
  if (modes != nullptr) {
    z = modes->eigenvalues;
    for (std::complex<double>& value : z) value *= (time->end() - time->start()) / 2.0;
  }
  if (method == SpatialMethod::wavenumber) {
    WavenumberOperators operators;
    if (const LuStatus status = wavenumber_operators(system, layout, means, operators); status != LuStatus::regular)
      return {nullptr, status};
    return make_wavenumber_preconditioner(tools, system, operators, modes, z, ready);
  }
  std::vector<TensorField> fields;
  if (const LuStatus status = tensor_operators(system, layout, means, z, fields); status != LuStatus::regular)
    return {nullptr, status};
  if (method == SpatialMethod::saddle) {
    std::vector<SaddlePair> pairs;
    if (const LuStatus status = saddle_pairs(system, layout, means, z, fields, pairs); status != LuStatus::regular)
      return {nullptr, status};
    ready();
    return {std::make_unique<DeviceSaddleSolver>(tools, system, fields, pairs, modes, z), LuStatus::regular};
  }
  ready();
  if (shares != nullptr)
    return {std::make_unique<DeviceSharedTensorSolver>(tools, system, *shares, fields, *modes, z), LuStatus::regular};
  return {std::make_unique<DeviceTensorSolver>(tools, system, fields, modes, z), LuStatus::regular};
}

}  // namespace gwrm::cuda
