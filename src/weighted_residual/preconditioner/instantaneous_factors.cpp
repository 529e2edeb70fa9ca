#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "core/errors.hpp"
#include "solver/gmres.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<double>;

constexpr int kMostShortIterations = kMaxSteadySaddleIterations;  // of GMRES in all: no time step helps it
constexpr Index kMostDense = 2000;                                // unknowns: a tenth of a second
constexpr double kContracts = 0.1;  // what plain refinement leaves of a correction where it does without GMRES
// What one run of GMRES takes off, of what is wanted, and at most: that of its recurrence ends at rounding.
constexpr double kBelowTolerance = 0.1, kLeastReduction = 0.1, kMostReduction = 1e-12;

class OnCpu final : public InstantaneousSystem {
 public:
  OnCpu(WindowSystem& system, const SpatialLayout& layout, bool may_be_dense)
      : system_(system),
        layout_(layout),
        may_be_dense_(may_be_dense && system.size() <= kMostDense),
        at_rest_(static_cast<std::size_t>(system.size()), 0.0) {}

  Numbers rows() override {
    Numbers f(at_rest_.size());
    system_.residual(at_rest_, f);
    return f;
  }

  LuStatus factor() override {
    linearised_ = system_.linearise(at_rest_);
    const std::vector<Complex> z{system_.discretisation().time()->length()};
    FactorResult result{nullptr, LuStatus::singular};
    const std::vector<Array> averages = time_averages(system_, linearised_);
    if (wavenumber_unsupported_reason(system_.model(), system_.plan()).empty())
      result = wavenumber_factors(system_, layout_, averages, z, Precision::double_complex);
    else if (saddle_unsupported_reason(system_.model(), system_.discretisation().subdomains()).empty())
      result = saddle_factors(system_, layout_, averages, z, Precision::double_complex);
    factors_ = std::move(result.factors);
    if (result.status == LuStatus::regular || !may_be_dense_) return result.status;
    dense_ = cpu::make_dense_lu();
    return system_.factor_jacobian(at_rest_, *dense_);
  }

  void precondition(std::span<const double> b, std::span<double> x) override {
    if (dense_) {
      std::copy(b.begin(), b.end(), x.begin());
      return dense_->solve(x);
    }
    const std::vector<Complex> right(b.begin(), b.end());
    std::vector<Complex> solution(x.size());
    factors_->solve(0, right, solution);
    std::transform(solution.begin(), solution.end(), x.begin(), [](Complex value) { return value.real(); });
  }

  void apply(std::span<const double> x, std::span<double> b) override { system_.apply_jacobian(linearised_, x, b); }

 private:
  WindowSystem& system_;
  const SpatialLayout& layout_;
  const bool may_be_dense_;
  const Numbers at_rest_;
  Linearisation linearised_;
  std::unique_ptr<SpatialFactors> factors_;
  std::unique_ptr<DenseLu> dense_;
};

std::vector<AxisDescription> with_nodes(const Model& model, std::vector<AxisDescription> subdomains, int n_nodes) {
  subdomains[at(model.time_axis())].degree = n_nodes;
  return subdomains;
}

bool all_finite(const Numbers& values) {
  return std::all_of(values.begin(), values.end(), [](double one) { return std::isfinite(one); });
}

}  // namespace

double short_step(double length, double t) {
  constexpr double kUnits = 64.0 * std::numeric_limits<double>::epsilon();
  return std::max(kShortStep * length, kUnits * std::abs(t));
}

ShortWindow::ShortWindow(const Context& context, const Model& model, const SystemPlan& plan,
                         std::vector<AxisDescription> subdomains, const std::vector<double>& parameter_values,
                         int n_nodes, double start, double end, const State& state)
    : discretisation(model, with_nodes(model, std::move(subdomains), n_nodes), parameter_values, start, end),
      system(context, model, plan, discretisation, state),
      layout(system) {}

std::unique_ptr<InstantaneousSystem> instantaneous_on_cpu(WindowSystem& system, const SpatialLayout& layout,
                                                          bool may_be_dense) {
  return std::make_unique<OnCpu>(system, layout, may_be_dense);
}

std::unique_ptr<InstantaneousSystem> instantaneous_at(const InstantaneousPlace& where, WindowSystem& system,
                                                      const SpatialLayout& layout, bool may_be_dense) {
  if (where) try {
      return where(system, layout);
    } catch (const MemoryError&) {  // the CPU gives the same answer
    }
  return instantaneous_on_cpu(system, layout, may_be_dense);
}

InstantaneousSolution solve_instantaneous(InstantaneousSystem& system, std::span<const double> b, double tolerance,
                                          const std::function<double(std::span<const double>)>& size) {
  // S~^-1 J, in whose residual the rows of the constraints, z times as large as others, count as much as these.
  Numbers image(b.size());
  const LinearOperator preconditioned = [&](std::span<const double> v, std::span<double> y) {
    system.apply(v, image);
    system.precondition(image, y);
  };
  const LinearOperator none = [](std::span<const double> v, std::span<double> y) {
    std::copy(v.begin(), v.end(), y.begin());
  };
  InstantaneousSolution result{Numbers(b.size(), 0.0)};
  Numbers& x = result.x;
  Numbers left(b.size()), correction(b.size()), rest(b.begin(), b.end());
  double last = std::numeric_limits<double>::infinity();
  for (bool by_gmres = false;;) {
    system.precondition(rest, left);
    const double now = size(left);
    const double wanted = std::max(tolerance, std::numeric_limits<double>::epsilon()) * size(x);
    if (!all_finite(left) || (by_gmres && !(now < 0.5 * last))) break;
    by_gmres = now > wanted && now > kContracts * last;
    last = now;
    if (by_gmres) {
      const GmresResult found = gmres(preconditioned, none, left, correction,
                                      std::clamp(kBelowTolerance * wanted / now, kMostReduction, kLeastReduction),
                                      {kMostShortIterations - result.iterations, kMaxSaddleIterations, false});
      result.iterations += found.iterations;
      if (!found.finite) break;
    } else {
      correction = left;
    }
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
    if (now <= wanted || result.iterations >= kMostShortIterations) break;
    system.apply(x, rest);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = b[i] - rest[i];
  }
  result.change = last == 0.0 ? 0.0 : last / size(x);
  return result;
}

}  // namespace gwrm
