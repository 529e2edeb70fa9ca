#include "weighted_residual/window/closed_modes.hpp"

#include <algorithm>
#include <cmath>

#include "spectral/chebyshev.hpp"
#include "weighted_residual/window/discretisation.hpp"

namespace gwrm {
namespace {

struct PieceMaps {
  const AxisPieces& pieces;
  MapKind kind;
  AxisMap map(Index p) const {
    return AxisMap(pieces.edges[static_cast<std::size_t>(p)], pieces.edges[static_cast<std::size_t>(p) + 1], kind);
  }
};

// Adds what a linearised condition asks of each mode along the axis. Coefficients that are no numbers count as 1: only
// the pattern of the modes matters here.
void add_modes(const Model& model, const SystemPlan& plan, const std::vector<DirectionTerm>& terms, int axis,
               const PieceMaps& maps, double factor, RowVector& row) {
  const int degree = maps.pieces.degree;
  for (const DirectionTerm& term : terms) {
    const double weight = factor * term.constant;
    if (term.integral >= 0) {
      const IntegralPlan& integral = plan.integrals[at(term.integral)];
      if (integral.axis != axis) {
        add_modes(model, plan, integral.terms, axis, maps, weight, row);
        continue;
      }
      for (Index p = 0; p < maps.pieces.n_pieces(); ++p)
        row.segment(p * (degree + 1), degree + 1) += weight * integral_row(maps.map(p), degree);
      continue;
    }
    if (!term.atom.restricted[at(axis)]) continue;
    const double z = term.atom.points[at(axis)];
    const Index p = maps.pieces.piece_of(z);
    row.segment(p * (degree + 1), degree + 1) += weight * point_row(maps.map(p), degree, z, term.atom.orders[at(axis)]);
  }
}

RowVector scaled(const RowVector& row) {
  const double largest = row.cwiseAbs().maxCoeff();
  return largest > 0.0 ? RowVector(row / largest) : row;
}

// The conditions that stand in place of this equation's modes, largest entry 1.
std::vector<RowVector> condition_rows(const Model& model, const SystemPlan& plan, int equation, int axis,
                                      const AxisPieces& pieces) {
  const PieceMaps maps{pieces, model.axes[at(axis)].map};
  std::vector<RowVector> rows;
  for (const RowPlan& condition : plan.rows) {
    if (!condition.is_condition) continue;
    const ConditionModel& what = model.conditions[at(condition.index)];
    if (what.axis != axis || what.equation != equation) continue;
    RowVector row = RowVector::Zero(pieces.n_coefficients());
    add_modes(model, plan, condition.terms, axis, maps, 1.0, row);
    rows.push_back(scaled(row));
  }
  return rows;
}

// True if some condition of the equation holds modes of more than one piece: periodicity, integrals.
bool couples_pieces(const std::vector<RowVector>& conditions, const AxisPieces& pieces) {
  const Index n = pieces.degree + 1;
  return std::any_of(conditions.begin(), conditions.end(), [&](const RowVector& row) {
    int touched = 0;
    for (Index p = 0; p < pieces.n_pieces(); ++p) touched += row.segment(p * n, n).cwiseAbs().maxCoeff() > 0.0 ? 1 : 0;
    return touched > 1;
  });
}

// Piece after piece gives its highest mode whose column is independent of those taken so far (Gram-Schmidt), until all
// have given `per_piece`.
std::vector<bool> independent_modes(const std::vector<RowVector>& rows, const AxisPieces& pieces, Index per_piece) {
  const Index n = pieces.degree + 1;
  std::vector<bool> closed(static_cast<std::size_t>(pieces.n_coefficients()), false);
  std::vector<Vector> basis;
  Matrix conditions(static_cast<Index>(rows.size()), pieces.n_coefficients());
  for (std::size_t i = 0; i < rows.size(); ++i) conditions.row(static_cast<Index>(i)) = rows[i];
  const auto is_independent = [&](Index k) {
    Vector column = conditions.col(k);
    const double size = column.norm();
    for (const Vector& direction : basis) column -= direction.dot(column) * direction;
    if (size < 1e-8 || column.norm() < 1e-8 * size) return false;
    basis.push_back(column.normalized());
    return true;
  };
  for (Index round = 0; round < per_piece; ++round) {
    for (Index p = 0; p < pieces.n_pieces(); ++p) {
      const auto taken = [&](Index k) { return closed[static_cast<std::size_t>(p * n + k)]; };
      Index k = n - 1;
      while (k >= 0 && (taken(k) || !is_independent(p * n + k))) --k;
      // Dependent conditions: the solver will name them.
      if (k < 0)
        for (k = n - 1; taken(k);) --k;
      closed[static_cast<std::size_t>(p * n + k)] = true;
    }
  }
  return closed;
}

}  // namespace

std::vector<Index> free_modes(const Model& model, const SystemPlan& plan, int equation, int axis,
                              const AxisPieces& pieces) {
  const Index n = pieces.degree + 1, per_piece = model.equations[at(equation)].orders[at(axis)];
  std::vector<RowVector> conditions = condition_rows(model, plan, equation, axis, pieces);
  std::vector<bool> closed;
  if (pieces.n_pieces() == 1 || couples_pieces(conditions, pieces)) {
    for (int order = 0; order < per_piece; ++order) {
      const Matrix jumps = jump_matrix(pieces, model.axes[at(axis)].map, order).dense();
      for (Index e = 0; e < jumps.rows(); ++e) conditions.push_back(scaled(jumps.row(e)));
    }
    closed = independent_modes(conditions, pieces, per_piece);
  } else {
    for (Index k = 0; k < pieces.n_coefficients(); ++k) closed.push_back(k % n >= n - per_piece);
  }
  std::vector<Index> free;
  for (Index k = 0; k < pieces.n_coefficients(); ++k)
    if (!closed[static_cast<std::size_t>(k)]) free.push_back(k);
  return free;
}

}  // namespace gwrm
