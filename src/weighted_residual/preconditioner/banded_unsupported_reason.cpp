// Whether a window has the banded form of banded_rows.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "basis/banded_form.hpp"
#include "weighted_residual/preconditioner/banded_rows.hpp"
#include "weighted_residual/window/averaged_rows.hpp"

namespace gwrm {

std::string banded_unsupported_reason(const Model& model, const SystemPlan& plan,
                                      const std::vector<AxisDescription>& subdomains) {
  if (!model.linear) return "the equations are not linear";
  if (model.n_modal_axes() != 1) return "there is not exactly one axis of space";
  for (std::size_t i = 0; i < subdomains.size(); ++i)
    if (model.is_modal(static_cast<int>(i)) && make_basis(subdomains[i])->banded_form() == nullptr)
      return fmt::format("the basis along {} has no banded form: Chebyshev series on a linear map have one",
                         model.axes[i].name);
  const int axis = plan.banded_axis;
  if (axis < 0)
    return fmt::format("it needs a degree above {} in space, where equations are written in ultraspherical polynomials",
                       kMaxTauDegree);
  if (subdomains[axis].n_subdomains() > 1) return "space is divided into subdomains";
  for (const FieldModel& field : model.fields)
    if (!field.depends_on(axis)) return "the unknown " + field.name + " does not depend on " + model.axes[axis].name;
  if (!plan.integrals.empty()) return "the equations or conditions hold an integral";
  for (const RowPlan& row : plan.rows)
    for (const DirectionTerm& term : row.terms)
      if (!row.is_condition && term.atom.restricted[axis]) return "an equation holds a value at a point of space";
  return averaging_unsupported_reason(model, plan);
}

std::optional<int> coefficient_degree(const Model& model, const SystemPlan& plan,
                                      const std::vector<AxisDescription>& subdomains) {
  const int axis = plan.banded_axis;
  // More points than a product of two such polynomials needs: what they do not resolve shows.
  std::vector<AxisDescription> few = subdomains;
  few[axis].degree = 2 * kHighestCoefficientDegree;
  // Times enough to see the coefficients vary; the basis of a high degree would take longer than all the rest.
  constexpr int kHighestInTime = 100;
  if (model.time_axis() >= 0) few[model.time_axis()].degree = std::min(few[model.time_axis()].degree, kHighestInTime);
  std::vector<double> middle;
  for (const Axis& one : model.axes) middle.push_back((one.lower + one.upper) / 2.0);
  const bool timed = model.time_axis() >= 0;
  const Discretisation points(model, few, middle, timed ? model.window_edges.front() : 0.0,
                              timed ? model.window_edges.back() : 1.0);
  std::vector<Array> leaves;
  for (expression::Expr leaf : plan.jacobian_tape.leaves()) leaves.push_back(points.data_at_points(*model.pool, leaf));
  const std::vector<Array> coefficients = plan.jacobian_tape.evaluate(leaves, points.weights());
  int degree = 0;
  for (const RowPlan& row : plan.rows) {
    if (row.is_condition) continue;
    for (const DirectionTerm& term : row.terms) {
      const Array& values = coefficients[term.coefficient];
      const Index n = values.shape[axis];
      const Matrix series = points.basis(axis).banded_form()->coefficient_series(
          Eigen::Map<const Matrix>(values.data.data(), values.size() / n, n), kHighestCoefficientDegree);
      if (series.cols() == 0) return std::nullopt;
      degree = std::max(degree, static_cast<int>(series.cols()) - 1);
    }
  }
  return degree;
}

}  // namespace gwrm
