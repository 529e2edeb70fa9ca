#include "problems/time_spectral/enough_degrees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "basis/axis_basis.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

constexpr double kShare = 1.0 / 3.0;                                  // of the tolerance
constexpr int kLastLevels = 2;                                        // of a tail
constexpr double kRounding = std::numeric_limits<double>::epsilon();  // of a coefficient
constexpr int kLeastDegree = 4;
constexpr double kToleranceShare = 0.03, kMostTolerance = 1e-2, kMostFactor = 100.0;  // of automatic runs

// Per level, the sum of the magnitudes of all coefficients behind it along one dimension: of the subdomain where it is
// largest.
std::vector<double> sums_behind(const Array& a, std::size_t dimension, const AxisBasis& basis) {
  Index outer = 1, inner = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= a.shape[d];
  for (std::size_t d = dimension + 1; d < a.shape.size(); ++d) inner *= a.shape[d];
  const Index n = basis.n_per_subdomain();
  std::vector<double> largest(static_cast<std::size_t>(basis.degree()) + 1, 0.0);
  for (Index p = 0; p < basis.n_subdomains(); ++p) {
    double behind = 0.0;
    for (int level = basis.degree(); level >= 0; --level) {
      largest[static_cast<std::size_t>(level)] = std::max(largest[static_cast<std::size_t>(level)], behind);
      for (Index o = 0; o < outer; ++o) {
        const double* const block = a.data.data() + (o * basis.n_subdomains() + p) * n * inner;
        for (Index i = basis.n_below(level) * inner; i < basis.n_below(level + 1) * inner; ++i)
          behind += std::abs(block[i]);
      }
    }
  }
  return largest;
}

// What a field loses behind each level of each of its axes, relative to its size: [axis of the model][level].
using Losses = std::vector<std::vector<double>>;

Losses losses_of(const Solution& answer, const FieldSolution& field, double size) {
  Losses losses(answer.axes.size());
  for (std::size_t d = 0; d < field.axes.size(); ++d) {
    const auto axis = static_cast<std::size_t>(field.axes[d]);
    std::vector<double>& whole = losses[axis];
    for (std::size_t w = 0; w < field.windows.size(); ++w) {
      const auto basis = make_basis(answer.subdomains[w][axis]);
      const std::vector<double> part = sums_behind(field.windows[w], d, *basis);
      whole.resize(std::max(whole.size(), part.size()), 0.0);
      for (std::size_t level = 0; level < part.size(); ++level) {
        const double loss = size > 0.0 ? part[level] / size : 0.0;
        whole[level] = field.axes[d] == answer.windowed_axis() ? whole[level] + loss : std::max(whole[level], loss);
      }
    }
  }
  return losses;
}

double last_loss(const Losses& losses) {
  double last = kRounding;
  for (const std::vector<double>& levels : losses)
    if (levels.size() > kLastLevels) last = std::max(last, levels[levels.size() - 1 - kLastLevels]);
  return last;
}

// The largest of all fields, in units of what may be lost; `error` is that of the run.
Losses weighted_losses(const Model& model, const Solution& answer, double error, double allowed) {
  std::vector<double> sizes;
  for (const FieldSolution& field : answer.fields) {
    double size = 0.0;
    for (const Array& window : field.windows) size = std::max(size, largest_magnitude(window.data));
    sizes.push_back(size);
  }
  Losses worst(answer.axes.size());
  for (std::size_t f = 0; f < answer.fields.size(); ++f) {
    const Losses losses = losses_of(answer, answer.fields[f], reference_size(model, sizes, f));
    const double weight = std::max(1.0, error / last_loss(losses)) / allowed;
    for (std::size_t axis = 0; axis < losses.size(); ++axis) {
      worst[axis].resize(std::max(worst[axis].size(), losses[axis].size()), 0.0);
      for (std::size_t level = 0; level < losses[axis].size(); ++level)
        worst[axis][level] = std::max(worst[axis][level], weight * losses[axis][level]);
    }
  }
  return worst;
}

// The highest order of an equation along an axis.
int order_along(const Model& model, std::size_t axis) {
  int order = 0;
  for (const EquationModel& equation : model.equations) order = std::max(order, equation.orders[axis]);
  return order;
}

// The lowest degree of the same parity that loses no more than `share`.
int enough_degree(const std::vector<double>& losses, int degree, int order, double share) {
  const int least = std::max({kLeastDegree, degree / 2, order + 1}), given_up = (order + 1) / 2;
  int enough = degree;
  while (enough - 2 >= least && losses[static_cast<std::size_t>(enough - 2 - given_up)] <= share) enough -= 2;
  return enough;
}

std::string degrees_text(const Model& model, const std::vector<AxisDescription>& subdomains) {
  std::string text;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", model.axes[axis].name, subdomains[axis].degree);
  return "resolution.degree: {" + text + "} would suffice";
}

}  // namespace

std::string enough_degrees(const Case& the_case, const Model& model, const Solution& answer, double spare) {
  const bool is_whole = model.window_edges.empty() || answer.n_windows() + 1 == model.window_edges.size();
  if (!is_whole) return {};
  const double tolerance = the_case.verification.tolerance;
  const Losses losses = weighted_losses(model, answer, tolerance / spare, kShare * tolerance);
  const auto n_axes = std::count_if(losses.begin(), losses.end(), [](const auto& levels) { return !levels.empty(); });
  std::vector<AxisDescription> enough = model.subdomains;
  for (std::size_t axis = 0; axis < losses.size(); ++axis)
    if (!losses[axis].empty())
      enough[axis].degree =
          enough_degree(losses[axis], enough[axis].degree, order_along(model, axis), 1.0 / static_cast<double>(n_axes));
  if (enough == model.subdomains) return {};
  if (!find_unseen_data(model, data_of(model), enough, model.window_edges, kMaxDataBoxes).empty()) return {};
  return degrees_text(model, enough);
}

std::string enough_tolerance(const Case& the_case, double spare) {
  const double asked = the_case.resolution.tolerance;
  const double enough = std::min(kMostTolerance, asked * std::min(kMostFactor, kToleranceShare * spare));
  const double digit = std::pow(10.0, std::floor(std::log10(enough)));
  if (!(enough >= 2.0 * asked)) return {};
  return fmt::format("resolution.tolerance: {:.0e} with verification.tolerance: {:g} would suffice",
                     std::floor(enough / digit * (1.0 + 1e-12)) * digit, the_case.verification.tolerance);
}

}  // namespace gwrm
