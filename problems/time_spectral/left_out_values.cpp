#include "problems/time_spectral/left_out_values.hpp"

#include <algorithm>

#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {

void leave_out(std::span<const LeftOut> places, int time, const FieldModel& field,
               const std::vector<std::vector<double>>& points, double start, Array& u, Array& v) {
  if (time < 0 || !field.depends_on(time)) return;
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
