// The points, trial and test matrices of every dimension for one time window and one point of the collocated
// parameters.
//
// Along each axis an unknown has `n_unknowns` numbers (Chebyshev coefficients; for time those of
// system/time_basis.hpp), is evaluated at `n_points` points (trial matrices) where the equations are formed pointwise,
// and the residual is projected back (test matrices). Space and coupled parameters use padded Gauss points: more than
// (p + 1) L / 2 of them make products of p factors of degree L exact below mode L; non-polynomial terms get 2 L + 1
// (numerics.md 7 of the method notes).
#pragma once

#include <optional>
#include <vector>

#include "expression/lowering.hpp"
#include "system/model.hpp"
#include "system/time_basis.hpp"

namespace gwrm {

class Discretisation {
 public:
  // parameter_values: one per axis of the model, read for the collocated parameters only.
  // start, end: the window; ignored without time.
  Discretisation(const Model& model, const std::vector<double>& parameter_values, double start, double end);

  Index n_unknowns(int axis) const { return axes_[static_cast<std::size_t>(axis)].n_unknowns; }
  Index n_points(int axis) const { return axes_[static_cast<std::size_t>(axis)].points.size(); }
  const Vector& points(int axis) const { return axes_[static_cast<std::size_t>(axis)].points; }
  std::vector<Vector> weights() const;  // per axis, quadrature in the physical coordinate
  const TimeBasis* time() const { return time_ ? &*time_ : nullptr; }

  // n_rows x n_points: the first n_rows test functions.
  Matrix test(int axis, Index n_rows) const;
  // Values of an atom's factor along one axis, at all points or at its restriction (one row), from the unknowns of a
  // field of the given time order; 1 x 1 identity if the field lacks the axis.
  Matrix trial(int axis, const expression::Atom& atom, const FieldModel& field) const;
  // The same from the initial state u0^(m): time gets its share of the integrals, other axes are as in trial().
  Matrix state_trial(int axis, const expression::Atom& atom, const FieldModel& field, int m) const;

  // Values of data (coordinates and constants only) at the points: one extent per axis, 1 where it does not vary.
  Array data_at_points(const expression::Pool& pool, expression::Expr e) const;
  // Coefficients of data along the modal axes of a field, in space at the window's time points: the unknowns of a field
  // without time derivative that has these values. Extents n_unknowns along the field's axes, 1 elsewhere.
  Array project(const Context& context, const expression::Pool& pool, expression::Expr e, const FieldModel& field,
                bool with_time) const;

 private:
  struct AxisPoints {
    AxisKind kind;
    bool modal = false;
    Axis axis;
    Index n_unknowns = 1;
    Vector points;
    Vector weights;
  };
  std::vector<AxisPoints> axes_;
  std::optional<TimeBasis> time_;
};

// Padded points for degree L in a system whose residuals have degree p in the unknowns.
Index padded_points(Index degree, int polynomial_degree);

}  // namespace gwrm
