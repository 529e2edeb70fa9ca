#include "weighted_residual/model/series_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/errors.hpp"
#include "expression/frechet.hpp"
#include "expression/memoised.hpp"
#include "expression/printer.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Op;

constexpr double kHighestPower = 32.0;

// The degree of data along an axis in its coordinate; -1: no polynomial.
int degree_along(const expression::Pool& pool, Expr e, std::size_t axis, expression::Memoised<int>& degree) {
  if ((e->facts.axes >> axis & 1u) == 0) return 0;
  const auto of = [&](std::size_t i) { return degree(e->args[i]); };
  switch (e->op) {
    case Op::coordinate:
      return pool.symbols().axes[axis].map == MapKind::linear ? 1 : -1;
    case Op::negate:
      return of(0);
    case Op::add:
    case Op::subtract: {
      const int a = of(0), b = of(1);
      return a < 0 || b < 0 ? -1 : std::max(a, b);
    }
    case Op::multiply: {
      const int a = of(0), b = of(1);
      return a < 0 || b < 0 ? -1 : a + b;
    }
    case Op::divide:
      return (e->args[1]->facts.axes >> axis & 1u) == 0 ? of(0) : -1;
    case Op::power: {
      const int a = of(0);
      const double p = e->args[1]->op == Op::number ? e->args[1]->value : -1.0;
      return a < 0 || p < 0.0 || p > kHighestPower || p != std::trunc(p) ? -1 : a * static_cast<int>(p);
    }
    default:
      return -1;
  }
}

int polynomial_degree_along(const expression::Pool& pool, Expr e, std::size_t axis) {
  expression::Memoised<int> degree(
      [&](Expr part, expression::Memoised<int>& of) { return degree_along(pool, part, axis, of); });
  return degree(e);
}

// Turns expressions into steps; each node once.
class Builder {
 public:
  explicit Builder(const Model& model) : model_(model), pool_(*model.pool) {}

  void add_row(Expr residual) {
    SeriesRow row;
    row.residual = step(residual);
    for (const expression::LinearTerm& term : collect(pool_, frechet(pool_, residual))) {
      if (!expression::is_atom(term.leaf)) {
        refuse(term.leaf, "an integral");
        continue;
      }
      SeriesTerm added{expression::atom_of(pool_, term.leaf), -1, 1.0};
      if (term.coefficient->op == Op::number)
        added.factor = term.coefficient->value;
      else
        added.coefficient = step(term.coefficient);
      row.terms.push_back(std::move(added));
    }
    rows_.push_back(std::move(row));
  }

  const std::string& unsupported_reason() const { return unsupported_reason_; }
  std::vector<SeriesStep>& steps() { return steps_; }
  std::vector<SeriesRow>& rows() { return rows_; }

 private:
  int step(Expr e) {
    if (const auto known = known_.find(e); known != known_.end()) return known->second;
    const int made = make(e);
    known_.emplace(e, made);
    return made;
  }

  int make(Expr e) {
    if (e->facts.degree == 0) return data(e);
    if (expression::is_atom(e)) {
      SeriesStep step;
      step.atom = expression::atom_of(pool_, e);
      return push(std::move(step));
    }
    switch (e->op) {
      case Op::negate:
        return scaled(-1.0, e->args[0]);
      case Op::add:
        return combined(SeriesStep::Kind::sum, step(e->args[0]), step(e->args[1]), 1.0);
      case Op::subtract:
        return combined(SeriesStep::Kind::sum, step(e->args[0]), step(e->args[1]), -1.0);
      case Op::multiply:
        if (e->args[0]->op == Op::number) return scaled(e->args[0]->value, e->args[1]);
        if (e->args[1]->op == Op::number) return scaled(e->args[1]->value, e->args[0]);
        return combined(SeriesStep::Kind::product, step(e->args[0]), step(e->args[1]), 1.0);
      case Op::divide:
        if (e->args[1]->facts.degree > 0) break;
        if (e->args[1]->op == Op::number) return scaled(1.0 / e->args[1]->value, e->args[0]);
        return combined(SeriesStep::Kind::product, step(e->args[0]), step(pool_.quotient(pool_.one(), e->args[1])),
                        1.0);
      case Op::power:
        if (const Expr p = e->args[1];
            p->op == Op::number && p->value >= 1.0 && p->value <= kHighestPower && p->value == std::trunc(p->value))
          return power(step(e->args[0]), static_cast<int>(p->value));
        break;
      case Op::integral:
        return refuse(e, "an integral");
      default:
        break;
    }
    return refuse(e, "no polynomial in the unknowns");
  }

  int data(Expr e) {
    SeriesStep step;
    step.kind = SeriesStep::Kind::data;
    step.data = e;
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis)
      step.data_degrees.push_back(polynomial_degree_along(pool_, e, axis));
    return push(std::move(step));
  }

  int scaled(double factor, Expr e) {
    SeriesStep scaled;
    scaled.kind = SeriesStep::Kind::scaled;
    scaled.first = step(e);
    scaled.factor = factor;
    return push(std::move(scaled));
  }

  int combined(SeriesStep::Kind kind, int first, int second, double factor) {
    SeriesStep step;
    step.kind = kind;
    step.first = first;
    step.second = second;
    step.factor = factor;
    return push(std::move(step));
  }

  // By squares: x^5 = x (x^2)^2.
  int power(int base, int exponent) {
    if (exponent == 1) return base;
    const int half = power(base, exponent / 2);
    const int square = combined(SeriesStep::Kind::product, half, half, 1.0);
    return exponent % 2 == 0 ? square : combined(SeriesStep::Kind::product, base, square, 1.0);
  }

  int refuse(Expr e, const char* what) {
    if (unsupported_reason_.empty()) unsupported_reason_ = fmt::format("`{}` is {}", expression::print(e), what);
    return 0;
  }

  int push(SeriesStep step) {
    steps_.push_back(std::move(step));
    return static_cast<int>(steps_.size()) - 1;
  }

  const Model& model_;
  expression::Pool& pool_;
  std::map<Expr, int> known_;
  std::vector<SeriesStep> steps_;
  std::vector<SeriesRow> rows_;
  std::string unsupported_reason_;
};

// Equations, then conditions, as in SystemPlan.
Builder built(const Model& model) {
  Builder builder(model);
  for (const EquationModel& equation : model.equations) builder.add_row(equation.residual);
  for (const ConditionModel& condition : model.conditions) builder.add_row(condition.residual);
  return builder;
}

bool differentiates_along(const SystemPlan& plan, std::size_t axis) {
  return std::any_of(plan.rows.begin(), plan.rows.end(), [&](const RowPlan& row) {
    return std::any_of(row.terms.begin(), row.terms.end(),
                       [&](const DirectionTerm& term) { return term.integral < 0 && term.atom.orders[axis] > 0; });
  });
}

}  // namespace

std::string series_unsupported_reason(const Model& model, const SystemPlan& plan) {
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
    const std::string& name = model.axes[axis].name;
    if (model.is_modal(static_cast<int>(axis)) && model.subdomains[axis].n_subdomains() > 1)
      return fmt::format("{} is divided into subdomains, and a product of series belongs to one interval", name);
    if (model.subdomains[axis].basis != kChebyshev)
      return fmt::format("the series along {} are no Chebyshev series", name);
    if (model.axes[axis].map != MapKind::linear && differentiates_along(plan, axis))
      return fmt::format("derivatives along {} on its log map are no polynomials", name);
  }
  if (!model.multipliers.empty())
    return fmt::format("{} has fewer modes than the other unknowns",
                       model.fields[static_cast<std::size_t>(model.multipliers.front().field)].name);
  if (plan.banded_axis >= 0)
    return fmt::format("the equations are written in ultraspherical polynomials along {}",
                       model.axes[plan.banded_axis].name);
  return built(model).unsupported_reason();
}

SeriesPlan::SeriesPlan(const Model& model, ProductVariant products) : variant(products) {
  Builder builder = built(model);
  if (!builder.unsupported_reason().empty()) throw ShapeError("SeriesPlan: " + builder.unsupported_reason());
  steps = std::move(builder.steps());
  rows = std::move(builder.rows());
}

}  // namespace gwrm
