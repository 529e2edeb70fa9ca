// Values of data (expression Op::data) in single planes of a window that several ranks share (shared_window.hpp): each
// rank has those of its own planes, found when they are first asked for and kept.
//
// Memory  of a plane's columns for every plane in which they differ: data that do not vary along time or the first
//         modal axis are kept once for all planes along it.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "weighted_residual/window/discretisation.hpp"

namespace gwrm {

class PlaneData {
 public:
  // time: that axis, -1 for none. z: the first modal axis. Model and discretisation outlive it.
  PlaneData(const Model& model, const Discretisation& discretisation, expression::Expr data, int time, int z);

  bool varies_along_z() const { return varies(z_); }
  // Whether planes differ.
  bool varies_in_planes() const { return varies(time_) || varies(z_); }
  // At a point in time and, where they vary along z, of z: extent 1 along both.
  ArrayView at(Index time, Index point);

 private:
  bool varies(int axis) const { return axis >= 0 && (data_->facts.axes >> axis & 1u) != 0; }

  const Model& model_;
  const Discretisation& discretisation_;
  expression::Expr data_;
  int time_, z_;
  std::map<std::pair<Index, Index>, Array> known_;
};

}  // namespace gwrm
