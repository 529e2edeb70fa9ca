// What an estimate of the error learns beside the error itself: what its finer solution has behind each level along space
// (ErrorEstimator::losses()), the start of a flow, the sizes of fields.
#include "problems/time_spectral/error_estimate.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/uncertain_section.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {

// A run that passes needs none.
void ErrorEstimator::take_losses(const PointWindows& finer) {
  const Model& model = input_.model;
  bool is_too_large = false;
  for (std::size_t f = 0; f < largest_.size(); ++f)
    is_too_large |= kEstimateMargin * largest_[f].error > input_.the_case.verification.tolerance * size_of(f);
  if (!is_too_large) return;
  for (const auto& window : finer)
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      const Array coefficients = window->system.coefficients(window->x(), static_cast<int>(f));
      Losses losses(model.axes.size());
      for (int axis : model.fields[f].axes)
        if (model.is_modal(axis))
          losses[axis] = sums_behind(coefficients, static_cast<std::size_t>(axis), finer_[axis], LevelSize::mean_square,
                                     model.fields[f].n_lower[static_cast<std::size_t>(axis)]);
      take_larger(losses_[f], losses);
    }
}

Losses ErrorEstimator::losses() const {
  Losses worst(input_.model.axes.size());
  for (std::size_t f = 0; f < losses_.size(); ++f)
    if (const double size = size_of(f); size > 0.0) take_larger(worst, losses_[f], 1.0 / size);
  return worst;
}

void ErrorEstimator::take_start(Largest& largest, const FieldModel& field, const std::vector<double>& times,
                                double start, double scale, const Array& u, const Array& v) const {
  if (!(start >= settings_.flows.times.front())) return;
  const auto n_times = static_cast<Index>(times.size());
  const Index n_at_a_time = u.size() / n_times;  // time is the first axis
  std::vector<double> errors(times.size());
  for (Index i = 0; i < n_times; ++i) {
    const auto at_time = [&](const Array& all) {
      return std::span(all.data).subspan(static_cast<std::size_t>(i * n_at_a_time),
                                         static_cast<std::size_t>(n_at_a_time));
    };
    double& error = errors[static_cast<std::size_t>(i)] = largest_distance(at_time(u), at_time(v)).value / scale;
    for (const LeftOut& place : left_out_places_)
      if (place.unknown == field.name && place.holds_time(start) &&
          place.holds_time(times[static_cast<std::size_t>(i)]))
        largest.before = std::max(largest.before, error);
  }
  for (std::size_t i = 0; i + 1 < times.size(); ++i)
    largest.integral += 0.5 * (times[i + 1] - times[i]) * (errors[i] + errors[i + 1]);
}

// At the run's own points of the parameters.
void ErrorEstimator::take_sizes(const MarchWindow& window) {
  const Model& model = input_.model;
  const int time = model.time_axis();
  std::vector<std::vector<double>> points(model.axes.size());
  for (int axis = 0; axis < static_cast<int>(points.size()); ++axis)
    if (model.is_modal(axis)) points[axis] = places(window.subdomains[axis]);
  if (time >= 0) points[time] = comparison_times(window.start, window.end, window.subdomains[time].degree);
  const std::vector<std::vector<double>> of_run = parameter_points(model);
  for (std::size_t p = 0; p < window.fields.size(); ++p)
    if (is_likely_point(model, of_run[p]))
      for (std::size_t f = 0; f < largest_.size(); ++f) {
        const Array u = values(model.fields[f], window.fields[p][f], window.subdomains, window.subdomains, points,
                               at_points_of_run_);
        largest_[f].size = std::max(largest_[f].size, largest_magnitude(u.data));
      }
}

}  // namespace gwrm
