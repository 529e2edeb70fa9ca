// Values and errors of fields whose data jump (sudden_start.hpp).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/array.hpp"
#include "output/left_out.hpp"
#include "problems/time_spectral/sudden_start.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// u and v, values on the grid of `points` (per axis of the model; extent 1 along axes that the field lacks), become 0
// where nothing is judged. start: of the part of a window that the points lie in, whose last time may be the first
// that is judged. time: index of that axis, which is the first; -1: a steady problem.
void leave_out(std::span<const LeftOut> places, int time, const FieldModel& field,
               const std::vector<std::vector<double>>& points, double start, Array& u, Array& v);

// Of a steady problem: the values become 0 at the corners where nothing is judged. points: per axis; along axes with
// one value but several points, all of these are meant.
void leave_out_corners(std::span<const LeftOut> corners, const std::vector<std::vector<double>>& points, Array& values);

// Of a steady problem, and those of them that the side of a condition reaches.
std::vector<LeftOut> corners_of(std::span<const LeftOut> places);
std::vector<LeftOut> corners_on(const Model& model, const ConditionModel& condition, std::span<const LeftOut> places);
// Whether a condition holds at the place of a jump in time. Conditions along other axes hold all places along it.
bool is_beside_jump(const Model& model, const ConditionModel& condition, std::span<const LeftOut> places);

// Of one field, in one part of a window: the largest error and magnitude, absolute.
struct PartError {
  double start = 0.0, end = 0.0, error = 0.0, size = 0.0;
};

// Where data jump a flux like 1/sqrt(t) is far larger at first than ever again: what its error is relative to is its
// largest size from then on, or that after a hundredth of the time (is_passing()), and never more than `size`, that of
// the whole run. parts: ascending, of the whole run.
struct PassingError {
  double worst = 0.0;                                       // relative
  double above = std::numeric_limits<double>::quiet_NaN();  // the first time at which it is larger than `tolerated`
};
PassingError worst_passing(const std::vector<SuddenStart>& starts, std::span<const PartError> parts, double size,
                           double tolerated);

}  // namespace gwrm
