#include "problems/time_spectral/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "kernels/chebyshev_matrices.hpp"
#include "output/evaluate.hpp"
#include "spectral/chebyshev.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

// Gauss points of another count than the solver's, with quadrature weights.
struct CheckGrid {
  GridPoints points;
  std::vector<std::vector<double>> weights;
};

// Enough points to see every mode, within a budget that keeps the check cheaper than the solve.
Index check_count(const Model& model, int axis) {
  int n_space = 0;
  for (const Axis& a : model.axes) n_space += a.kind == AxisKind::space ? 1 : 0;
  const Index cap = model.axes[at(axis)].kind == AxisKind::parameter ? 12 : n_space <= 1 ? 200 : n_space == 2 ? 50 : 24;
  return std::min<Index>(model.degrees[at(axis)] + 3, cap);
}

CheckGrid make_check_grid(const Model& model, const Solution& solution) {
  CheckGrid grid;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    const Index n_windows = static_cast<Index>(solution.n_windows());
    const bool is_time = model.axes[at(axis)].kind == AxisKind::time;
    const Index count =
        is_time ? std::clamp<Index>(2000 / n_windows, 2, model.degrees[at(axis)] + 3) : check_count(model, axis);
    std::vector<double> points, weights;
    for (Index w = 0; w < (is_time ? n_windows : 1); ++w) {
      const AxisMap map = is_time ? AxisMap(solution.window_edges[static_cast<std::size_t>(w)],
                                            solution.window_edges[static_cast<std::size_t>(w) + 1])
                                  : AxisMap(model.axes[at(axis)]);
      const Vector z = map.from_reference(gauss_points(count));
      const Vector q = quadrature_weights(map, count);
      for (Index i = count; i-- > 0;) {  // ascending
        points.push_back(z(i));
        weights.push_back(q(i));
      }
    }
    grid.points.push_back(std::move(points));
    grid.weights.push_back(std::move(weights));
  }
  return grid;
}

class Verifier {
 public:
  Verifier(const Case& problem, const Model& model, const Solution& solution)
      : case_(problem),
        model_(model),
        pool_(*model.pool),
        solution_(solution),
        grid_(make_check_grid(model, solution)) {}

  Verification run() {
    for (std::size_t i = 0; i < model_.equations.size(); ++i) check_residual(static_cast<int>(i));
    for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
      check_tails(f);
      check_initial(f);
    }
    for (const ConditionModel& condition : model_.conditions) check_condition(condition);
    for (const FieldModel& field : model_.fields)
      if (field.exact != nullptr) check_exact(field);
    for (const ReferenceValue& value : case_.verification.values) check_value(value);
    return std::move(verification_);
  }

 private:
  void add(const std::string& kind, const std::string& subject, double value, double tolerance) {
    verification_.checks.push_back({kind, subject, value, tolerance, true});
  }

  Array values(Expr e) { return evaluate(pool_, solution_, e, grid_.points); }

  static double largest(const Array& a) {
    double result = 0.0;
    for (double v : a.data) result = std::isnan(v) ? v : std::max(result, std::abs(v));
    return result;
  }
  static double rms(const Array& a) {
    double sum = 0.0;
    for (double v : a.data) sum += v * v;
    return std::sqrt(sum / static_cast<double>(std::max<Index>(1, a.size())));
  }

  Expr absolute(Expr e) { return pool_.applied(expression::Function::abs, {e}); }

  // What a residual is small against: the magnitudes of its data, and of each unknown or derivative times its
  // coefficient in the linearised equation, also inside integrals. (Sums of whole terms would not do: exp(x)*(dx(u) -
  // u) is one term.)
  Expr magnitude(Expr residual) {
    Expr sum = linear_magnitude(frechet(pool_, residual));
    for (Expr term : expression::additive_terms(pool_, residual))
      if (term->facts.degree == 0) sum = pool_.sum(sum, absolute(term));
    return sum;
  }

  Expr linear_magnitude(expression::LinearExpr linear) {
    Expr sum = pool_.zero();
    for (const expression::LinearTerm& term : collect(pool_, linear)) {
      const Expr leaf = expression::is_atom(term.leaf)
                            ? absolute(of_field(expression::atom_of(pool_, term.leaf)))
                            : pool_.integral(linear_magnitude({term.leaf->args[0]}), term.leaf->name);
      sum = pool_.sum(sum, pool_.product(absolute(term.coefficient), leaf));
    }
    return sum;
  }

  // The atom of a direction delta(u) with u itself in its place.
  Expr of_field(const expression::Atom& atom) {
    Expr e = pool_.field(model_.fields[at(atom.field)].name);
    std::vector<std::pair<std::string, Expr>> points;
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis) {
      if (atom.orders[axis] > 0) e = pool_.derivative(e, model_.axes[axis].name, atom.orders[axis]);
      if (atom.restricted[axis]) points.emplace_back(model_.axes[axis].name, pool_.number(atom.points[axis]));
    }
    return expression::lower(pool_, points.empty() ? e : pool_.restriction(e, std::move(points)));
  }

  double field_size(int f) { return largest(values(pool_.field(model_.fields[at(f)].name))); }

  void check_residual(int i) {
    const EquationModel& equation = model_.equations[at(i)];
    const double size = rms(values(magnitude(equation.residual)));
    const double error = rms(values(equation.residual));
    add("residual", fmt::format("equation {}: {}", i + 1, equation.text.text), size > 0.0 ? error / size : error,
        case_.verification.residual);
  }

  void check_tails(int f) {
    const FieldSolution& field = solution_.fields[at(f)];
    double all = 0.0;
    for (const Array& window : field.windows) all = std::max(all, largest(window));
    for (std::size_t d = 0; d < field.axes.size(); ++d) {
      double tail = 0.0;
      Index extent = 1;
      for (const Array& window : field.windows) {
        extent = window.shape[d];
        Index stride = 1;
        for (std::size_t i = d + 1; i < window.shape.size(); ++i) stride *= window.shape[i];
        for (Index k = 0; k < window.size(); ++k)
          if ((k / stride) % extent >= extent - 2)
            tail = std::max(tail, std::abs(window.data[static_cast<std::size_t>(k)]));
      }
      if (extent < 4) continue;  // too few coefficients to have a tail
      add("tail", fmt::format("{} along {}", field.name, model_.axes[at(field.axes[d])].name),
          all > 0.0 ? tail / all : tail, case_.verification.tail);
    }
  }

  void check_initial(int f) {
    const FieldModel& field = model_.fields[at(f)];
    for (int order = 0; order < field.time_order; ++order) {
      const std::string& t = model_.axes[at(model_.time_axis())].name;
      Expr u = pool_.field(field.name);
      if (order > 0) u = pool_.derivative(u, t, order);
      u = pool_.restriction(u, {{t, pool_.number(solution_.window_edges.front())}});
      const Expr difference = expression::lower(pool_, pool_.difference(u, field.initial[at(order)]));
      const double size = std::max(largest(values(field.initial[at(order)])), order == 0 ? 0.0 : field_size(f));
      const double error = largest(values(difference));
      add("initial",
          order == 0 ? field.name : fmt::format("dt({}{})", field.name, order > 1 ? fmt::format(",{}", order) : ""),
          size > 0.0 ? error / size : error, case_.verification.tolerance);
    }
  }

  void check_condition(const ConditionModel& condition) {
    double size = largest(values(magnitude(condition.residual)));
    for (Expr atom : expression::atoms_in(condition.residual))
      size = std::max(size, field_size(expression::atom_of(pool_, atom).field));
    const double error = largest(values(condition.residual));
    add("boundary", condition.text.text, size > 0.0 ? error / size : error, case_.verification.tolerance);
  }

  void check_exact(const FieldModel& field) {
    const Array exact = values(field.exact);
    const Array error = values(pool_.difference(pool_.field(field.name), field.exact));
    const double max_size = largest(exact), l2_size = l2_norm(exact, field);
    add("error_max", field.name, max_size > 0.0 ? largest(error) / max_size : largest(error),
        case_.verification.tolerance);
    add("error_l2", field.name, l2_size > 0.0 ? l2_norm(error, field) / l2_size : l2_norm(error, field),
        case_.verification.tolerance);
  }

  // sqrt(int v^2) over the field's axes.
  double l2_norm(const Array& v, const FieldModel& field) const {
    double sum = 0.0;
    std::vector<Index> index(v.shape.size(), 0);
    for (double value : v.data) {
      double weight = 1.0;
      for (int axis : field.axes) weight *= grid_.weights[at(axis)][static_cast<std::size_t>(index[at(axis)])];
      sum += weight * value * value;
      for (std::size_t axis = index.size(); axis-- > 0;) {
        if (++index[axis] < v.shape[axis]) break;
        index[axis] = 0;
      }
    }
    return std::sqrt(sum);
  }

  void check_value(const ReferenceValue& reference) {
    GridPoints points = grid_.points;
    for (auto& axis : points) axis.resize(1);
    std::string where;
    for (const auto& [name, z] : reference.at) {
      points[at(pool_.symbols().find_axis(name))] = {z};
      where += fmt::format("{}{} = {:.6g}", where.empty() ? "" : ", ", name, z);
    }
    const Expr e = known_value_expression(model_, reference);
    const double value = evaluate(pool_, solution_, e, points).data.front();
    const double error = std::abs(value - reference.value);
    add("value", fmt::format("{} at {}", reference.expr.text, where),
        reference.value != 0.0 ? error / std::abs(reference.value) : error, case_.verification.tolerance);
  }

  const Case& case_;
  const Model& model_;
  Pool& pool_;
  const Solution& solution_;
  CheckGrid grid_;
  Verification verification_;
};

}  // namespace

expression::Expr known_value_expression(const Model& model, const ReferenceValue& reference) {
  const expression::Expr e = expression::lower(*model.pool, expression::parse(*model.pool, reference.expr));
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if ((e->facts.axes >> axis & 1u) != 0 && std::none_of(reference.at.begin(), reference.at.end(), [&](const auto& p) {
          return p.first == model.axes[axis].name;
        }))
      throw_case_error(reference.expr, 0, fmt::format("`at` must give {} for this value", model.axes[axis].name));
  return e;
}

Verification verify(const Case& problem, const Model& model, const Solution& solution) {
  return Verifier(problem, model, solution).run();
}

}  // namespace gwrm
