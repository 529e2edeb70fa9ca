#include "problems/time_spectral/residual_magnitude.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "expression/chain_rule.hpp"
#include "expression/frechet.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

Expr absolute(Pool& pool, Expr e) {
  return pool.applied(expression::Function::abs, {e});
}

// The atom of a direction delta(u) with u itself in its place.
Expr of_field(Pool& pool, const Model& model, const expression::Atom& atom) {
  Expr e = pool.field(model.fields[atom.field].name);
  std::vector<std::pair<std::string, Expr>> points;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
    if (atom.orders[axis] > 0) e = pool.derivative(e, model.axes[axis].name, atom.orders[axis]);
    if (atom.restricted[axis]) points.emplace_back(model.axes[axis].name, pool.number(atom.points[axis]));
  }
  return expression::lower(pool, points.empty() ? e : pool.restriction(e, std::move(points)));
}

// magnitude: of an atom.
template <class Magnitude>
Expr linear_magnitude(Pool& pool, expression::LinearExpr linear, const Magnitude& magnitude) {
  Expr sum = pool.zero();
  for (const expression::LinearTerm& term : collect(pool, linear)) {
    const Expr leaf = expression::is_atom(term.leaf)
                          ? magnitude(expression::atom_of(pool, term.leaf))
                          : pool.integral(linear_magnitude(pool, {term.leaf->args[0]}, magnitude), term.leaf->name);
    sum = pool.sum(sum, pool.product(absolute(pool, term.coefficient), leaf));
  }
  return sum;
}

}  // namespace

Expr magnitude_of(Pool& pool, const Model& model, Expr residual) {
  Expr sum = linear_magnitude(pool, frechet(pool, residual), [&](const expression::Atom& atom) {
    return absolute(pool, of_field(pool, model, atom));
  });
  for (Expr term : expression::additive_terms(pool, residual))
    if (term->facts.degree == 0) sum = pool.sum(sum, absolute(pool, term));
  return sum;
}

Expr magnitude_of_derivatives(Pool& pool, const Model& model, Expr residual) {
  return linear_magnitude(pool, frechet(pool, residual), [&](const expression::Atom& atom) {
    const bool is_derivative = std::any_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order > 0; });
    if (!is_derivative) return pool.zero();
    expression::Atom anywhere = atom;
    std::fill(anywhere.restricted.begin(), anywhere.restricted.end(), false);
    return absolute(pool, of_field(pool, model, anywhere));
  });
}

Expr magnitude_of_sizes(Pool& pool, const Model& model, Expr residual, const std::vector<double>& sizes) {
  return linear_magnitude(pool, frechet(pool, residual), [&](const expression::Atom& atom) {
    double own = sizes[atom.field];
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      own /= std::pow(model.axes[axis].upper - model.axes[axis].lower, atom.orders[axis]);
    return pool.number(own);
  });
}

}  // namespace gwrm
