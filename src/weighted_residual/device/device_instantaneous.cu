#include "weighted_residual/device/device_instantaneous.cuh"

#include <map>
#include <utility>

#include "weighted_residual/device/device_preconditioner.cuh"

namespace gwrm::cuda {
namespace {

using Complex = std::complex<double>;

DeviceArray at_rest(DeviceTools& tools, std::size_t n) {
  DeviceArray zero = tools.pool.take(n);
  GWRM_DEVICE(cudaMemsetAsync(zero.data(), 0, n * sizeof(double), tools.handles.stream));
  return zero;
}

// x = S(z)^-1 b; of b the real parts count, and x is real.
void solve_real(DeviceTools& tools, DevicePreconditioner& factors, std::span<const Complex> b, std::span<Complex> x) {
  const HostClock clock;
  std::vector<double> numbers(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) numbers[i] = b[i].real();
  const DeviceArray right = tools.pool.take(b.size()), solution = tools.pool.take(x.size());
  tools.profile.upload(right.data(), numbers.data(), b.size());
  factors.apply(right.data(), solution.data());
  numbers.resize(x.size());
  tools.profile.download(numbers.data(), solution.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = numbers[i];
  tools.profile.add_total(clock.seconds());
}

}  // namespace

DeviceInstantaneous::DeviceInstantaneous(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system,
                                         const SpatialLayout& layout, bool interpreted)
    : tools_(tools), system_(system), layout_(layout), window_(tools, programs, system, interpreted) {}

std::vector<double> DeviceInstantaneous::rows() {
  const HostClock clock;
  const DeviceArray x = at_rest(tools_, window_.n_unknowns()), f = tools_.pool.take(window_.n_unknowns());
  window_.residual(x.data(), f.data());
  std::vector<double> result(window_.n_unknowns());
  tools_.profile.download(result.data(), f.data(), result.size());
  tools_.profile.add_total(clock.seconds());
  return result;
}

FactorResult DeviceInstantaneous::factors(double z) {
  const HostClock clock;
  const DeviceArray x = at_rest(tools_, window_.n_unknowns());
  window_.linearise(x.data());
  std::map<std::pair<int, int>, Vector> known;  // several terms ask for the same mean
  const CoefficientMeans means = [&](int coefficient, int axis) {
    const auto [mean, is_new] = known.try_emplace({coefficient, axis});
    if (is_new) mean->second = window_.coefficient_mean(coefficient, axis);
    return mean->second;
  };
  WavenumberOperators operators;
  if (const LuStatus status = wavenumber_operators(system_, layout_, means, operators); status != LuStatus::regular)
    return {nullptr, status};
  DevicePreconditionerResult made =
      make_wavenumber_preconditioner(tools_, system_, operators, nullptr, {Complex(z)}, [] {});
  if (made.status != LuStatus::regular) return {nullptr, made.status};
  tools_.profile.see_memory(tools_.pool.bytes() + made.preconditioner->own_bytes());
  tools_.profile.add_host(DevicePart::factorisation, clock.seconds());
  tools_.profile.add_total(clock.seconds());
  const std::shared_ptr<DevicePreconditioner> factors = std::move(made.preconditioner);
  return {wavenumber_products(std::move(operators), system_.context().n_threads(),
                              [factors, &tools = tools_](std::span<const Complex> b, std::span<Complex> solution) {
                                solve_real(tools, *factors, b, solution);
                              }),
          LuStatus::regular};
}

}  // namespace gwrm::cuda
