#include "expression/sampled_data.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gwrm::expression {
namespace {

constexpr double kPositions[] = {0.0, 0.25, 0.5, 0.75, 1.0};  // in a cell, at which interpolants are looked at
constexpr std::size_t kPerCell = TrigonometricInterpolant::kPerCell;
static_assert(std::size(kPositions) == kPerCell + 1);

}  // namespace

std::size_t count(const std::vector<std::size_t>& extents, std::size_t limit) {
  std::size_t total = 1;
  for (std::size_t extent : extents) total = std::min(limit + 1, total * extent);
  return total;
}

void Seen::take(double value) {
  if (std::isnan(value)) return;
  lower = std::min(lower, value);
  upper = std::max(upper, value);
}

SampledData::SampledData(IntervalEvaluation& f, std::vector<const SampledAxis*> axes) : f_(f), axes_(std::move(axes)) {
  around_.emplace(axes_, [this](const Indices& index) { return at_points(index); });
  Indices extents;
  for (const SampledAxis* axis : axes_) extents.push_back(axis->n_points());
  const Index n = count(extents, kAllPoints);
  if (n > kAllPoints) return;
  values_.assign(n, 0.0);
  known_.assign(n, false);
}

double SampledData::at_points(const Indices& index) {
  if (values_.empty()) return value_at(index);
  const Index place = position(index);
  if (!known_[place]) {
    known_[place] = true;
    values_[place] = value_at(index);
  }
  return values_[place];
}

double SampledData::value_at(const Indices& index) {
  std::vector<double> z(axes_.size());
  for (Index i = 0; i < z.size(); ++i) z[i] = axes_[i]->point(index[i]);
  return f_.value(z);
}

SampledData::Index SampledData::position(const Indices& index) const {
  Index result = 0;
  for (Index i = 0; i < axes_.size(); ++i) result = result * axes_[i]->n_points() + index[i];
  return result;
}

Seen& SampledData::seen_of(const Indices& cell) {
  const auto [found, is_new] = seen_.try_emplace(cell);
  Seen& seen = found->second;
  if (!is_new) return seen;
  Indices from, extents;
  for (Index i = 0; i < axes_.size(); ++i) {
    const SampledAxis::Cell along = cell_at(cell, i);
    from.push_back(along.first);
    extents.push_back(along.last - along.first + 1);
  }
  for_each_index(extents, [&](Indices index) {
    for (Index i = 0; i < index.size(); ++i) index[i] += from[i];
    seen.take(at_points(index));
  });
  seen.at_a_pole = ends_at_a_pole(cell);
  return seen;
}

bool SampledData::ends_at_a_pole(const Indices& cell) {
  std::vector<Interval> box;
  for (Index i = 0; i < axes_.size(); ++i) box.push_back(enclose(cell_at(cell, i).lower, cell_at(cell, i).upper));
  for (Index i = 0; i < axes_.size(); ++i) {
    const SampledAxis::Cell along = cell_at(cell, i);
    for (const auto& [end, is_point] :
         {std::pair(along.lower, along.lower_is_point), std::pair(along.upper, along.upper_is_point)}) {
      if (is_point) continue;
      std::vector<Interval> side = box;
      side[i] = point_interval(end);
      if (!f_.natural(side).defined) return true;
    }
  }
  return false;
}

void SampledData::add_polynomial(const Indices& cell) {
  Seen& seen = seen_of(cell);
  seen.with_polynomial = true;
  const Index n = axes_.size();
  std::vector<std::vector<Stencil>> stencils(n);  // per axis, per position
  for (Index i = 0; i < n; ++i) {
    const SampledAxis::Cell along = cell_at(cell, i);
    for (Index p = 0; p < std::size(kPositions); ++p) {
      if (around_->is_along(i)) {  // values are those of the interpolant
        Stencil own{kPerCell * cell[i], std::vector<double>(std::size(kPositions), 0.0)};
        own.weights[p] = 1.0;
        stencils[i].push_back(std::move(own));
      } else {
        stencils[i].push_back(
            axes_[i]->interpolation(along, along.lower + kPositions[p] * (along.upper - along.lower), width()));
      }
    }
  }
  take_interpolants(
      stencils, [this](const Indices& index) { return around_->value(index); }, seen);
}

Seen SampledData::seen_within(const Indices& cell, const std::vector<Interval>& box) {
  Seen seen;
  std::vector<std::vector<Stencil>> stencils(axes_.size());
  for (Index i = 0; i < axes_.size(); ++i)
    for (double position : kPositions)
      stencils[i].push_back(
          axes_[i]->interpolation(cell_at(cell, i), box[i].lower + position * (box[i].upper - box[i].lower), width()));
  take_interpolants(
      stencils, [this](const Indices& index) { return at_points(index); }, seen);
  return seen;
}

// Axis after axis, the first ones last: from values at outer x width points to outer x positions, inner times.
void SampledData::take_interpolants(const std::vector<std::vector<Stencil>>& stencils,
                                    const std::function<double(const Indices&)>& value, Seen& seen) {
  const Index n = axes_.size();
  Indices widths;
  for (const std::vector<Stencil>& along : stencils) widths.push_back(along.front().weights.size());
  std::vector<double> values;
  for_each_index(widths, [&](Indices index) {
    for (Index i = 0; i < n; ++i) index[i] += stencils[i].front().first;
    values.push_back(value(index));
  });
  Index outer = values.size(), inner = 1;
  for (Index i = n; i-- > 0; inner *= std::size(kPositions)) {
    outer /= widths[i];
    std::vector<double> next;
    for (Index o = 0; o < outer; ++o)
      for (const Stencil& stencil : stencils[i])
        for (Index k = 0; k < inner; ++k) {
          double sum = 0.0;
          for (Index j = 0; j < widths[i]; ++j) sum += stencil.weights[j] * values[(o * widths[i] + j) * inner + k];
          next.push_back(sum);
        }
    values = std::move(next);
  }
  for (double each : values) seen.take(each);
}

}  // namespace gwrm::expression
