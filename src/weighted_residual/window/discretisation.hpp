// The points, trial and test matrices of every dimension for one time window and one point of the collocated
// parameters.
//
// Along each axis an unknown has `n_unknowns` numbers (the coefficients of the axis's basis, basis/axis_basis.hpp; for
// time those of basis/time_basis.hpp), is evaluated at `n_points` points (trial matrices) where the equations are
// formed pointwise, and the residual is projected back (test matrices). Space and coupled parameters use as many points
// as make products of p factors exact; non-polynomial terms count as three.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "basis/axis_basis.hpp"
#include "basis/time_basis.hpp"
#include "expression/lowering.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

class Discretisation {
 public:
  // How many points along an axis of space: as many as make products of p factors exact, or in the middle between those
  // for p - 1 and for p. That serves what need not be exact: J v in a Newton iteration whose residual is, and the
  // choice of its start.
  enum class Points { exact, fewer };

  // subdomains: one per axis of the model, read for the modal axes (the degree also for time).
  // parameter_values: one per axis of the model, read for the collocated parameters only.
  // start, end: the window; ignored without time.
  Discretisation(const Model& model, const std::vector<AxisDescription>& subdomains,
                 const std::vector<double>& parameter_values, double start, double end, Points points = Points::exact);
  // The same window.
  Discretisation on_fewer_points(const Model& model) const;

  Index n_unknowns(int axis) const { return axes_[axis].n_unknowns; }
  Index n_points(int axis) const { return axes_[axis].points.size(); }
  const Vector& points(int axis) const { return axes_[axis].points; }
  const AxisBasis& basis(int axis) const { return *axes_[axis].basis; }
  const AxisDescription& subdomains(int axis) const { return basis(axis).description(); }
  std::vector<AxisDescription> subdomains() const;                 // time: {start, end}
  const std::vector<Vector>& weights() const { return weights_; }  // per axis, quadrature in the physical coordinate
  const TimeBasis* time() const { return time_ ? &*time_ : nullptr; }

  // n_unknowns x n_points: the coefficients of a function from its values.
  BlockMatrix test(int axis) const;
  // The rows of these modes (ascending; of an axis of space their index among its n_unknowns).
  BlockMatrix test(int axis, const std::vector<Index>& modes) const;
  // Values of an atom's factor along an axis other than time, at all points or at its restriction (one row); 1 x 1
  // identity if the field lacks the axis. A restriction to an inner edge takes the subdomain on its left.
  BlockMatrix trial(int axis, const expression::Atom& atom, const FieldModel& field) const;
  // Values of the order-th derivative of a field in time, at the points or at the restriction, from its unknowns, ...
  BlockMatrix time_trial(const expression::Atom& atom, const FieldModel& field) const;
  // ... and from the initial state u0^(m): n_points x 1 or 1 x 1.
  Matrix state_trial(const expression::Atom& atom, int m) const;
  // Values of data (coordinates and constants only) at the points: one extent per axis, 1 where it does not vary.
  Array data_at_points(const expression::Pool& pool, expression::Expr e) const;
  // The same in part: of each of these axes at one of its points alone.
  struct OnePoint {
    int axis;
    Index point;
  };
  Array data_at_points(const expression::Pool& pool, expression::Expr e, std::span<const OnePoint> at) const;
  // Coefficients of data along the modal axes of a field, in space at the window's time points: the unknowns of a field
  // without time derivative that has these values. Extents n_unknowns along the field's axes, 1 elsewhere.
  Array project(const Context& context, const expression::Pool& pool, expression::Expr e, const FieldModel& field,
                bool with_time) const;

 private:
  struct AxisPoints {
    AxisKind kind;
    bool modal = false;
    std::shared_ptr<const AxisBasis> basis;
    Index n_unknowns = 1;
    Index points_per_subdomain = 1;
    Vector points;
  };

  std::vector<AxisPoints> axes_;
  std::vector<Vector> weights_;
  std::optional<TimeBasis> time_;
};

// Of the residuals in the unknowns, at least 2.
int polynomial_degree(const Model& model);

// Points on each subdomain in a system whose residuals have this degree in the unknowns.
Index padded_points(const AxisBasis& basis, int polynomial_degree);

}  // namespace gwrm
