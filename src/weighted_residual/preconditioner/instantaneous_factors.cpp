#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

namespace {

// y = S(z) x.
void apply(const WindowSystem& system, const SpatialFactors& factors, double z, const std::vector<Complex>& x,
           std::vector<Complex>& y) {
  std::fill(y.begin(), y.end(), 0.0);
  std::vector<Complex> applied(y.size());
  double power = 1.0;
  for (int p = 0; p <= highest_power(system); ++p, power *= z) {
    factors.apply(p, x, applied);
    for (std::size_t j = 0; j < y.size(); ++j) y[j] += power * applied[j];
  }
}

bool all_finite(const std::vector<Complex>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](Complex one) { return std::isfinite(one.real()) && std::isfinite(one.imag()); });
}

}  // namespace

InstantaneousSolution solve_instantaneous(const WindowSystem& system, const SpatialFactors& factors, double z,
                                          const std::vector<Complex>& b, double tolerance,
                                          const std::function<double(const std::vector<Complex>&)>& size) {
  std::vector<Complex> x(b.size(), 0.0), correction(b.size()), left = b, applied(b.size());
  double last = std::numeric_limits<double>::infinity();
  while (true) {
    factors.solve(0, left, correction);
    const double now = size(correction);
    if (!(now < 0.5 * last) || !all_finite(correction)) break;
    last = now;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += correction[j];
    if (now <= tolerance * size(x)) break;
    apply(system, factors, z, x, applied);
    for (std::size_t j = 0; j < left.size(); ++j) left[j] = b[j] - applied[j];
  }
  const double relative = last == 0.0 ? 0.0 : last / size(x);
  return {std::move(x), relative};
}

}  // namespace gwrm
