#include "weighted_residual/model/size_coupling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/array.hpp"
#include "weighted_residual/model/magnitude_at_sizes.hpp"

namespace gwrm {
namespace {

using expression::Expr;

constexpr double kRounding = 1e-12;
constexpr double kUnknownCoupling = std::numeric_limits<double>::infinity();
// Where coefficients are looked at: shares of the way along all axes.
constexpr std::array<double, 5> kPlaces = {0.031, 0.273, 0.5, 0.714, 0.942};

bool holds(const std::vector<expression::FieldOrders>& fields, int field) {
  return std::any_of(fields.begin(), fields.end(), [&](const auto& orders) { return orders.field == field; });
}

}  // namespace

void SizeCoupling::add_terms(Row& row, expression::LinearExpr linear, Expr factor, double lengths) const {
  expression::Pool& pool = *pool_;
  for (const expression::LinearTerm& term : expression::collect(pool, linear)) {
    const Expr coefficient = pool.product(factor, term.coefficient);
    if (expression::is_atom(term.leaf)) {
      const expression::Atom atom = expression::atom_of(pool, term.leaf);
      row.push_back({atom.field, lengths * share_of_derivative(axes_, atom.orders), coefficient,
                     time_ < 0 ? 0 : atom.orders[at(time_)]});
    } else {
      const Axis& axis = axes_[at(pool.symbols().find_axis(term.leaf->name))];
      add_terms(row, {term.leaf->args[0]}, coefficient, lengths * (axis.upper - axis.lower));
    }
  }
}

SizeCoupling::Row SizeCoupling::row_of(Expr residual) const {
  expression::Pool& pool = *pool_;
  Row row;
  add_terms(row, expression::frechet(pool, residual), pool.one(), 1.0);
  for (Expr term : expression::additive_terms(pool, residual))
    if (term->facts.degree == 0 && !expression::is_zero(term)) row.push_back({-1, 1.0, term, 0});
  return row;
}

SizeCoupling::SizeCoupling(const Model& model)
    : pool_(model.pool), axes_(model.axes), time_(model.time_axis()), rows_(model.fields.size()) {
  expression::Pool& pool = *model.pool;
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    std::vector<Row>& rows = rows_[at(f)];
    for (const EquationModel& equation : model.equations)
      if (equation.field == f && holds(equation.fields, f)) rows.push_back(row_of(equation.residual));
    if (rows.empty())  // a multiplier: its rows are those of a constraint that does not hold it
      for (const EquationModel& equation : model.equations)
        if (holds(equation.fields, f)) rows.push_back(row_of(equation.residual));
    for (const ConditionModel& condition : model.conditions)
      if (condition.equation >= 0 && model.equations[at(condition.equation)].field == f && holds(condition.fields, f))
        rows.push_back(row_of(condition.residual));
    for (std::size_t k = 0; k < model.fields[at(f)].initial.size(); ++k) {
      if (model.fields[at(f)].initial[k] == nullptr) continue;
      std::vector<int> orders(model.axes.size(), 0);
      orders[at(model.time_axis())] = static_cast<int>(k);
      Row row{{f, share_of_derivative(axes_, orders), pool.one(), static_cast<int>(k)}};
      for (Expr term : expression::additive_terms(pool, model.fields[at(f)].initial[k]))
        row.push_back({-1, 1.0, term, 0});
      rows.push_back(std::move(row));
    }
  }
}

double SizeCoupling::magnitude(const Term& term, const std::vector<double>& sizes, double windows) const {
  double largest = 0.0;
  for (double place : kPlaces)
    largest = std::max(largest, magnitude_at_sizes(*pool_, axes_, term.coefficient, sizes, place));
  const double size = term.field < 0 ? 1.0 : sizes[at(term.field)];
  const double value = size == 0.0 ? 0.0 : term.factor * largest * size * std::pow(windows, term.time_order);
  return std::isnan(value) ? kUnknownCoupling : value;
}

double SizeCoupling::made_of(std::size_t field, const std::vector<double>& sizes, double windows) const {
  double largest = sizes[field];
  for (const Row& row : rows_[field]) {
    double own = 0.0, others = 0.0;
    for (const Term& term : row) {
      const double value = magnitude(term, sizes, windows);
      if (term.field == static_cast<int>(field))
        own = std::max(own, value);
      else
        others += value;
    }
    if (own == 0.0) continue;
    largest = std::isfinite(own) ? std::max(largest, others / own * sizes[field]) : kUnknownCoupling;
  }
  return std::isnan(largest) ? kUnknownCoupling : largest;
}

std::vector<bool> SizeCoupling::small_by_units(const std::vector<double>& sizes, double share, double length) const {
  const double windows = time_ < 0 || length == 0.0 ? 1.0 : (axes_[at(time_)].upper - axes_[at(time_)].lower) / length;
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  std::vector<bool> by_units;
  for (double size : sizes) by_units.push_back(size > 0.0 && size <= share * largest);
  std::vector<double> made = sizes;  // what they may be
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < sizes.size(); ++f) {
      if (!by_units[f]) continue;
      const double by_others = made_of(f, made, windows);
      if (!(sizes[f] <= share * by_others)) continue;
      made[f] = std::min(by_others, largest);
      by_units[f] = false;
      changed = true;
    }
  }
  return by_units;
}

std::vector<bool> SizeCoupling::zero_to_rounding(const std::vector<double>& sizes) const {
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  const std::vector<bool> by_units = small_by_units(sizes, kRounding);
  std::vector<bool> is_zero;
  for (std::size_t f = 0; f < sizes.size(); ++f)
    is_zero.push_back(largest > 0.0 && sizes[f] <= kRounding * largest && !by_units[f]);
  return is_zero;
}

}  // namespace gwrm
