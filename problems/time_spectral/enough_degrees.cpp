#include "problems/time_spectral/enough_degrees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/series_losses.hpp"

namespace gwrm {
namespace {

constexpr double kDegreesShare = 1.0 / 3.0;  // of the tolerance
constexpr int kLeastDegree = 4;
constexpr double kToleranceShare = 0.03, kMostTolerance = 1e-2, kMostFactor = 100.0;  // of automatic runs

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

}  // namespace

std::string enough_degrees(const Case& the_case, const Model& model, const Solution& answer, double spare) {
  const bool is_whole = model.window_edges.empty() || answer.n_windows() + 1 == model.window_edges.size();
  if (!is_whole) return {};
  const double tolerance = the_case.verification.tolerance;
  const Losses losses = weighted_losses(model, answer, tolerance / spare, kDegreesShare * tolerance);
  const auto n_axes = std::count_if(losses.begin(), losses.end(), [](const auto& levels) { return !levels.empty(); });
  std::vector<AxisDescription> enough = model.subdomains;
  for (std::size_t axis = 0; axis < losses.size(); ++axis)
    if (!losses[axis].empty())
      enough[axis].degree =
          enough_degree(losses[axis], enough[axis].degree, order_along(model, axis), 1.0 / static_cast<double>(n_axes));
  if (enough == model.subdomains) return {};
  if (!find_unseen_data(model, data_of(model), enough, model.window_edges, kMaxDataBoxes).empty()) return {};
  return "resolution." + degrees_text(model, enough) + " may suffice";
}

std::string enough_tolerance(const Case& the_case, double spare) {
  const double asked = the_case.resolution.tolerance;
  const double enough = std::min(kMostTolerance, asked * std::min(kMostFactor, kToleranceShare * spare));
  const double digit = std::pow(10.0, std::floor(std::log10(enough)));
  if (!(enough >= 2.0 * asked)) return {};
  return fmt::format("resolution.tolerance: {:.0e} with verification.tolerance: {:g} may suffice",
                     std::floor(enough / digit * (1.0 + 1e-12)) * digit, the_case.verification.tolerance);
}

}  // namespace gwrm
