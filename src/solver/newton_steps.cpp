#include "solver/newton_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gwrm {
namespace {

bool all_finite(std::span<const double> v) {
  return std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); });
}

// The largest entries of a null vector, as the system names them: at most four, none below a tenth of the largest.
template <class Describe>
std::string strongest(const std::vector<double>& weights, Describe describe) {
  std::vector<Index> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t count = std::min<std::size_t>(4, order.size());
  auto magnitude = [&](Index i) { return std::abs(weights[static_cast<std::size_t>(i)]); };
  std::partial_sort(order.begin(), order.begin() + static_cast<Index>(count), order.end(),
                    [&](Index a, Index b) { return magnitude(a) > magnitude(b); });
  std::string text;
  for (std::size_t i = 0; i < count && magnitude(order[i]) > 0.1 * magnitude(order[0]); ++i)
    text += (i > 0 ? "; " : "") + describe(order[i]);
  return text;
}

}  // namespace

double root_mean_square(std::span<const double> v) {
  double sum = 0.0;
  for (double value : v) sum += value * value;
  return v.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(v.size()));
}

bool NewtonSteps::residual(std::span<const double> x, std::vector<double>& f) {
  f.resize(x.size());
  system_.residual(x, f);
  return all_finite(f);
}

bool NewtonSteps::factor(std::span<const double> x) {
  const Index n = system_.size();
  std::vector<double> matrix(static_cast<std::size_t>(n * n), 0.0);
  system_.jacobian(x, matrix);
  ++result_.n_factorisations;
  switch (lu_.factor(matrix, n)) {
    case LuStatus::regular:
      result_.reciprocal_condition = lu_.reciprocal_condition();
      return true;
    case LuStatus::not_finite:
      result_.status = NewtonStatus::not_finite;
      result_.detail =
          "the Jacobian holds NaN or Inf although the residual is finite: a derivative of the equations is "
          "unbounded at this iterate (for example sqrt at 0)";
      return false;
    case LuStatus::singular:
      result_.status = NewtonStatus::singular;
      describe_dependency();
      return false;
  }
  return false;
}

void NewtonSteps::describe_dependency() {
  const Dependency dependency = lu_.dependency();
  result_.detail = fmt::format(
      "the Jacobian is singular; equations that depend on each other: {}; unknowns that they leave undetermined: {}",
      strongest(dependency.row_weights, [&](Index i) { return system_.describe_row(i); }),
      strongest(dependency.column_weights, [&](Index j) { return system_.describe_unknown(j); }));
}

std::vector<double> NewtonSteps::correction(std::span<const double> f) const {
  std::vector<double> dx(f.size());
  std::transform(f.begin(), f.end(), dx.begin(), [](double value) { return -value; });
  lu_.solve(dx);
  return dx;
}

double NewtonSteps::norm(std::span<const double> v, std::span<const double> x) {
  weights_.resize(x.size());
  system_.weights(x, weights_);
  // An iterate so large that its weights overflow must not make a correction look small.
  if (!all_finite(weights_)) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += (v[i] / weights_[i]) * (v[i] / weights_[i]);
  return v.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(v.size()));
}

double NewtonSteps::roundoff_level() const {
  const double eps = std::numeric_limits<double>::epsilon();
  return std::min(1e-5, 1000.0 * eps / std::max(result_.reciprocal_condition, eps));
}

void NewtonSteps::fail_not_finite(std::span<const double> x) {
  result_.status = NewtonStatus::not_finite;
  result_.detail = system_.locate_not_finite(x);
}

}  // namespace gwrm
