#include "problems/time_spectral/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate.hpp"
#include "problems/time_spectral/residual_magnitude.hpp"

namespace gwrm {
namespace {

using expression::Expr;

Expr expression_of(const Model& model, const NamedExpression& goal) {
  return expression::lower(*model.pool, expression::parse(*model.pool, goal.text));
}

// A number does not depend on where it is asked for.
double number_of(const Model& model, const Solution& solution, Expr e) {
  GridPoints anywhere;
  for (const Axis& axis : solution.axes) anywhere.push_back({axis.lower});
  return evaluate(*model.pool, solution, e, anywhere).data.front();
}

bool ends_with(const Solution& finer, const Solution& run) {
  return run.window_edges.empty() ||
         (!finer.window_edges.empty() && finer.window_edges.back() == run.window_edges.back());
}

double error_of(const Model& model, Expr e, double value, const Solution& run, const std::optional<Solution>& finer) {
  if (!finer) return std::numeric_limits<double>::quiet_NaN();
  if (!ends_with(*finer, run)) return std::numeric_limits<double>::infinity();
  const double error = std::abs(number_of(model, *finer, e) - value);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

double size_of(const Model& model, Expr e, double value, const Solution& run, double tolerance) {
  const double terms = number_of(model, run, magnitude_of(*model.pool, model, e));
  return std::isfinite(terms) && std::abs(value) < tolerance * terms ? terms : std::abs(value);
}

}  // namespace

void check_goals(const Case& the_case, const Model& model) {
  for (const NamedExpression& goal : the_case.goals) {
    const Expr e = expression_of(model, goal);
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      if ((e->facts.axes >> axis & 1u) != 0)
        throw_case_error(
            goal.text, 0,
            fmt::format("a goal is one number, and `{0}` depends on {1}: take its integral over {1} or its "
                        "value at a point, {1}=..",
                        goal.name, model.axes[axis].name));
  }
}

std::vector<Goal> evaluate_goals(const Case& the_case, const Model& model, const Solution& run,
                                 const std::optional<Solution>& finer) {
  std::vector<Goal> goals;
  for (const NamedExpression& goal : the_case.goals) {
    const Expr e = expression_of(model, goal);
    const double value = number_of(model, run, e);
    goals.push_back({goal.name, goal.text.text, value, error_of(model, e, value, run, finer),
                     size_of(model, e, value, run, the_case.verification.tolerance)});
  }
  return goals;
}

void add_goals(const Case& the_case, std::vector<Goal> goals, Verification& verification) {
  const bool is_judged =
      !(std::isfinite(verification.estimate.lost_at) && the_case.verification.after_loss == AfterLossChoice::report);
  for (const Goal& goal : goals)
    if (!std::isnan(goal.error))
      verification.checks.push_back(
          {"goal", goal.name, goal.relative(), the_case.verification.tolerance, is_judged, kEstimateMargin});
  verification.goals = std::move(goals);
}

}  // namespace gwrm
