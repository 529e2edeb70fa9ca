#include "problems/sbp_sat/point_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/components.hpp"
#include "expression/holds_integral.hpp"
#include "expression/parser.hpp"
#include "expression/tape.hpp"

namespace gwrm::sbp {
namespace {

constexpr int kFirstCoordinate = 2;  // fields: the unknown, flux, then x and y of a mapped grid

expression::Symbols symbols_of(const Case& the_case) {
  expression::Symbols symbols;
  symbols.constants = the_case.constants;
  for (const AxisCase& axis : the_case.domain) symbols.axes.push_back(axis.axis);
  const std::vector<std::string>& dims = the_case.unknowns.front().dims;
  symbols.fields = {{the_case.unknowns.front().name, dims}, {"flux", dims}};
  if (!section_of<SbpSatCase>(the_case).mapping.empty()) {
    symbols.fields.push_back({"x", dims});
    symbols.fields.push_back({"y", dims});
    for (const AxisCase& axis : the_case.domain) symbols.curvilinear.push_back(axis.axis.name);
  }
  symbols.definitions = the_case.symbols().definitions;
  for (const DataCase& item : the_case.data) symbols.data.push_back({item.name, item.function});
  return symbols;
}

std::vector<double> broadcast(const Array& array, const Points& points) {
  const auto n_slow = static_cast<Index>(points.slow.size()), n_fast = static_cast<Index>(points.fast.size());
  const Index step_fast = array.shape[1] == 1 ? 0 : 1, step_slow = array.shape[0] == 1 ? 0 : array.shape[1];
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(n_slow * n_fast));
  for (Index j = 0; j < n_slow; ++j)
    for (Index i = 0; i < n_fast; ++i)
      values.push_back(array.data[static_cast<std::size_t>(j * step_slow + i * step_fast)]);
  return values;
}

}  // namespace

PointExpressions::PointExpressions(const Case& the_case)
    : case_(the_case), pool_(std::make_unique<expression::Pool>(symbols_of(the_case))) {
  expression::definition_values(*pool_);  // those that nothing uses are right, too
  for (const char* name : {"x", "y"})
    for (const NamedExpression& mapped : section_of<SbpSatCase>(the_case).mapping)
      if (mapped.name == name) mapping_.push_back(parse(mapped.text));
  for (std::size_t k = 0; k < mapping_.size(); ++k)
    if (!expression::atoms_in(mapping_[k]).empty())
      throw_case_error(section_of<SbpSatCase>(the_case).mapping[k].text, 0,
                       fmt::format("x and y are expressions of {} and {} alone", the_case.domain[0].axis.name,
                                   the_case.domain[1].axis.name));
}

void refuse_integrals(expression::Expr e, const SourceText& text) {
  if (expression::holds_integral(e)) throw_case_error(text, 0, "integrals are not computed here: write their value");
}

expression::Expr PointExpressions::parse(const SourceText& text) const {
  const expression::Expr e = expression::lower(*pool_, expression::parse(*pool_, text));
  refuse_integrals(e, text);
  return e;
}

expression::Expr PointExpressions::parse_known(const SourceText& text) const {
  const expression::Expr e = parse(text);
  for (expression::Expr atom : expression::atoms_in(e))
    if (is_unknown(expression::atom_of(*pool_, atom)))
      throw_case_error(text, 0,
                       fmt::format("this is to be known before the problem is solved, and must not hold `{}`",
                                   case_.unknowns.front().name));
  return e;
}

std::vector<double> PointExpressions::values(expression::Expr e, const Points& points,
                                             const AtomValues& unknown) const {
  const auto n_slow = static_cast<Index>(points.slow.size()), n_fast = static_cast<Index>(points.fast.size());
  const expression::Tape tape(*pool_, std::vector<expression::Expr>{e});
  std::vector<Array> leaves;
  for (expression::Expr leaf : tape.leaves()) {
    Array array;
    if (leaf->op == expression::Op::coordinate) {
      const bool is_slow = pool_->symbols().find_axis(leaf->name) == 0;
      array.shape = is_slow ? Shape{n_slow, 1} : Shape{1, n_fast};
      array.data = is_slow ? points.slow : points.fast;
    } else {
      const expression::Atom atom = expression::atom_of(*pool_, leaf);
      array.shape = {n_slow, n_fast};
      if (is_unknown(atom) && !unknown) throw ShapeError("the unknown in an expression of known things");
      const bool is_plain = std::all_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order == 0; }) &&
                            std::none_of(atom.restricted.begin(), atom.restricted.end(), [](bool is) { return is; });
      if (!is_unknown(atom) && !is_plain)
        throw CaseError(fmt::format("{}: error: `{}` stands for an expression: it cannot be restricted or derived here",
                                    case_.path, leaf->name.empty() ? "x or y" : leaf->name));
      array.data = is_unknown(atom) ? unknown(atom) : values(mapping_[atom.field - kFirstCoordinate], points);
    }
    leaves.push_back(std::move(array));
  }
  return broadcast(tape.evaluate(leaves, {}).front(), points);
}

std::string PointExpressions::point_text(const Points& points, Index point) const {
  const auto n_fast = static_cast<Index>(points.fast.size());
  return fmt::format("{} = {:.6g}, {} = {:.6g}", case_.domain[1].axis.name,
                     points.fast[static_cast<std::size_t>(point % n_fast)], case_.domain[0].axis.name,
                     points.slow[static_cast<std::size_t>(point / n_fast)]);
}

std::vector<double> PointExpressions::finite_values(const SourceText& text, const Points& points,
                                                    const std::string& what) const {
  std::vector<double> result = values(parse_known(text), points);
  const auto bad = std::find_if(result.begin(), result.end(), [](double value) { return !std::isfinite(value); });
  if (bad == result.end()) return result;
  const std::string where = point_text(points, bad - result.begin());
  throw Error(
      ExitStatus::not_finite,
      render_error(text, 0, fmt::format("{} is {} at {}: mend the expression or the domain", what, *bad, where)));
}

}  // namespace gwrm::sbp
