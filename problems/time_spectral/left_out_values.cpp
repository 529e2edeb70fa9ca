#include "problems/time_spectral/left_out_values.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

// Whether the condition holds at a place along the axis for which `holds` is true.
template <class Holds>
bool is_at(const Model& model, const ConditionModel& condition, int axis, const Holds& holds) {
  for (expression::Expr leaf : expression::atoms_in(condition.residual)) {
    const expression::Atom atom = expression::atom_of(*model.pool, leaf);
    if (atom.restricted[static_cast<std::size_t>(axis)] && holds(atom.points[static_cast<std::size_t>(axis)]))
      return true;
  }
  return false;
}

}  // namespace

std::vector<LeftOut> corners_of(std::span<const LeftOut> places) {
  std::vector<LeftOut> corners(places.begin(), places.end());
  std::erase_if(corners, [](const LeftOut& place) { return place.other_axis < 0; });
  return corners;
}

std::vector<LeftOut> corners_on(const Model& model, const ConditionModel& condition, std::span<const LeftOut> places) {
  std::vector<LeftOut> corners = corners_of(places);
  std::erase_if(corners, [&](const LeftOut& corner) {
    if (condition.axis == corner.axis)
      return !is_at(model, condition, corner.axis, [&](double place) { return corner.holds_place(place); });
    if (condition.axis == corner.other_axis)
      return !is_at(model, condition, corner.other_axis, [&](double place) { return corner.holds_other(place); });
    return false;
  });
  for (LeftOut& corner : corners) {  // what is left is a place along the side
    if (condition.axis == corner.axis) {
      corner.axis = corner.other_axis;
      corner.place = corner.other_place;
    } else if (condition.axis == corner.other_axis) {
      corner.other_axis = corner.axis;
      corner.other_place = corner.place;
    }
  }
  return corners;
}

bool is_beside_jump(const Model& model, const ConditionModel& condition, std::span<const LeftOut> places) {
  return std::any_of(places.begin(), places.end(), [&](const LeftOut& jump) {
    return jump.other_axis < 0 && jump.axis >= 0 &&
           (condition.axis != jump.axis ||
            is_at(model, condition, jump.axis, [&](double place) { return jump.holds_place(place); }));
  });
}

void leave_out(std::span<const LeftOut> places, int time, const FieldModel& field,
               const std::vector<std::vector<double>>& points, double start, Array& u, Array& v) {
  if (time < 0) {
    leave_out_corners(places, points, u);
    leave_out_corners(places, points, v);
    return;
  }
  if (!field.depends_on(time)) return;
  for (const LeftOut& place : places) {
    if (!place.holds_time(start) || !place.concerns(field.name)) continue;
    const bool has_place = place.axis >= 0 && field.depends_on(place.axis);
    const auto axis = static_cast<std::size_t>(std::max(place.axis, 0));
    Index inner = 1;
    for (std::size_t d = axis + 1; d < u.shape.size(); ++d) inner *= u.shape[d];
    const Index along = u.shape[axis], n_at_a_time = u.size() / u.shape[static_cast<std::size_t>(time)];
    for (Index i = 0; i < u.size(); ++i)
      if (place.holds_time(points[static_cast<std::size_t>(time)][static_cast<std::size_t>(i / n_at_a_time)]) &&
          (!has_place || place.holds_place(points[axis][static_cast<std::size_t>(i / inner % along)])))
        u.data[static_cast<std::size_t>(i)] = v.data[static_cast<std::size_t>(i)] = 0.0;
  }
}

void leave_out_corners(std::span<const LeftOut> corners, const std::vector<std::vector<double>>& points,
                       Array& values) {
  for (const LeftOut& corner : corners) {
    if (corner.other_axis < 0) continue;
    const auto one = static_cast<std::size_t>(corner.axis), other = static_cast<std::size_t>(corner.other_axis);
    // Per axis: whether its points are within reach; a single number that values at one place have counts as its own.
    const auto within = [&](std::size_t axis, double place) {
      std::vector<bool> inside;
      for (Index i = 0; i < values.shape[axis]; ++i)
        inside.push_back(points[axis].size() != static_cast<std::size_t>(values.shape[axis]) ||
                         std::abs(points[axis][static_cast<std::size_t>(i)] - place) < corner.width);
      return inside;
    };
    const std::vector<bool> first = within(one, corner.place), second = within(other, corner.other_place);
    const auto stride = [&](std::size_t axis) {
      Index inner = 1;
      for (std::size_t d = axis + 1; d < values.shape.size(); ++d) inner *= values.shape[d];
      return inner;
    };
    const Index inner_one = stride(one), inner_other = stride(other);
    for (Index i = 0; i < values.size(); ++i)
      if (first[static_cast<std::size_t>(i / inner_one % values.shape[one])] &&
          second[static_cast<std::size_t>(i / inner_other % values.shape[other])])
        values.data[static_cast<std::size_t>(i)] = 0.0;
  }
}

PassingError worst_passing(const std::vector<SuddenStart>& starts, std::span<const PartError> parts, double size,
                           double tolerated) {
  PassingError found;
  double later = 0.0, ahead = 0.0;
  for (const PartError& part : parts)
    if (!is_passing(starts, part.start, parts.back().end)) later = std::max(later, part.size);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    ahead = std::max(ahead, part->size);
    const double own = std::min(size, std::max(ahead, later));
    const double error = relative_error(part->error, own > 0.0 ? own : size);
    found.worst = std::max(found.worst, error);
    if (error > tolerated) found.above = part->end;
  }
  return found;
}

}  // namespace gwrm
