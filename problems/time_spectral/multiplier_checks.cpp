#include "problems/time_spectral/multiplier_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/array.hpp"
#include "expression/lowering.hpp"
#include "problems/time_spectral/incompatible_data.hpp"
#include "problems/time_spectral/net_flux.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/model/statement_names.hpp"
#include "weighted_residual/window/discretisation.hpp"

namespace gwrm {
namespace {

// Violation of initial values that is more than rounding: derivatives are exact expressions, whose terms cancel to the
// machine epsilon times the size of what they are made of (factors of 1e5 at most beside the sum, as in sin(1e5 x)).
constexpr double kSaid = 1e-10;
constexpr int kHighest = 100;  // degree of the points at which the expressions are looked at

double largest_at(const Discretisation& points, const Model& model, expression::Expr e) {
  double largest = 0.0;
  for (double value : points.data_at_points(*model.pool, e).data) largest = std::max(largest, std::abs(value));
  return largest;
}

// Cross points of subdomains need the normal stress of each equation that holds a multiplier (has_cross_points).
void check_divisions(const Model& model) {
  if (!has_cross_points(model, model.subdomains)) return;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!is_lower_beside_another(model, axis) || model.subdomains[at(axis)].n_subdomains() == 1) continue;
    for (int e = 0; e < static_cast<int>(model.equations.size()); ++e) {
      const int multiplier = multiplier_differentiated_in(model, e, axis);
      if (multiplier < 0 || stress_factor(model, e, axis)) continue;
      const std::string& name = model.axes[at(axis)].name;
      throw_case_error(
          model.equations[at(e)].text, 0,
          fmt::format("{0} has subdomains along {1} and another dimension: where four meet, the stress "
                      "normal to {1} has to be continuous, and the factors of d{1}({0}) and d{1}({2},2) "
                      "in this equation are no constants; divide one of these dimensions at most, and "
                      "raise the degrees of the others",
                      model.fields[at(multiplier)].name, name, model.fields[at(model.equations[at(e)].field)].name));
    }
  }
}

// By how much of its terms a constraint is violated by the initial values.
struct InitialViolation {
  const Multiplier* multiplier = nullptr;
  double relative = 0.0;
};

std::vector<InitialViolation> initial_violations(const Model& model, const std::vector<double>& parameter_point) {
  std::vector<InitialViolation> found;
  if (model.time_axis() < 0 || model.multipliers.empty()) return found;
  std::vector<AxisDescription> subdomains = model.subdomains;
  for (AxisDescription& axis : subdomains) axis.degree = std::min(axis.degree, kHighest);
  const Discretisation points(model, subdomains, parameter_point, model.window_edges[0], model.window_edges[1]);
  for (const Multiplier& multiplier : model.multipliers) {
    const EquationModel& constraint = model.equations[at(multiplier.equation)];
    const expression::Expr held = of_initial_values(model, constraint.residual);
    if (held == nullptr) continue;  // it holds an unknown without initial values
    double size = 0.0;
    for (expression::Expr term : expression::additive_terms(*model.pool, constraint.residual))
      if (const expression::Expr own = of_initial_values(model, term)) size += largest_at(points, model, own);
    if (size > 0.0) found.push_back({&multiplier, largest_at(points, model, held) / size});
  }
  return found;
}

void check_initial_constraints(const Model& model, const std::vector<double>& parameter_point, double tolerance) {
  for (const auto& [multiplier, violation] : initial_violations(model, parameter_point))
    if (violation > tolerance)
      throw_case_error(
          model.equations[at(multiplier->equation)].text, 0,
          fmt::format("the initial values contradict this constraint by {:.2g} of its terms, and {} would have "
                      "to grow without bound to mend them: give initial values that satisfy it (velocities of "
                      "a stream function, u = dy(psi), v = -dx(psi), have no divergence)",
                      violation, model.fields[at(multiplier->field)].name));
}

}  // namespace

void check_multipliers(const Model& model, const std::vector<double>& parameter_point, double tolerance) {
  check_divisions(model);
  check_net_flux(model, parameter_point, tolerance);
  check_initial_constraints(model, parameter_point, tolerance);
}

std::vector<std::string> projected_initial_values(const Model& model, const std::vector<double>& parameter_point) {
  std::vector<std::string> texts;
  for (const auto& [multiplier, violation] : initial_violations(model, parameter_point))
    if (violation > kSaid)
      texts.push_back(
          fmt::format("the initial values contradict {} by {:.2g} of its terms: the run starts from "
                      "the nearest ones that satisfy it",
                      equation_name(model, at(multiplier->equation)), violation));
  return texts;
}

}  // namespace gwrm
