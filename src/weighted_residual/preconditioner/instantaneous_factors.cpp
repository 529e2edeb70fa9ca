#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

#include <algorithm>

namespace gwrm {

using Complex = std::complex<double>;

FactorResult instantaneous_factors(const WindowSystem& system, const SpatialLayout& layout, double z) {
  const std::vector<double> at_rest(static_cast<std::size_t>(system.size()), 0.0);
  const std::vector<Array> averages = time_averages(system, system.linearise(at_rest));
  if (wavenumber_unsupported_reason(system.model(), system.plan()).empty())
    return wavenumber_factors(system, layout, averages, {z}, Precision::double_complex);
  if (saddle_unsupported_reason(system.model(), system.discretisation().subdomains()).empty())
    return saddle_factors(system, layout, averages, {z}, Precision::double_complex);
  return {nullptr, LuStatus::singular};
}

void apply_instantaneous(const WindowSystem& system, const SpatialFactors& factors, double z,
                         std::span<const Complex> x, std::span<Complex> y) {
  std::fill(y.begin(), y.end(), 0.0);
  std::vector<Complex> applied(y.size());
  double power = 1.0;
  for (int p = 0; p <= highest_power(system); ++p, power *= z) {
    factors.apply(p, x, applied);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] += power * applied[j];
  }
}

}  // namespace gwrm
