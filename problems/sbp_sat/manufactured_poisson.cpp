// A manufactured solution of Poisson's equation: the source is found by differentiating `exact`, the conditions are
// balanced like those of every problem.
#include "problems/sbp_sat/manufactured_poisson.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "expression/substitute.hpp"
#include "problems/manufactured_data.hpp"
#include "problems/sbp_sat/sbp_sat_case.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

// -div(C grad u) = f in the plane of x and y. Two pools: one in which x and y are dimensions, to differentiate in, and
// the grid's, whose dimensions the conditions are restricted in.
class PoissonData {
 public:
  PoissonData(Case& the_case, SbpSatCase& section)
      : case_(the_case),
        sbp_(section),
        plane_(plane_symbols(the_case, section)),
        grid_(grid_symbols(the_case, section)) {
    const Expr u = in_plane(only_exact(the_case));
    const std::array<Expr, 2> slope = {d(u, 0), d(u, 1)};
    for (const int row : {0, 1})
      flux_[row] = plane_.sum(plane_.product(entry(row, 0), slope[0]), plane_.product(entry(row, 1), slope[1]));
  }

  void make() {
    const Expr source = plane_.negated(plane_.sum(d(flux_[0], 0), d(flux_[1], 1)));
    sbp_.source = derived_text(expression::lower(plane_, source), "manufactured source");
    for (std::size_t i = 0; i < case_.boundary.size(); ++i)
      case_.boundary[i] = balance(case_.boundary[i], fmt::format("manufactured condition {}", i + 1));
  }

 private:
  bool is_mapped() const { return !sbp_.mapping.empty(); }

  static expression::Symbols plane_symbols(const Case& the_case, const SbpSatCase& section) {
    expression::Symbols symbols;
    symbols.constants = the_case.constants;
    symbols.definitions = the_case.symbols().definitions;
    if (section.mapping.empty()) {
      for (const AxisCase& axis : the_case.domain) symbols.axes.push_back(axis.axis);
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
  static expression::Symbols grid_symbols(const Case& the_case, const SbpSatCase& section) {
    expression::Symbols symbols = the_case.symbols();
    const std::vector<std::string>& dims = the_case.unknowns.front().dims;
    symbols.fields.push_back({"flux", dims});
    if (!section.mapping.empty()) {
      symbols.fields.push_back({"x", dims});
      symbols.fields.push_back({"y", dims});
    }
    return symbols;
  }

  Expr in_plane(const SourceText& text) {
    for (const AxisCase& axis : case_.domain)
      if (is_mapped() && text.text.find(axis.axis.name + "(") == std::string::npos && uses(text.text, axis.axis.name))
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
    for (const NamedExpression& coefficient : sbp_.coefficient)
      if (coefficient.name == name || (coefficient.name == "c" && row == column)) return in_plane(coefficient.text);
    return row == column ? plane_.one() : plane_.zero();
  }

  // An expression of the plane in the grid's dimensions.
  Expr on_grid(Expr e) {
    const SourceText text = derived_text(expression::lower(plane_, e), "manufactured data");
    const Expr parsed = expression::parse(grid_, text);
    if (!is_mapped()) return parsed;
    std::vector<Expr> replacements(grid_.symbols().fields.size(), nullptr);
    for (const NamedExpression& mapped : sbp_.mapping)
      replacements[grid_.symbols().find_field(mapped.name)] = expression::parse(grid_, mapped.text);
    return expression::substitute(grid_, parsed, replacements);
  }

  Expr mapping(const std::string& name, int along) {
    const std::string& axis = case_.domain[along].axis.name;
    if (!is_mapped()) return name == axis ? grid_.one() : grid_.zero();
    for (const NamedExpression& mapped : sbp_.mapping)
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
        if (atom.restricted[axis])
          replacements[1] = outward_flux(axis, atom.points[axis] == case_.domain[axis].axis.upper);
    }
    // On mapped grids x and y become expressions of the dimensions too, so that they may be restricted.
    for (const NamedExpression& mapped : sbp_.mapping)
      replacements[grid_.symbols().find_field(mapped.name)] = expression::parse(grid_, mapped.text);
    const Expr exact = expression::lower(grid_, expression::substitute(grid_, residual, replacements));
    return balanced(text, exact, what);
  }

  Case& case_;
  SbpSatCase& sbp_;
  Pool plane_, grid_;
  std::array<Expr, 2> flux_ = {nullptr, nullptr};  // C grad u, in the plane
};

}  // namespace

Case manufactured_poisson(Case the_case) {
  auto section = std::make_shared<SbpSatCase>(section_of<SbpSatCase>(the_case));
  PoissonData(the_case, *section).make();
  the_case.section = std::move(section);
  return the_case;
}

}  // namespace gwrm
