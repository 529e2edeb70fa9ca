// What the finer solution of an estimate has behind each level along space (ErrorEstimator::losses()).
#include "problems/time_spectral/error_estimate.hpp"
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

}  // namespace gwrm
