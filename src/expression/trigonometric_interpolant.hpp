// Data between the points of periodic axes: the trigonometric polynomial through all points of them, at kPerCell places
// in each cell. It shows every wave of less than half as many periods as there are points, which neighbouring points
// alone do not show.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "expression/sampled_axis.hpp"

namespace gwrm::expression {

// Made around once for each point of the other axes, and kept. Cost: 4 n numbers an axis of n points, 4 n^2 operations.
class TrigonometricInterpolant {
 public:
  using Indices = std::vector<std::size_t>;
  using AtPoints = std::function<double(const Indices&)>;  // the data at a point of every axis
  static constexpr std::size_t kPerCell = 4;

  // axes: those of the data, which outlive this.
  TrigonometricInterpolant(std::vector<const SampledAxis*> axes, AtPoints at_points);

  // Whether it interpolates along the axis. Where the periodic ones would take too much memory, along none.
  bool is_along(std::size_t axis) const { return any_ && axes_[axis]->n_around() > 0; }
  // index: place kPerCell c + p, p/kPerCell of the way through cell c, along those axes; a point along the others.
  double value(const Indices& index);

 private:
  std::size_t n_places(std::size_t axis) const { return kPerCell * axes_[axis]->n_around(); }
  std::vector<double> around(const Indices& index) const;  // at all places, for this point of the other axes

  std::vector<const SampledAxis*> axes_;
  AtPoints at_points_;
  bool any_ = false;
  std::map<Indices, std::vector<double>> known_;  // by the point of the other axes
  std::size_t n_known_ = 0;                       // numbers in all of them
};

}  // namespace gwrm::expression
