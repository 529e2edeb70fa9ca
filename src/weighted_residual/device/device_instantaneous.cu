#include "weighted_residual/device/device_instantaneous.cuh"

#include <complex>
#include <map>
#include <utility>

namespace gwrm::cuda {

DeviceInstantaneous::DeviceInstantaneous(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system,
                                         bool interpreted)
    : tools_(tools), system_(system), window_(tools, programs, system, interpreted) {}

DeviceArray DeviceInstantaneous::at_rest() {
  DeviceArray zero = tools_.pool.take(window_.n_unknowns());
  GWRM_DEVICE(cudaMemsetAsync(zero.data(), 0, zero.size() * sizeof(double), tools_.handles.stream));
  return zero;
}

std::vector<double> DeviceInstantaneous::rows() {
  const HostClock clock;
  const DeviceArray x = at_rest(), f = tools_.pool.take(window_.n_unknowns());
  window_.residual(x.data(), f.data());
  std::vector<double> result(window_.n_unknowns());
  tools_.profile.download(result.data(), f.data(), result.size());
  tools_.profile.add_total(clock.seconds());
  return result;
}

LuStatus DeviceInstantaneous::factor() {
  const HostClock clock;
  const DeviceArray x = at_rest();
  window_.linearise(x.data());
  std::map<std::pair<int, int>, Vector> known;  // several terms ask for the same mean
  const CoefficientMeans means = [&](int coefficient, int axis) {
    const auto [mean, is_new] = known.try_emplace({coefficient, axis});
    if (is_new) mean->second = window_.coefficient_mean(coefficient, axis);
    return mean->second;
  };
  WavenumberOperators operators;
  const SpatialLayout layout(system_);
  if (const LuStatus status = wavenumber_operators(system_, layout, means, operators); status != LuStatus::regular)
    return status;
  DevicePreconditionerResult made = make_wavenumber_preconditioner(
      tools_, system_, operators, nullptr, {std::complex<double>(system_.discretisation().time()->length())}, [] {});
  if (made.status != LuStatus::regular) return made.status;
  factors_ = std::move(made.preconditioner);
  tools_.profile.see_memory(tools_.pool.bytes() + factors_->own_bytes());
  tools_.profile.add_host(DevicePart::factorisation, clock.seconds());
  tools_.profile.add_total(clock.seconds());
  return LuStatus::regular;
}

template <class Operation>
void DeviceInstantaneous::on_device(std::span<const double> from, std::span<double> to, const Operation& operation) {
  const HostClock clock;
  const DeviceArray x = tools_.pool.take(from.size()), y = tools_.pool.take(to.size());
  tools_.profile.upload(x.data(), from.data(), from.size());
  operation(x.data(), y.data());
  tools_.profile.download(to.data(), y.data(), to.size());
  tools_.profile.add_total(clock.seconds());
}

void DeviceInstantaneous::precondition(std::span<const double> b, std::span<double> x) {
  on_device(b, x, [&](const double* right, double* solution) { factors_->apply(right, solution); });
}

void DeviceInstantaneous::apply(std::span<const double> x, std::span<double> b) {
  on_device(x, b, [&](const double* v, double* product) { window_.apply_jacobian(v, product); });
}

}  // namespace gwrm::cuda
