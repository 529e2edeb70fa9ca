#include "problems/time_spectral/parameter_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "basis/axis_basis.hpp"
#include "basis/levels.hpp"
#include "basis/orthogonal_basis.hpp"
#include "core/errors.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

constexpr double kMaxParameterPoints = 4e6;  // some hundred bytes each before anything is solved

// Extent of each axis in the grid of parameter points: as many as coefficients for a collocated parameter, else 1.
Shape point_extents(const Model& model) {
  Shape extents(model.axes.size(), 1);
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_collocated(axis)) extents[axis] = model.subdomains[axis].n_coefficients();
  return extents;
}

// Copies one point's tensor (extent 1 along the collocated axes) to its place in the tensor over all points.
void place(const Array& part, Array& whole, const std::vector<Index>& point) {
  const std::size_t n_axes = part.shape.size();
  std::vector<Index> index(n_axes, 0);
  for (double value : part.data) {
    Index position = 0;
    for (std::size_t axis = 0; axis < n_axes; ++axis)
      position =
          position * whole.shape[axis] + (part.shape[axis] == 1 && whole.shape[axis] > 1 ? point[axis] : index[axis]);
    whole.data[static_cast<std::size_t>(position)] = value;
    for (std::size_t axis = n_axes; axis-- > 0;) {
      if (++index[axis] < part.shape[axis]) break;
      index[axis] = 0;
    }
  }
}

// Between the two points that z lies between, where the polynomial that vanishes at all of them is large for sure; z
// itself beyond the last of them.
double between_points(const AxisDescription& description, double z) {
  const auto basis = make_basis(description);
  const Vector points = ascending(basis->grid(basis->n_coefficients())).points;
  const auto next = std::upper_bound(points.begin(), points.end(), z);
  if (next == points.begin() || next == points.end()) return z;
  return description.map == MapKind::log ? std::sqrt(next[-1]) * std::sqrt(next[0]) : 0.5 * (next[-1] + next[0]);
}

// Of the last function; that of a Chebyshev polynomial is 1.
double largest_where_likely(const AxisDescription& description) {
  if (!distribution_of(description)) return 1.0;
  const Matrix at_ends = make_basis(description)->rows_at(0, likely_part(description).edges, 0);
  return std::max(1.0, at_ends.rightCols(1).cwiseAbs().maxCoeff());
}

// The least and the largest value at which the answer is looked at.
std::array<double, 2> ends_of(const AxisDescription& description) {
  const std::vector<double> edges = likely_part(description).edges;
  if (!distribution_of(description)) return {edges.front(), edges.back()};
  return {between_points(description, edges.front()), between_points(description, edges.back())};
}

// The series of a field in the parameters, too.
Array in_parameters(const MarchWindow& window, std::size_t f, const Shape& extents,
                    const std::vector<Matrix>& transforms) {
  Shape shape = window.fields.front()[f].shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (extents[axis] > 1) shape[axis] = extents[axis];
  Array values(shape);
  for (std::size_t p = 0; p < window.fields.size(); ++p) {
    std::vector<Index> point(extents.size(), 0);
    Index rest = static_cast<Index>(p);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      point[axis] = rest % extents[axis];
      rest /= extents[axis];
    }
    place(window.fields[p][f], values, point);
  }
  std::vector<const Matrix*> matrices(extents.size(), nullptr);
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] > 1) matrices[axis] = &transforms[axis];
  return cpu::tensor_transform(values, matrices);
}

// The middles between neighbouring points of a parameter, within what is looked at.
std::vector<double> middles_of(const AxisDescription& description) {
  const auto basis = make_basis(description);
  const Vector points = ascending(basis->grid(basis->n_coefficients())).points;
  const auto [lower, upper] = ends_of(description);
  std::vector<double> middles;
  for (Index i = 0; i + 1 < points.size(); ++i)
    if (const double z = between_points(description, 0.5 * (points(i) + points(i + 1))); z >= lower && z <= upper)
      middles.push_back(z);
  return middles;
}

// Leaves the terms whose degree in some parameter is in the last quarter.
void keep_last_quarter(Array& coefficients, const Shape& extents) {
  std::vector<Index> index(extents.size(), 0);
  for (double& value : coefficients.data) {
    bool is_last = false;
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
      is_last = is_last || (extents[axis] > 1 && 4 * (index[axis] + 1) > 3 * extents[axis]);
    if (!is_last) value = 0.0;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      if (++index[axis] < coefficients.shape[axis]) break;
      index[axis] = 0;
    }
  }
}

std::vector<std::vector<double>> middles_of_large_terms(const Model& model, const MarchWindow& of_run,
                                                        std::size_t most) {
  const Shape extents = point_extents(model);
  std::vector<Matrix> to_series(extents.size()), to_middles(extents.size());
  std::vector<std::vector<double>> middles(extents.size(), std::vector<double>{0.0});
  std::vector<const Matrix*> matrices(extents.size(), nullptr);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] == 1) {
      if (model.is_collocated(static_cast<int>(axis))) middles[axis] = {ends_of(model.subdomains[axis])[0]};
      continue;
    }
    const auto basis = make_basis(model.subdomains[axis]);
    to_series[axis] = basis->analysis(extents[axis]).dense();
    middles[axis] = middles_of(model.subdomains[axis]);
    if (middles[axis].empty()) return {};
    to_middles[axis] = basis->rows_at(0, middles[axis], 0);
    matrices[axis] = &to_middles[axis];
  }
  Index n_places = 1;
  for (const std::vector<double>& along : middles) n_places *= static_cast<Index>(along.size());
  std::vector<double> sizes(static_cast<std::size_t>(n_places), 0.0);
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    Array terms = in_parameters(of_run, f, extents, to_series);
    double scale = 0.0;
    for (const double value : terms.data) scale = std::max(scale, std::abs(value));
    if (scale == 0.0) continue;
    keep_last_quarter(terms, extents);
    const Array at_middles = cpu::tensor_transform(terms, matrices);
    std::vector<double> squares(sizes.size(), 0.0);
    std::vector<Index> index(extents.size(), 0);
    for (const double value : at_middles.data) {
      Index place = 0;
      for (std::size_t axis = 0; axis < extents.size(); ++axis)
        if (extents[axis] > 1) place = place * at_middles.shape[axis] + index[axis];
      squares[static_cast<std::size_t>(place)] += value * value;
      for (std::size_t axis = extents.size(); axis-- > 0;) {
        if (++index[axis] < at_middles.shape[axis]) break;
        index[axis] = 0;
      }
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::max(sizes[i], std::sqrt(squares[i]) / scale);
  }
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  order.resize(std::min(order.size(), most));
  std::vector<std::vector<double>> points;
  for (std::size_t place : order) {
    std::vector<double> point(extents.size(), 0.0);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      if (!model.is_collocated(static_cast<int>(axis))) continue;
      point[axis] = middles[axis][place % middles[axis].size()];
      place /= middles[axis].size();
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

std::vector<std::vector<double>> parameter_points(const Model& model) {
  const Shape extents = point_extents(model);
  double n_points = 1.0;
  for (const Index extent : extents) n_points *= static_cast<double>(extent);
  if (n_points > kMaxParameterPoints)
    throw MemoryError(fmt::format(
        "not enough memory: the degrees of the parameters make {:.2g} points, each with a solution of its own; lower "
        "resolution.degree of the parameters",
        n_points));
  std::vector<Vector> coordinates(extents.size());
  for (int axis = 0; axis < static_cast<int>(extents.size()); ++axis)
    if (model.is_collocated(axis)) coordinates[axis] = make_basis(model.subdomains[axis])->grid(extents[axis]).points;
  std::vector<std::vector<double>> points(static_cast<std::size_t>(element_count(extents)),
                                          std::vector<double>(model.axes.size(), 0.0));
  for (std::size_t p = 0; p < points.size(); ++p) {
    Index rest = static_cast<Index>(p);
    for (int axis = static_cast<int>(extents.size()) - 1; axis >= 0; --axis) {
      if (model.is_collocated(axis)) points[p][axis] = coordinates[axis](rest % extents[axis]);
      rest /= extents[axis];
    }
  }
  return points;
}

Model with_parameter_degrees(Model model, const std::vector<AxisDescription>& subdomains) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_collocated(axis)) model.subdomains[axis] = subdomains[axis];
  return model;
}

std::vector<std::vector<double>> points_between(const Model& model, const MarchWindow* of_run) {
  std::vector<int> collocated;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_collocated(axis)) collocated.push_back(axis);
  const auto combination = [&](auto value) {
    std::vector<double> point(model.axes.size(), 0.0);
    for (std::size_t i = 0; i < collocated.size(); ++i) point[collocated[i]] = value(collocated[i], i);
    return point;
  };
  std::vector<std::array<double, 2>> ends(model.axes.size());
  for (const int axis : collocated) ends[axis] = ends_of(model.subdomains[axis]);
  const auto lower = [&](int axis, std::size_t) { return ends[axis][0]; };
  const auto upper = [&](int axis, std::size_t) { return ends[axis][1]; };
  if (collocated.empty()) return {combination(lower)};
  const auto middle = [&](int axis, std::size_t) {
    const auto basis = make_basis(model.subdomains[axis]);
    const Vector points = ascending(basis->grid(basis->n_coefficients())).points;
    const Index i = (points.size() - 1) / 2;
    return i + 1 < points.size() ? 0.5 * (points(i) + points(i + 1)) : points(i);
  };
  std::vector<std::vector<double>> points = {combination(lower), combination(middle), combination(upper)};
  if (collocated.size() > 1)
    for (std::size_t first : {0, 1})
      points.push_back(combination([&](int axis, std::size_t i) { return ends[axis][i % 2 == first ? 0 : 1]; }));
  if (of_run != nullptr)
    for (std::vector<double>& point : middles_of_large_terms(model, *of_run, collocated.size() > 1 ? 4 : 5))
      if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(std::move(point));
  return points;
}

double excess_over_mean_square(const Model& model, const std::vector<double>& values) {
  double excess = 1.0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_collocated(axis) || !distribution_of(model.subdomains[axis])) continue;
    AxisDescription one_more = model.subdomains[axis];
    ++one_more.degree;
    const Matrix polynomials = make_basis(one_more)->rows_at(0, {&values[axis], 1}, 0);
    excess = std::max(excess, std::sqrt(polynomials.squaredNorm() / static_cast<double>(polynomials.cols())));
  }
  return excess;
}

std::vector<double> interpolation_weights(const Model& model, const std::vector<double>& values) {
  std::vector<double> weights = {1.0};
  const Shape extents = point_extents(model);
  for (int axis = 0; axis < static_cast<int>(extents.size()); ++axis) {
    if (!model.is_collocated(axis)) continue;
    const auto basis = make_basis(model.subdomains[axis]);
    const Matrix row = basis->at({&values[axis], 1}).dense() * basis->analysis(extents[axis]).dense();
    std::vector<double> products;
    for (double weight : weights)
      for (Index i = 0; i < row.cols(); ++i) products.push_back(weight * row(0, i));
    weights = std::move(products);
  }
  return weights;
}

bool is_likely_point(const Model& model, const std::vector<double>& point) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_collocated(axis) || !distribution_of(model.subdomains[axis])) continue;
    const std::vector<double> ends = likely_part(model.subdomains[axis]).edges;
    if (point[axis] < ends.front() || point[axis] > ends.back()) return false;
  }
  return true;
}

MarchWindow interpolated(const MarchWindow& window, const std::vector<std::vector<double>>& weights) {
  MarchWindow result = window;
  result.restart_state.clear();
  result.fields.clear();
  for (const std::vector<double>& of_point : weights) {
    result.fields.emplace_back();
    for (std::size_t f = 0; f < window.fields.front().size(); ++f) {
      Array sum(window.fields.front()[f].shape);
      for (std::size_t p = 0; p < of_point.size(); ++p)
        for (std::size_t k = 0; k < sum.data.size(); ++k) sum.data[k] += of_point[p] * window.fields[p][f].data[k];
      result.fields.back().push_back(std::move(sum));
    }
  }
  return result;
}

Solution empty_solution(const Model& model) {
  Solution solution;
  solution.axes = model.axes;
  for (Axis& axis : solution.axes)  // a log map of t distributes the windows; inside each, time is mapped linearly
    if (axis.kind == AxisKind::time) axis.map = MapKind::linear;
  for (const FieldModel& field : model.fields) solution.fields.push_back({field.name, field.axes, {}});
  return solution;
}

Solution assemble_solution(const Model& model, std::vector<MarchWindow> windows) {
  Solution solution = empty_solution(model);
  if (model.time_axis() >= 0 && !windows.empty()) solution.window_edges.push_back(windows.front().start);

  const Shape extents = point_extents(model);
  std::vector<Matrix> transforms;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    transforms.push_back(extents[axis] > 1 ? make_basis(model.subdomains[axis])->analysis(extents[axis]).dense()
                                           : Matrix());
  const bool at_one_point = std::all_of(extents.begin(), extents.end(), [](Index n) { return n == 1; });
  for (MarchWindow& window : windows) {
    solution.subdomains.push_back(window.subdomains);
    if (model.time_axis() >= 0) solution.window_edges.push_back(window.end);
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      Array coefficients =
          at_one_point ? std::move(window.fields.front()[f]) : in_parameters(window, f, extents, transforms);
      // Stored along the axes the field has.
      coefficients.shape.clear();
      for (int axis : model.fields[f].axes) coefficients.shape.push_back(window.subdomains[axis].n_coefficients());
      solution.fields[f].windows.push_back(std::move(coefficients));
    }
  }
  return solution;
}

ParameterTails::ParameterTails(const Model& model)
    : model_(model),
      sizes_(model.fields.size(), 0.0),
      tails_(model.fields.size(), std::vector<double>(model.axes.size(), 0.0)) {}

void ParameterTails::update(const Solution& part) {
  for (std::size_t f = 0; f < part.fields.size(); ++f)
    for (const Array& a : part.fields[f].windows) {
      for (double value : a.data) sizes_[f] = std::max(sizes_[f], std::abs(value));
      for (std::size_t d = 0; d < a.shape.size(); ++d) {
        const int axis = part.fields[f].axes[d];
        if (!model_.is_collocated(axis)) continue;
        double& tail = tails_[f][axis];
        const AxisDescription& description = part.subdomains.front()[axis];
        tail = std::max(tail,
                        largest_where_likely(description) * largest_tails(a, d, *make_basis(description), 2).front());
      }
    }
}

double ParameterTails::along(int axis) const {
  double worst = 0.0;
  for (std::size_t f = 0; f < sizes_.size(); ++f)
    if (sizes_[f] > 0.0) worst = std::max(worst, tails_[f][axis] / sizes_[f]);
  return worst;
}

}  // namespace gwrm
