// How an automatic march begins: the length of its first window, and of those at starts within the run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/time_spectral/automatic_march.hpp"
#include "problems/time_spectral/time_degree.hpp"

namespace gwrm {
namespace {

constexpr double kShortestStart = 1e-12;  // the first window, relative to the whole time
// Of subdomains toward a jump: in several dimensions their number counts more than their degree.
constexpr double kFineRatio = 2.0, kCoarseRatio = 3.0;
constexpr double kSameStart = 1e-9;   // of the run
constexpr double kOfThatStart = 0.8;  // of the fall that it lets expect
constexpr int kMostFlowDegree = 96;   // along a wall: above it subdomains are divided

// The value and its derivatives in time; false if a field has no initial values.
bool starts_from_zero(const std::vector<Array>& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](const Array& value) {
    return std::all_of(value.data.begin(), value.data.end(), [](double v) { return v == 0.0; });
  });
}

}  // namespace

double AutomaticMarch::length_in_start_up(const SuddenStart& start, double proposed, double& shortest) {
  if (now_ > start.at) {
    shortest = previous_.front()->length();
    return failed_start_ == now_ ? proposed : std::max(proposed, shortest);
  }
  if (untested_ != now_) {  // the first attempt at its first window
    subdomains_ = graded_to(start, std::move(subdomains_), model_.n_modal_axes() > 1 ? kCoarseRatio : kFineRatio,
                            settings_.resolution.max_domains);
    untested_ = now_;
    proposed = start.first;
  }
  shortest = start.first;
  return std::min(proposed, start.first);
}

double AutomaticMarch::first_length() {
  // h |dt(u)| <= |u|/2 at the start, from the residual of a tiny window with dt(u) = 0.
  double h = span() / 8.0;
  const double tiny = 1e-6 * span();
  from_zero_.assign(model_.fields.size(), true);
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const std::unique_ptr<Window> probe = solver_.probe(origin_, p, subdomains_, now_, now_ + tiny);
    for (std::size_t f = 0; f < from_zero_.size(); ++f)
      from_zero_[f] = from_zero_[f] && starts_from_zero(probe->state[f]);
    const double rate = initial_rate(*probe);
    if (rate > 0.0) h = std::min(h, 0.5 / rate);
  }
  if (settings_.resolution.first_window > 0.0) return settings_.resolution.first_window;
  if (settings_.flows.is_one(now_)) return std::max(length_at_flow_start(), kShortestStart * span());
  const bool has_sizes = std::find(from_zero_.begin(), from_zero_.end(), true) == from_zero_.end();
  // Where data clash: h <= tol (whole time)/c, c how fast the fields have to change for it (1: by a jump).
  if (settings_.clash > 0.0 && has_sizes)
    h = std::min(h, settings_.resolution.tolerance * span() / std::max(settings_.clash, 1e-3));
  return std::max(h, kShortestStart * span());
}

double AutomaticMarch::drop_unmoved(const Tails& tails, double allowed) {
  const std::vector<bool> unmoved = attempts_.unmoved(allowed);
  std::vector<bool> dropped = dropped_;
  dropped.resize(tails.time_of.size(), false);
  for (std::size_t f = 0; f < tails.time_of.size(); ++f)
    if (model_.fields[f].time_order == 0 && f < unmoved.size() && unmoved[f] && tails.time_of[f] > allowed)
      dropped[f] = true;
  double counted = 0.0;
  for (std::size_t f = 0; f < tails.time_of.size(); ++f)
    if (!dropped[f]) counted = std::max(counted, tails.time_of[f]);
  if (counted > allowed) return counted;
  for (std::size_t f = 0; f < dropped.size(); ++f)
    if (dropped[f] && (dropped_.empty() || !dropped_[f]))
      end_.warnings.push_back(fmt::format(
          "the last coefficients in t of {} do not fall as windows get shorter ({}, t = {:.6g}): they no longer decide "
          "on the windows",
          model_.fields[f].name, attempts_.text(f), now_));
  dropped_ = std::move(dropped);
  return counted;
}

std::string AutomaticMarch::unmoved_text() const {
  const std::vector<bool> unmoved = attempts_.unmoved(0.0);
  for (std::size_t f = 0; f < unmoved.size(); ++f)
    if (unmoved[f])
      return fmt::format(
          "; the last coefficients in t of {} do not fall as windows get shorter ({}), which is not a matter of time: "
          "initial values or conditions that contradict each other, or a condition that is missing",
          model_.fields[f].name, attempts_.text(f));
  return {};
}

std::vector<double> AutomaticMarch::levels_in_time(const PointWindows& windows, const FieldScales& sizes) const {
  std::vector<bool> ignored = settings_.flows.ignored_from(windows.front()->start());
  ignored.resize(model_.fields.size(), false);
  for (std::size_t f = 0; f < dropped_.size(); ++f) ignored[f] = ignored[f] || dropped_[f];
  std::vector<double> levels = time_levels(*windows.front(), sizes, ignored);
  for (std::size_t p = 1; p < windows.size(); ++p) {
    const std::vector<double> others = time_levels(*windows[p], sizes, ignored);
    for (std::size_t k = 0; k < levels.size(); ++k) levels[k] = std::max(levels[k], others[k]);
  }
  return levels;
}

double AutomaticMarch::growth_behind_start() const {
  const double start = windows_.front()->start(), h = windows_.front()->length();
  const std::vector<double>& times = settings_.flows.times;
  const auto next = std::upper_bound(times.begin(), times.end(), start);
  if (next == times.begin()) return 1.0;
  const double a = start - *(next - 1), z = 1.0 + 2.0 * a / h;
  if (!(a > kSameStart * span())) return 1.0;
  FieldScales sizes = sizes_;
  for (const auto& window : windows_) sizes.update(*window);
  const std::vector<double> levels = levels_in_time(windows_, sizes);
  const std::size_t last = levels.size() - 1, before = last / 2;
  if (before < 1) return 1.0;
  const double fall = std::max(levels[before], levels[before - 1]) / std::max(levels[last], levels[last - 1]);
  const double measured = std::pow(fall, 1.0 / static_cast<double>(last - before));
  return measured > kOfThatStart * (z + std::sqrt(z * z - 1.0)) ? 1.0 + h / a : 1.0;
}

double AutomaticMarch::length_at_flow_start() {
  const double tolerance = settings_.resolution.tolerance;
  const int K = subdomains_[static_cast<std::size_t>(model_.time_axis())].degree;
  std::vector<AxisDescription> finer = subdomains_;
  double h = span();
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const double length = std::min(0.01 * span(), model_.window_edges.back() - now_);
    const WallSlip slip = wall_slip(solver_.context().without_device(), model_, plan_, subdomains_, points_[p], now_,
                                    length, solver_.state_for(origin_, p, subdomains_, now_, now_ + length));
    h = std::min(h, first_flow_window(settings_.flows, slip, sizes_.seen(), tolerance, K));
    finer = flow_degrees(settings_.flows, slip, sizes_.seen(), tolerance,
                         std::min(kMostFlowDegree, settings_.resolution.max_degree), std::move(finer));
  }
  if (model_.n_modal_axes() > 1 && solver_.memory_excess(finer).empty()) subdomains_ = std::move(finer);
  return h;
}

}  // namespace gwrm
