#include "weighted_residual/preconditioner/lost_wind.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

// Mean over all axes.
double mean_of(const WindowSystem& system, Array a) {
  for (std::size_t axis = 0; axis < a.shape.size(); ++axis) {
    if (a.shape[axis] == 1) continue;
    const Vector& weights = system.discretisation().weights()[axis];
    a = weighted_sum(a, axis, weights / weights.sum());
  }
  return a.data[0];
}

// Mean square of a coefficient less that of its profile along one axis.
double lost(const SaddleRows& rows, const Array& coefficient, int coefficient_number, int axis) {
  Array square = coefficient;
  for (double& value : square.data) value *= value;
  const Vector profile = rows.means(coefficient_number, axis);
  Array squared_profile(Shape(coefficient.shape.size(), 1));
  squared_profile.shape[at(axis)] = profile.size();
  squared_profile.data.assign(profile.begin(), profile.end());
  for (double& value : squared_profile.data) value *= value;
  return std::max(0.0, mean_of(rows.system, square) - mean_of(rows.system, squared_profile));
}

}  // namespace

void add_lost_wind(const SaddleRows& rows, const std::vector<Array>& averages, std::vector<TensorField>& fields) {
  for (const RowBlock& row : rows.system.rows()) {
    if (row.kind != RowBlock::Kind::equation) continue;
    const int field = rows.system.model().equations[at(row.equation)].field;
    const std::size_t place = rows.velocity_of(field);
    if (place == fields.size()) continue;
    double square = 0.0, diffusion = 0.0;
    for (const RowTerm& term : row.terms) {
      const int axis = derived_axis(rows.system.model(), term);
      if (term.integral >= 0 || term.atom.field != field || is_restricted(term) || axis < 0) continue;
      if (term.atom.orders[axis] == 2) diffusion += row.scale * rows.mean_of(term);
      if (term.atom.orders[axis] != 1 || term.coefficient < 0) continue;
      const std::vector<double>& edges = rows.system.discretisation().subdomains(axis).edges;
      square += std::pow(row.scale * std::numbers::pi / (edges.back() - edges.front()), 2) *
                lost(rows, averages[at(term.coefficient)], term.coefficient, axis);
    }
    if (diffusion == 0.0) continue;
    for (std::complex<double>& mass : fields[place].mass) mass -= std::copysign(std::sqrt(square), diffusion);
  }
}

}  // namespace gwrm
