// What the points at which data are evaluated show of them between: for find_unseen_extremes() (unseen_extremes.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "expression/interval_evaluation.hpp"
#include "expression/sampled_axis.hpp"
#include "expression/trigonometric_interpolant.hpp"

namespace gwrm::expression {

// Calls visit(index) for every index below the extents, the last fastest.
template <class Visit>
void for_each_index(const std::vector<std::size_t>& extents, Visit visit) {
  std::vector<std::size_t> index(extents.size(), 0);
  while (true) {
    visit(index);
    std::size_t axis = extents.size();
    while (axis > 0 && ++index[axis - 1] == extents[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

// The product of the extents; limit + 1 if it is larger.
std::size_t count(const std::vector<std::size_t>& extents, std::size_t limit);

// What the points show of a cell.
struct Seen {
  double lower = std::numeric_limits<double>::infinity(), upper = -lower;
  bool with_polynomial = false;
  bool at_a_pole = false;  // it ends where the data are undefined, at no point: nothing to compare
  void take(double value);
};

class SampledData {
 public:
  using Index = std::size_t;
  using Indices = std::vector<Index>;
  static constexpr Index kAllPoints = 1000000;  // as many values are kept
  static constexpr Index kStencil[] = {8, 8,
                                       6};  // points of the interpolating polynomial in 1, 2, 3 and more dimensions

  // f, and the axes that it varies along, outlive this.
  SampledData(IntervalEvaluation& f, std::vector<const SampledAxis*> axes);

  double at_points(const Indices& index);  // each is evaluated once, as long as all have room
  // The range of the values at the corners of the cell and at the next points around.
  Seen& seen_of(const Indices& cell);
  // Widens it by the range of the polynomial through the nearest points, at its values at quarters of the cell and at
  // its ends; on periodic axes of the trigonometric polynomial through all points.
  void add_polynomial(const Indices& cell);
  // The range of that polynomial in a part of the cell.
  Seen seen_within(const Indices& cell, const std::vector<Interval>& box);

 private:
  double value_at(const Indices& index);
  Index position(const Indices& index) const;
  Index width() const { return kStencil[std::min<Index>(axes_.size(), 3) - 1]; }
  void take_interpolants(const std::vector<std::vector<Stencil>>& stencils,
                         const std::function<double(const Indices&)>& value, Seen& seen);
  bool ends_at_a_pole(const Indices& cell);
  SampledAxis::Cell cell_at(const Indices& cell, Index axis) const { return axes_[axis]->cell(cell[axis]); }

  IntervalEvaluation& f_;
  std::vector<const SampledAxis*> axes_;
  std::vector<double> values_;  // at the points; empty if there are too many
  std::vector<bool> known_;     // which of them are
  std::map<Indices, Seen> seen_;
  std::optional<TrigonometricInterpolant> around_;
};

}  // namespace gwrm::expression
