// How an automatic march begins: the length of its first window, and of those at starts within the run.
#include <algorithm>
#include <cmath>

#include "problems/time_spectral/automatic_march.hpp"

namespace gwrm {
namespace {

constexpr double kShortestStart = 1e-12;  // the first window, relative to the whole time
// Of subdomains toward a jump: in several dimensions their number counts more than their degree.
constexpr double kFineRatio = 2.0, kCoarseRatio = 3.0;

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

double AutomaticMarch::length_at_flow_start() {
  const int K = subdomains_[static_cast<std::size_t>(model_.time_axis())].degree;
  double h = span();
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const double length = std::min(0.01 * span(), model_.window_edges.back() - now_);
    const WallSlip slip =
        wall_slip(solver_.context().without_device(), model_, plan_, subdomains_, points_[p], now_, length,
                  solver_.state_for(origin_, p, subdomains_, now_, now_ + length));
    h = std::min(h, first_flow_window(settings_.flows, slip, sizes_.seen(), settings_.resolution.tolerance, K));
  }
  return h;
}

}  // namespace gwrm
