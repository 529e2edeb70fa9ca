#include "problems/time_spectral/time_degree.hpp"

#include <algorithm>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "problems/time_spectral/step_control.hpp"

namespace gwrm {
namespace {

constexpr double kWorthChanging = 0.8;   // of the work with the degree that there is
constexpr double kTimeRoundOff = 1e-14;  // of coefficients: below it they do not fall any more

}  // namespace

std::vector<double> time_levels(const Window& window, const FieldScales& sizes, const std::vector<bool>& ignored) {
  const Model& model = window.system.model();
  const int time = model.time_axis();
  const auto basis = make_basis(window.discretisation.subdomains()[time]);
  std::vector<double> levels(static_cast<std::size_t>(basis->degree()) + 1, 0.0);
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    if (!model.fields[f].depends_on(time) || (!ignored.empty() && ignored[at(f)])) continue;
    const std::vector<double>& own = window.sizes_in_time(f);
    for (std::size_t k = 0; k < levels.size(); ++k)
      levels[k] = std::max(levels[k], own[k] / sizes.of(f, window.length()));
  }
  return levels;
}

double tail_at_degree(const std::vector<double>& levels, int degree) {
  const auto tail = [&](int k) {
    return std::max(levels[static_cast<std::size_t>(k)], levels[static_cast<std::size_t>(std::max(0, k - 1))]);
  };
  const int last = static_cast<int>(levels.size()) - 1;
  if (degree <= last) return tail(degree);
  const int before = last / 2;
  const double end = std::max(tail(last), kTimeRoundOff),
               fall = std::min(1.0, end / std::max(tail(before), kTimeRoundOff));
  return end * std::pow(fall, static_cast<double>(degree - last) / (last - before));
}

int cheapest_time_degree(const std::vector<double>& levels, double h, double tolerance, double rest, double growth) {
  const int present = static_cast<int>(levels.size()) - 1;
  const auto work = [&](int degree) {
    const double length = next_length(h, tail_at_degree(levels, degree), tolerance, degree, growth);
    return std::max(1.0, rest / length) * (degree + 1);
  };
  int best = present;
  for (int degree = kLeastTimeDegree; degree <= kMostTimeDegree; ++degree)
    if (work(degree) < work(best)) best = degree;
  return work(best) < kWorthChanging * work(present) ? best : present;
}

}  // namespace gwrm
