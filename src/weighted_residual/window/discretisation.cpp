#include "weighted_residual/window/discretisation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "expression/tape.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "spectral/chebyshev.hpp"
#include "weighted_residual/window/reference_basis.hpp"

namespace gwrm {
namespace {

int highest_time_order(const Model& model) {
  int order = 0;
  for (const FieldModel& field : model.fields) order = std::max(order, field.time_order);
  return order;
}

// Data that jump at the end of a window, step(t - end), are there what they are before the jump: the last point, where
// it is the end, is taken a few units of the last digit earlier.
Vector seen_from_inside(Vector times, double start, double end) {
  constexpr double kUnits = 4.0 * std::numeric_limits<double>::epsilon();
  double& last = times(times.size() - 1);
  const double distance = std::min(kUnits * std::max(std::abs(start), std::abs(end)), 1e-3 * (end - start));
  if (last == end) last = end - distance;
  return times;
}

}  // namespace

int polynomial_degree(const Model& model) {
  int degree = 2;
  for (const EquationModel& equation : model.equations) degree = std::max(degree, equation.residual->facts.degree);
  for (const ConditionModel& condition : model.conditions) degree = std::max(degree, condition.residual->facts.degree);
  return degree;
}

Index padded_points(Index degree, int polynomial_degree) {
  const Index p = polynomial_degree >= expression::kNonPolynomial ? 3 : std::max(polynomial_degree, 2);
  return (p + 1) * degree / 2 + 1;
}

BlockMatrix jump_matrix(const AxisPieces& pieces, MapKind map, int order) {
  const int degree = pieces.degree;
  BlockMatrix result(pieces.n_pieces() - 1, pieces.n_coefficients());
  const auto add_end = [&](Index edge, Index piece, int side, double sign) {
    const double lower = pieces.edges[static_cast<std::size_t>(piece)];
    const double upper = pieces.edges[static_cast<std::size_t>(piece) + 1];
    const bool linear = map == MapKind::linear;
    auto row = linear ? reference_end(degree, order, side)
                      : std::make_shared<const Matrix>(
                            point_row(AxisMap(lower, upper, map), degree, side == 0 ? lower : upper, order));
    result.blocks.push_back(
        {edge, piece * (degree + 1), std::move(row), sign * (linear ? std::pow(2.0 / (upper - lower), order) : 1.0)});
  };
  for (Index edge = 0; edge < result.rows; ++edge) {
    add_end(edge, edge, 1, 1.0);
    add_end(edge, edge + 1, 0, -1.0);
  }
  return result;
}

Discretisation::Discretisation(const Model& model, const std::vector<AxisPieces>& pieces,
                               const std::vector<double>& parameter_values, double start, double end) {
  const int polynomial = polynomial_degree(model);
  for (int i = 0; i < static_cast<int>(model.axes.size()); ++i) {
    AxisPoints axis{model.axes[at(i)].kind, model.is_modal(i), model.axes[at(i)], pieces[at(i)], 1, 1, {}};
    axis.points_per_piece = padded_points(axis.pieces.degree, polynomial);
    Vector weights;
    if (axis.kind == AxisKind::time) {
      time_.emplace(model.weighting, axis.pieces.degree, axis.points_per_piece, highest_time_order(model), start, end);
      axis.pieces.edges = {start, end};
      axis.n_unknowns = time_->n_unknowns();
      axis.points = seen_from_inside(time_->points(), start, end);
      weights = time_->weights();
    } else if (axis.modal) {
      add_pieces(axis, weights);
    } else {
      axis.points = Vector::Constant(1, parameter_values[at(i)]);
      weights = Vector::Ones(1);
    }
    axes_.push_back(std::move(axis));
    weights_.push_back(std::move(weights));
  }
}

void Discretisation::add_pieces(AxisPoints& axis, Vector& weights) const {
  const Index n = axis.points_per_piece, n_pieces = axis.pieces.n_pieces();
  axis.n_unknowns = axis.pieces.n_coefficients();
  axis.points.resize(n * n_pieces);
  weights.resize(n * n_pieces);
  for (Index p = 0; p < n_pieces; ++p) {
    const double lower = axis.pieces.edges[static_cast<std::size_t>(p)];
    const double upper = axis.pieces.edges[static_cast<std::size_t>(p) + 1];
    const AxisMap map(lower, upper, axis.axis.map);
    axis.points.segment(p * n, n) = map.from_reference(gauss_points(n));
    weights.segment(p * n, n) = map.kind() == MapKind::linear ? Vector((upper - lower) / 2.0 * *reference_weights(n))
                                                              : quadrature_weights(map, n);
  }
}

std::vector<AxisPieces> Discretisation::pieces() const {
  std::vector<AxisPieces> all;
  for (const AxisPoints& axis : axes_) all.push_back(axis.pieces);
  return all;
}

BlockMatrix Discretisation::test(int axis) const {
  std::vector<Index> all(static_cast<std::size_t>(n_unknowns(axis)));
  std::iota(all.begin(), all.end(), 0);
  return test(axis, all);
}

BlockMatrix Discretisation::test(int axis, const std::vector<Index>& modes) const {
  const AxisPoints& a = axes_[at(axis)];
  const Index n_modes = static_cast<Index>(modes.size());
  if (a.kind == AxisKind::time) {
    if (time_->nodal() && n_modes == a.n_unknowns) return BlockMatrix::unit(n_modes);
    return Matrix(time_->test()(modes, Eigen::all));
  }
  if (!a.modal) return Matrix(Matrix::Ones(1, 1));

  const Index per_piece = a.pieces.degree + 1;
  const auto full = reference_test(a.pieces.degree, a.points_per_piece);
  BlockMatrix result(n_modes, a.points.size());
  std::vector<Index> last_rows;
  std::shared_ptr<const Matrix> last;
  for (std::size_t i = 0; i < modes.size();) {
    const Index piece = modes[i] / per_piece, first = static_cast<Index>(i);
    std::vector<Index> rows;
    for (; i < modes.size() && modes[i] / per_piece == piece; ++i) rows.push_back(modes[i] % per_piece);
    if (last == nullptr || rows != last_rows) {
      last = static_cast<Index>(rows.size()) == per_piece ? full
                                                          : std::make_shared<const Matrix>((*full)(rows, Eigen::all));
      last_rows = rows;
    }
    result.blocks.push_back({first, piece * a.points_per_piece, last, 1.0});
  }
  return result;
}

BlockMatrix Discretisation::trial(int axis, const expression::Atom& atom, const FieldModel& field) const {
  const AxisPoints& a = axes_[at(axis)];
  if (!field.depends_on(axis) || !a.modal) return Matrix(Matrix::Ones(1, 1));
  const int order = atom.orders[at(axis)], degree = a.pieces.degree;
  const auto map_of = [&](Index p) {
    return AxisMap(a.pieces.edges[static_cast<std::size_t>(p)], a.pieces.edges[static_cast<std::size_t>(p) + 1],
                   a.axis.map);
  };
  if (atom.restricted[at(axis)]) {
    const Index piece = a.pieces.piece_of(atom.points[at(axis)]);
    BlockMatrix row(1, a.n_unknowns);
    row.blocks.push_back(
        {0, piece * (degree + 1),
         std::make_shared<const Matrix>(point_row(map_of(piece), degree, atom.points[at(axis)], order)), 1.0});
    return row;
  }
  BlockMatrix result(a.points.size(), a.n_unknowns);
  for (Index p = 0; p < a.pieces.n_pieces(); ++p) {
    const AxisMap map = map_of(p);
    const bool linear = map.kind() == MapKind::linear;
    auto matrix = linear ? reference_trial(degree, a.points_per_piece, order)
                         : std::make_shared<const Matrix>(gauss_matrix(map, degree, a.points_per_piece, order));
    const double factor = linear ? std::pow(2.0 / (map.upper() - map.lower()), order) : 1.0;
    result.blocks.push_back({p * a.points_per_piece, p * (degree + 1), std::move(matrix), factor});
  }
  return result;
}

BlockMatrix Discretisation::time_trial(const expression::Atom& atom, const FieldModel& field) const {
  for (int axis = 0; axis < static_cast<int>(axes_.size()); ++axis) {
    if (axes_[at(axis)].kind != AxisKind::time || !field.depends_on(axis)) continue;
    const int integrals = field.time_order - atom.orders[at(axis)];
    if (atom.restricted[at(axis)]) return Matrix(time_->row_at(atom.points[at(axis)], integrals));
    if (time_->nodal() && integrals == 0) return BlockMatrix::unit(time_->n_unknowns());
    return time_->values(integrals);
  }
  return Matrix(Matrix::Ones(1, 1));
}

Matrix Discretisation::state_trial(const expression::Atom& atom, int m) const {
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (axes_[axis].kind != AxisKind::time) continue;
    const int integrals = m - atom.orders[axis];
    if (atom.restricted[axis]) return Matrix::Constant(1, 1, time_->state_at(atom.points[axis], integrals));
    return time_->state_values(integrals);
  }
  throw ShapeError("a state without time");
}

BlockMatrix Discretisation::jump(int axis, int order) const {
  const AxisPoints& a = axes_[at(axis)];
  return jump_matrix(a.pieces, a.axis.map, order);
}

Array Discretisation::data_at_points(const expression::Pool& pool, expression::Expr e) const {
  const std::array<expression::Expr, 1> outputs{e};
  const expression::Tape tape(pool, outputs);
  std::vector<Array> leaves;
  for (expression::Expr leaf : tape.leaves()) {
    const int axis = pool.symbols().find_axis(leaf->name);
    Shape shape(axes_.size(), 1);
    shape[at(axis)] = n_points(axis);
    Array values(shape);
    std::copy(points(axis).begin(), points(axis).end(), values.data.begin());
    leaves.push_back(std::move(values));
  }
  return tape.evaluate(leaves, weights()).front();
}

Array Discretisation::project(const Context& context, const expression::Pool& pool, expression::Expr e,
                              const FieldModel& field, bool with_time) const {
  Array values = data_at_points(pool, e);
  for (int axis = 0; axis < static_cast<int>(axes_.size()); ++axis) {
    if (!field.depends_on(axis) || (!with_time && axes_[at(axis)].kind == AxisKind::time)) continue;
    const BlockMatrix matrix = test(axis);
    // Data that do not vary along the axis: the test of a constant.
    values = block_transform(context, values, at(axis),
                             values.shape[at(axis)] == 1 && matrix.cols > 1 ? BlockMatrix(matrix.row_sums()) : matrix);
  }
  return values;
}

}  // namespace gwrm
