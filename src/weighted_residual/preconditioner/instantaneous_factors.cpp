#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

class OnCpu final : public InstantaneousSystem {
 public:
  OnCpu(WindowSystem& system, const SpatialLayout& layout)
      : system_(system), layout_(layout), at_rest_(static_cast<std::size_t>(system.size()), 0.0) {}

  std::vector<double> rows() override {
    std::vector<double> f(at_rest_.size());
    system_.residual(at_rest_, f);
    return f;
  }

  FactorResult factors(double z) override {
    const std::vector<Array> averages = time_averages(system_, system_.linearise(at_rest_));
    if (wavenumber_unsupported_reason(system_.model(), system_.plan()).empty())
      return wavenumber_factors(system_, layout_, averages, {z}, Precision::double_complex);
    if (saddle_unsupported_reason(system_.model(), system_.discretisation().subdomains()).empty())
      return saddle_factors(system_, layout_, averages, {z}, Precision::double_complex);
    return {nullptr, LuStatus::singular};
  }

 private:
  WindowSystem& system_;
  const SpatialLayout& layout_;
  std::vector<double> at_rest_;
};

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

std::unique_ptr<InstantaneousSystem> instantaneous_on_cpu(WindowSystem& system, const SpatialLayout& layout) {
  return std::make_unique<OnCpu>(system, layout);
}

std::unique_ptr<InstantaneousSystem> instantaneous_at(const InstantaneousPlace& where, WindowSystem& system,
                                                      const SpatialLayout& layout) {
  if (where) try {
      return where(system, layout);
    } catch (const MemoryError&) {  // the CPU gives the same answer
    }
  return instantaneous_on_cpu(system, layout);
}

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
