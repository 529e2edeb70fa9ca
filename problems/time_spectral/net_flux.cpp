#include "problems/time_spectral/net_flux.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/substitute.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/model/statement_names.hpp"
#include "weighted_residual/window/discretisation.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;

constexpr double kCertain = 1e-3;  // less may be the error of the quadrature, of data with a kink; the end tells
constexpr int kLeast = 32, kHighestOrder = 100;  // degrees of the points at which data are integrated

class NetFlux {
 public:
  NetFlux(const Model& model, const Discretisation& points) : model_(model), pool_(*model.pool), points_(points) {
    zeros_.assign(model.fields.size(), pool_.zero());
  }

  struct Largest {
    double flux = 0.0;      // at the points of time and parameters
    double of_faces = 0.0;  // the integral of the largest velocity, or source, over its face
  };
  // Nothing where it cannot be told.
  std::optional<Largest> of(const Multiplier& multiplier) const {
    const Expr residual = model_.equations[at(multiplier.equation)].residual;
    if (residual->facts.degree > 1) return {};
    std::vector<Integral> terms{integral(expression::substitute(pool_, residual, zeros_), -1)};
    for (const expression::LinearTerm& term : collect(pool_, frechet(pool_, residual))) {
      if (term.coefficient->facts.axes != 0 || !expression::is_atom(term.leaf)) return {};
      const Atom atom = expression::atom_of(pool_, term.leaf);
      const int axis = normal_of(atom);
      if (axis < 0) return {};
      if (make_basis(model_.subdomains[at(axis)])->is_periodic()) continue;
      const std::vector<double>& edges = model_.subdomains[at(axis)].edges;
      for (const bool upper : {false, true}) {
        const std::optional<Expr> value = value_at(atom.field, axis, upper ? edges.back() : edges.front());
        if (!value) return {};
        terms.push_back(integral(pool_.product(term.coefficient, upper ? *value : pool_.negated(*value)), axis));
      }
    }
    return largest(terms);
  }

 private:
  // The axis of the only derivative, of first order; -1: it is no such term.
  int normal_of(const Atom& atom) const {
    int found = -1;
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      if (atom.restricted[axis] || atom.orders[axis] > 1) return -1;
      if (atom.orders[axis] == 0) continue;
      if (found >= 0 || model_.axes[at(axis)].kind != AxisKind::space) return -1;
      found = axis;
    }
    return found;
  }

  // What the conditions say of the field on a face, where one holds nothing else.
  std::optional<Expr> value_at(int field, int axis, double edge) const {
    for (const ConditionModel& condition : model_.conditions) {
      if (condition.axis != axis || condition.residual->facts.degree > 1) continue;
      const std::vector<expression::LinearTerm> terms = collect(pool_, frechet(pool_, condition.residual));
      if (terms.size() != 1 || !expression::is_atom(terms[0].leaf)) continue;
      const Atom atom = expression::atom_of(pool_, terms[0].leaf);
      const bool here = atom.field == field && atom.restricted[axis] && atom.points[axis] == edge &&
                        std::count(atom.restricted.begin(), atom.restricted.end(), true) == 1 &&
                        std::all_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order == 0; });
      if (!here) continue;
      const Expr data = expression::substitute(pool_, condition.residual, zeros_);
      return pool_.negated(pool_.quotient(data, terms[0].coefficient));
    }
    return {};
  }

  struct Integral {
    Array values;
    double of_size = 0.0;  // that of the largest magnitude
  };

  // Over all axes of space but one.
  Integral integral(Expr e, int but) const {
    Integral result{points_.data_at_points(pool_, expression::lower(pool_, e)), 0.0};
    for (double value : result.values.data) result.of_size = std::max(result.of_size, std::abs(value));
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      if (axis == but || model_.axes[at(axis)].kind != AxisKind::space) continue;
      const Vector& weights = points_.weights()[at(axis)];
      result.values = result.values.shape[at(axis)] == 1 ? scaled(std::move(result.values), weights.sum())
                                                         : weighted_sum(result.values, at(axis), weights);
      result.of_size *= weights.sum();
    }
    return result;
  }

  static Array scaled(Array a, double factor) {
    for (double& value : a.data) value *= factor;
    return a;
  }

  static Largest largest(const std::vector<Integral>& terms) {
    Shape shape = terms.front().values.shape;
    for (const Integral& term : terms)
      for (std::size_t axis = 0; axis < shape.size(); ++axis)
        shape[axis] = std::max(shape[axis], term.values.shape[axis]);
    Array sum(shape);
    Largest result;
    const Array one(Shape(shape.size(), 1), 1.0);
    for (const Integral& term : terms) {
      add_product(sum.data.data(), shape, term.values, one);
      result.of_faces = std::max(result.of_faces, term.of_size);
    }
    for (double value : sum.data)
      if (std::abs(value) > std::abs(result.flux)) result.flux = value;
    return result;
  }

  const Model& model_;
  expression::Pool& pool_;
  const Discretisation& points_;
  std::vector<Expr> zeros_;  // in place of the unknowns
};

// Nothing but a condition on its mean holds the multiplier: a constant is free otherwise.
bool has_free_constant(const Model& model, const Multiplier& multiplier) {
  return std::any_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
    return condition.equation == multiplier.equation && !condition.mean_axes.empty();
  });
}

}  // namespace

void check_net_flux(const Model& model, const std::vector<double>& parameter_point, double tolerance) {
  if (model.multipliers.empty()) return;
  std::vector<AxisDescription> subdomains = model.subdomains;
  for (AxisDescription& axis : subdomains) axis.degree = std::clamp(axis.degree, kLeast, kHighestOrder);
  const double start = model.time_axis() < 0 ? 0.0 : model.window_edges.front();
  const double end = model.time_axis() < 0 ? 1.0 : model.window_edges.back();
  const Discretisation points(model, subdomains, parameter_point, start, end);
  for (const Multiplier& multiplier : model.multipliers) {
    if (!has_free_constant(model, multiplier)) continue;
    const std::optional<NetFlux::Largest> found = NetFlux(model, points).of(multiplier);
    if (!found || !(std::abs(found->flux) > std::max(tolerance, kCertain) * found->of_faces)) continue;
    throw_case_error(
        model.equations[at(multiplier.equation)].text, 0,
        fmt::format("net flux {:.3g} through the boundary contradicts {}: the conditions give "
                    "this constraint's integral over the whole domain, which has to vanish, and {} has only "
                    "a free constant to offer; let as much out as comes in, or leave one side open "
                    "(-{}(x=1) + nu*dx(u)(x=1) = 0 in place of u(x=1) = ..)",
                    found->flux, equation_name(model, at(multiplier.equation)), model.fields[at(multiplier.field)].name,
                    model.fields[at(multiplier.field)].name));
  }
}

}  // namespace gwrm
