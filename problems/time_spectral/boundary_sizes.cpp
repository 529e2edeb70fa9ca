#include "problems/time_spectral/boundary_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "problems/time_spectral/linear_symbol.hpp"

namespace gwrm {
namespace {

using expression::Expr;

constexpr int kTimesOfCondition = 200;

// The unknown of c u(x=a) + data = 0; -1: the condition is another one.
struct GivenValue {
  int field = -1;
  Expr value = nullptr;  // data/c
};
GivenValue given_value(const Model& model, const ConditionModel& condition) {
  expression::Pool& pool = *model.pool;
  const std::vector<expression::LinearTerm> terms = collect(pool, frechet(pool, condition.residual));
  if (terms.size() != 1 || !expression::is_atom(terms.front().leaf) ||
      terms.front().coefficient->op != expression::Op::number)
    return {};
  const expression::Atom atom = expression::atom_of(pool, terms.front().leaf);
  if (std::any_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order > 0; })) return {};
  Expr data = pool.zero();
  for (Expr term : expression::additive_terms(pool, condition.residual))
    if (term->facts.degree == 0) data = pool.sum(data, term);
  return {atom.field, pool.quotient(data, terms.front().coefficient)};
}

}  // namespace

std::vector<double> sizes_by_conditions(const Model& model, const std::vector<double>& parameters) {
  std::vector<double> sizes(model.fields.size(), 0.0);
  const int time = model.time_axis();
  if (time < 0) return sizes;
  try {
    for (const ConditionModel& condition : model.conditions) {
      const GivenValue given = given_value(model, condition);
      if (given.field < 0) continue;
      const FieldModel& field = model.fields[static_cast<std::size_t>(given.field)];
      if (field.initial.empty() || !std::all_of(field.initial.begin(), field.initial.end(), expression::is_zero))
        continue;
      std::vector<double> point = parameters;
      for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
        if (!model.is_collocated(static_cast<int>(axis)))
          point[axis] = 0.5 * (model.axes[axis].lower + model.axes[axis].upper);
      const double start = model.window_edges.front(), length = model.window_edges.back() - start;
      double& size = sizes[static_cast<std::size_t>(given.field)];
      for (int k = 0; k <= kTimesOfCondition; ++k) {
        point[static_cast<std::size_t>(time)] = start + length * k / kTimesOfCondition;
        const double value = std::abs(value_at(*model.pool, given.value, point).value_or(0.0));
        if (std::isfinite(value)) size = std::max(size, value);
      }
    }
  } catch (const Error&) {
    return std::vector<double>(model.fields.size(), 0.0);  // the data exceed the limits of an expression
  }
  return sizes;
}

}  // namespace gwrm
