// Means of the coefficients of a shared window's linearised rows: partial sums of planes, gathered and added up in the
// order of the planes, so that their bits do not depend on the number of ranks.
#include <algorithm>
#include <cmath>

#include "weighted_residual/window/shared_window.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

Vector normalised(const Vector& weights) {
  return weights / weights.sum();
}

bool all_finite(const Array& a) {
  return std::all_of(a.data.begin(), a.data.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

bool SharedWindow::is_finite(const SharedLinearisation& at_x) const {
  return (fewer_ ? *fewer_ : *this).is_finite_own(at_x);
}

Vector SharedWindow::coefficient_mean(const SharedLinearisation& at_x, int coefficient, int axis) const {
  return (fewer_ ? *fewer_ : *this).mean_of_own(at_x, coefficient, axis);
}

bool SharedWindow::is_finite_own(const SharedLinearisation& at_x) const {
  const bool finite =
      std::all_of(at_x.coefficients.begin(), at_x.coefficients.end(),
                  [](const std::vector<Array>& plane) { return std::all_of(plane.begin(), plane.end(), all_finite); });
  return ranks_.agree(finite ? 0 : 1) == 0;
}

// mean(axis) = sum_t w_t sum_z w_z sum_y,x w_y w_x c, without the sum along `axis`; weights of every axis add up to 1.
// What holds no values at an edge has the same mean in all kinds of planes.
Vector SharedWindow::mean_of_own(const SharedLinearisation& at_x, int coefficient, int axis) const {
  const int rank = ranks_.rank(), time = system_.model().time_axis();
  const auto holding = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& one) {
    return static_cast<bool>(one.coefficients[at(coefficient)]);
  });
  const std::size_t kind = holding == kinds_.end() ? 0 : static_cast<std::size_t>(holding - kinds_.begin());
  const bool at_points = kind == 0;
  const Shares& lines = kinds_[kind].lines;
  const Index n_points = kinds_[kind].n_points;
  const std::vector<Vector>& weights = system_.discretisation().weights();

  std::vector<double> own;  // plane after plane
  Index width = 0;          // numbers of one
  std::size_t number = n_planes_before(kind);
  for (Index line = lines.begin(rank); line < lines.end(rank); line += n_together_) {
    Array a = at_x.coefficients[number++][at(coefficient)];
    for (std::size_t other = z_ + 1; other < a.shape.size(); ++other)
      if (static_cast<int>(other) != axis && a.shape[other] > 1) a = weighted_sum(a, other, normalised(weights[other]));
    width = a.size() / a.shape.front();
    const Index n_copies = std::min(n_together_, lines.end(rank) - line) / a.shape.front();
    for (Index copy = 0; copy < n_copies; ++copy) own.insert(own.end(), a.data.begin(), a.data.end());
  }
  width = ranks_.agree(static_cast<int>(width));  // others may have no plane of this kind
  std::vector<std::size_t> counts;
  for (int other = 0; other < ranks_.size(); ++other)
    counts.push_back(static_cast<std::size_t>(lines.count(other) * width));
  std::vector<double> all(static_cast<std::size_t>(lines.size() * width));
  ranks_.all_gather<double>(own, counts, all);

  const Vector in_time = time < 0 ? Vector(Vector::Ones(1)) : normalised(weights[at(time)]);
  const Vector along_z = at_points ? normalised(weights[z_]) : Vector(Vector::Ones(1));
  const bool of_z = axis == static_cast<int>(z_) && at_points;
  Vector mean = Vector::Zero(of_z ? n_points : width);
  for (Index t = 0; t < n_times_; ++t)
    for (Index point = 0; point < n_points; ++point)
      for (Index i = 0; i < width; ++i) {
        const double value = in_time(t) * all[static_cast<std::size_t>((t * n_points + point) * width + i)];
        if (of_z)
          mean(point) += value;
        else
          mean(i) += along_z(point) * value;
      }
  // What does not vary along the first modal axis has the same bits at all of its points.
  if (of_z && (mean.array() == mean(0)).all()) return mean.head(1);
  return mean;
}

}  // namespace gwrm
