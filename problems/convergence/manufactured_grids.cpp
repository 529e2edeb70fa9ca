// Manufactured solutions of the two modules of finite differences, whose equations are fixed: the source is found by
// differentiating `exact`, the conditions are balanced like those of every problem.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "basis/axis_basis.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "expression/substitute.hpp"
#include "problems/convergence/manufactured_data.hpp"
#include "problems/recurrence_bvp/bvp_model.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

const SourceText& only_exact(const Case& problem) {
  if (problem.exact.empty())
    throw_case_error(
        problem.unknowns.front().where, 0,
        fmt::format("a manufactured solution needs `exact`: add exact: {{{}: ...}}", problem.unknowns.front().name));
  return problem.exact.front().text;
}

// -div(C grad u) = f in the plane of x and y. Two pools: one in which x and y are dimensions, to differentiate in, and
// the grid's, whose dimensions the conditions are restricted in.
class PoissonData {
 public:
  explicit PoissonData(Case& problem) : case_(problem), plane_(plane_symbols(problem)), grid_(grid_symbols(problem)) {
    const Expr u = in_plane(only_exact(problem));
    const std::array<Expr, 2> slope = {d(u, 0), d(u, 1)};
    for (const int row : {0, 1})
      flux_[at(row)] = plane_.sum(plane_.product(entry(row, 0), slope[0]), plane_.product(entry(row, 1), slope[1]));
  }

  void make() {
    const Expr source = plane_.negated(plane_.sum(d(flux_[0], 0), d(flux_[1], 1)));
    case_.sbp_sat.source = derived_text(expression::lower(plane_, source), "manufactured source");
    for (std::size_t i = 0; i < case_.boundary.size(); ++i)
      case_.boundary[i] = balance(case_.boundary[i], fmt::format("manufactured condition {}", i + 1));
  }

 private:
  static bool is_mapped(const Case& problem) { return !problem.sbp_sat.mapping.empty(); }

  static expression::Symbols plane_symbols(const Case& problem) {
    expression::Symbols symbols;
    symbols.constants = problem.constants;
    if (!is_mapped(problem)) {
      for (const AxisCase& axis : problem.domain) symbols.axes.push_back(axis.axis);
      return symbols;
    }
    for (const char* name : {"y", "x"}) {
      Axis axis;
      axis.name = name;
      axis.kind = AxisKind::space;
      symbols.axes.push_back(axis);
    }
    return symbols;
  }

  // The unknown and `flux`; on mapped grids x and y as well, which stand for their expressions.
  static expression::Symbols grid_symbols(const Case& problem) {
    expression::Symbols symbols = problem.symbols();
    const std::vector<std::string>& dims = problem.unknowns.front().dims;
    symbols.fields.push_back({"flux", dims});
    if (is_mapped(problem)) {
      symbols.fields.push_back({"x", dims});
      symbols.fields.push_back({"y", dims});
    }
    return symbols;
  }

  Expr in_plane(const SourceText& text) {
    for (const AxisCase& axis : case_.domain)
      if (is_mapped(case_) && text.text.find(axis.axis.name + "(") == std::string::npos &&
          uses(text.text, axis.axis.name))
        throw_case_error(
            text, 0,
            fmt::format("on a mapped grid a manufactured solution and the coefficient are expressions of x "
                        "and y, not of {}",
                        axis.axis.name));
    return expression::parse(plane_, text);
  }

  static bool uses(const std::string& text, const std::string& name) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t i = text.find(name); i != std::string::npos; i = text.find(name, i + 1)) {
      const bool begins = i == 0 || !is_part(text[i - 1]);
      const std::size_t end = i + name.size();
      if (begins && (end == text.size() || !is_part(text[end]))) return true;
    }
    return false;
  }

  Expr d(Expr e, int which) { return plane_.derivative(e, which == 0 ? "x" : "y", 1); }

  // C: 1, c, or the entries of a symmetric matrix, of which those left out are 1, 0, 1.
  Expr entry(int row, int column) {
    const char* name = row != column ? "xy" : row == 0 ? "xx" : "yy";
    for (const NamedExpression& coefficient : case_.sbp_sat.coefficient)
      if (coefficient.name == name || (coefficient.name == "c" && row == column)) return in_plane(coefficient.text);
    return row == column ? plane_.one() : plane_.zero();
  }

  // An expression of the plane in the grid's dimensions.
  Expr on_grid(Expr e) {
    const SourceText text = derived_text(expression::lower(plane_, e), "manufactured data");
    const Expr parsed = expression::parse(grid_, text);
    if (!is_mapped(case_)) return parsed;
    std::vector<Expr> replacements(grid_.symbols().fields.size(), nullptr);
    for (const NamedExpression& mapped : case_.sbp_sat.mapping)
      replacements[at(grid_.symbols().find_field(mapped.name))] = expression::parse(grid_, mapped.text);
    return expression::substitute(grid_, parsed, replacements);
  }

  Expr mapping(const std::string& name, int along) {
    const std::string& axis = case_.domain[at(along)].axis.name;
    if (!is_mapped(case_)) return name == axis ? grid_.one() : grid_.zero();
    for (const NamedExpression& mapped : case_.sbp_sat.mapping)
      if (mapped.name == name) return grid_.derivative(expression::parse(grid_, mapped.text), axis, 1);
    throw ShapeError("a mapping without " + name);
  }

  // n.C grad u on the side where the dimension `across` has its lower or upper end. The normal of a line on which the
  // dimension a is fixed is the tangent along the other one, b, turned: (y_b, -x_b) for a before b in the orientation
  // of the grid, with the sign of the map's determinant.
  Expr outward_flux(int across, bool upper) {
    const int along = 1 - across;
    const Expr x_a = mapping("x", across), y_a = mapping("y", across), x_b = mapping("x", along),
               y_b = mapping("y", along);
    const Expr determinant = grid_.difference(grid_.product(x_a, y_b), grid_.product(x_b, y_a));
    const Expr sign = grid_.applied(expression::Function::sign, {determinant});
    const Expr length =
        grid_.applied(expression::Function::sqrt, {grid_.sum(grid_.product(x_b, x_b), grid_.product(y_b, y_b))});
    const Expr along_flux =
        grid_.difference(grid_.product(y_b, on_grid(flux_[0])), grid_.product(x_b, on_grid(flux_[1])));
    const Expr flux = grid_.quotient(grid_.product(sign, along_flux), length);
    return upper ? flux : grid_.negated(flux);
  }

  SourceText balance(const SourceText& text, const std::string& what) {
    const expression::Equation equation = expression::parse_equation(grid_, text);
    const Expr residual = grid_.difference(equation.left, equation.right);
    std::vector<Expr> replacements(grid_.symbols().fields.size(), nullptr);
    for (Expr leaf : expression::atoms_in(expression::lower(grid_, residual))) {
      const expression::Atom atom = expression::atom_of(grid_, leaf);
      if (atom.field > 1) continue;
      replacements[0] = on_grid(expression::parse(plane_, only_exact(case_)));
      for (const int axis : {0, 1})
        if (atom.restricted[at(axis)])
          replacements[1] = outward_flux(axis, atom.points[at(axis)] == case_.domain[at(axis)].axis.upper);
    }
    // On mapped grids x and y become expressions of the dimensions too, so that they may be restricted.
    for (const NamedExpression& mapped : case_.sbp_sat.mapping)
      replacements[at(grid_.symbols().find_field(mapped.name))] = expression::parse(grid_, mapped.text);
    const Expr exact = expression::lower(grid_, expression::substitute(grid_, residual, replacements));
    return balanced(text, exact, what);
  }

  Case& case_;
  Pool plane_, grid_;
  std::array<Expr, 2> flux_ = {nullptr, nullptr};  // C grad u, in the plane
};

// int exact dx over the domain, by Gauss points: to round-off for every smooth function.
double integral_of(Pool& pool, Expr exact, const Axis& axis) {
  constexpr int n_parts = 64;
  const PointExpression u(pool, expression::lower(pool, exact));
  const double length = (axis.upper - axis.lower) / n_parts;
  AxisDescription parts;
  for (int i = 0; i <= n_parts; ++i) parts.edges.push_back(axis.lower + i * length);
  const AxisGrid grid = make_basis(parts)->grid(24);
  double sum = 0.0;
  for (Index k = 0; k < grid.points.size(); ++k) sum += grid.weights(k) * u.at(grid.points(k));
  return sum;
}

// What an integral of the unknown is for the exact solution: a number.
Expr with_integrals(Pool& pool, Expr e, Expr exact, const Axis& axis) {
  const auto again = [&](Expr argument) { return with_integrals(pool, argument, exact, axis); };
  if (e->op == expression::Op::integral)
    return pool.number(integral_of(pool, expression::substitute(pool, e->args[0], {exact}), axis));
  switch (e->op) {
    case expression::Op::negate:
      return pool.negated(again(e->args[0]));
    case expression::Op::add:
      return pool.sum(again(e->args[0]), again(e->args[1]));
    case expression::Op::subtract:
      return pool.difference(again(e->args[0]), again(e->args[1]));
    case expression::Op::multiply:
      return pool.product(again(e->args[0]), again(e->args[1]));
    case expression::Op::divide:
      return pool.quotient(again(e->args[0]), again(e->args[1]));
    default:
      return expression::substitute(pool, e, {exact});
  }
}

}  // namespace

Case manufactured_poisson(Case problem) {
  PoissonData(problem).make();
  return problem;
}

Case manufactured_recurrence(Case problem) {
  Pool pool(problem.symbols());
  const Axis& axis = problem.domain.front().axis;
  const Expr exact = parsed_exact(pool, only_exact(problem));
  const Expr curvature = pool.derivative(exact, axis.name, 2);
  const Expr reaction = pool.product(pool.number(problem.recurrence.reaction), exact);
  RecurrenceCase& recurrence = problem.recurrence;
  recurrence.source =
      derived_text(expression::lower(pool, pool.difference(reaction, curvature)), "manufactured source");
  recurrence.source_file.clear();
  recurrence.source_dataset.clear();
  for (std::size_t i = 0; i < problem.boundary.size(); ++i) {
    const expression::Equation equation = expression::parse_equation(pool, problem.boundary[i]);
    const Expr held = with_integrals(pool, pool.difference(equation.left, equation.right), exact, axis);
    problem.boundary[i] =
        balanced(problem.boundary[i], expression::lower(pool, held), fmt::format("manufactured condition {}", i + 1));
  }
  return problem;
}

}  // namespace gwrm
