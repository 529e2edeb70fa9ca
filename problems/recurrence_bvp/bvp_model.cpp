#include "problems/recurrence_bvp/bvp_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "expression/components.hpp"
#include "expression/frechet.hpp"
#include "expression/holds_integral.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/substitute.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

constexpr const char* kNoIntegral = "integrals of data are not computed here: write their value";
constexpr const char* kNoIntegralOfAnswer =
    "integrals of the solution are not computed here: write the unknown and its derivatives";

// An expression of the dimension and the constants, lowered. The digits of the paper's algorithms depend on how their
// data are rounded.
Expr parse_data(Pool& pool, const SourceText& text, const std::string& what, bool as_written) {
  const Expr parsed = expression::parse(pool, text);
  const Expr e = as_written ? expression::lower_as_written(pool, parsed) : expression::lower(pool, parsed);
  if (e->facts.degree > 0)
    throw_case_error(text, 0, what + " is an expression of x and the constants: no unknown in it");
  if (expression::holds_integral(e)) throw_case_error(text, 0, kNoIntegral);
  return e;
}

// Where a condition holds: the two ends.
enum class End { left, right };

End end_of(const BvpModel& model, const EndCondition& condition, double x) {
  const double slack = 1e-12 * (model.axis.upper - model.axis.lower);
  if (std::abs(x - model.axis.lower) <= slack) return End::left;
  if (std::abs(x - model.axis.upper) <= slack) return End::right;
  throw_case_error(condition.text, 0,
                   fmt::format("conditions hold at the ends of `{0}`: {0}={1:g} or {0}={2:g}", model.axis.name,
                               model.axis.lower, model.axis.upper));
}

double number_of(const BvpModel& model, const EndCondition& condition, Expr e) {
  if (e->facts.axes != 0 || e->facts.degree > 0)
    throw_case_error(condition.text, 0,
                     "a condition is linear in the values at the ends, with numbers as coefficients: write "
                     "restrictions such as u(x=0), dx(u)(x=1)");
  if (expression::holds_integral(e)) throw_case_error(condition.text, 0, kNoIntegral);
  const double number = PointExpression(*model.pool, e).at(0.0);
  if (!std::isfinite(number))
    throw Error(ExitStatus::not_finite,
                render_error(condition.text, 0, "the condition is not finite: mend its numbers"));
  return number;
}

// Looks at no more points than take a moment; a pole between them shows in the errors of the verification.
void check_exact(const BvpModel& model, const SourceText& text) {
  constexpr Index kMaxPoints = Index{1} << 16;
  const EqualGrid& grid = model.grid;
  const Index stride = std::max<Index>(1, grid.intervals / kMaxPoints);
  std::vector<double> x;
  for (Index i = 0; i < grid.intervals; i += stride) x.push_back(grid.point(i));
  x.push_back(grid.upper);
  std::vector<double> values(x.size());
  PointExpression(*model.pool, model.exact).evaluate(x.data(), static_cast<Index>(x.size()), values.data());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Error(
          ExitStatus::not_finite,
          render_error(text, 0,
                       fmt::format("the exact solution is {} at {} = {:.10g}: mend the expression or the domain",
                                   values[i], model.axis.name, x[i])));
}

void add_term(const BvpModel& model, const expression::LinearTerm& term, EndCondition& condition) {
  const double coefficient = number_of(model, condition, term.coefficient);
  if (!expression::is_atom(term.leaf)) {  // an integral
    const Expr inside = term.leaf->args[0];
    const auto parts = collect(*model.pool, expression::LinearExpr{inside});
    const bool plain = parts.size() == 1 && expression::is_atom(parts[0].leaf);
    const expression::Atom atom = plain ? expression::atom_of(*model.pool, parts[0].leaf) : expression::Atom{};
    if (!plain || atom.orders.at(0) != 0 || atom.restricted.at(0))
      throw_case_error(condition.text, 0, "the integral of a condition is that of the unknown itself: integral(u, x)");
    condition.integral += coefficient * number_of(model, condition, parts[0].coefficient);
    return;
  }
  const expression::Atom atom = expression::atom_of(*model.pool, term.leaf);
  if (!atom.restricted.at(0))
    throw_case_error(condition.text, 0, "a condition says where it holds: write a restriction such as u(x=0)");
  if (atom.orders.at(0) > 1)
    throw_case_error(condition.text, 0, "a condition holds values and first derivatives, no higher ones");
  const bool slope = atom.orders[0] == 1;
  const bool left = end_of(model, condition, atom.points.at(0)) == End::left;
  (left    ? slope ? condition.slope_left : condition.u_left
   : slope ? condition.slope_right
           : condition.u_right) += coefficient;
}

EndCondition read_condition(const BvpModel& model, const SourceText& text) {
  Pool& pool = *model.pool;
  EndCondition condition;
  condition.text = text;
  const expression::Equation parsed = expression::parse_equation(pool, text);
  const Expr residual = expression::lower(pool, pool.difference(parsed.left, parsed.right));
  if (residual->facts.degree == 0) throw_case_error(text, 0, "this condition contains no unknown");
  if (residual->facts.degree > 1) throw_case_error(text, 0, "the conditions of problem: recurrence_bvp are linear");
  for (const expression::LinearTerm& term : collect(pool, frechet(pool, residual))) add_term(model, term, condition);
  const Expr at_zero = expression::lower(pool, expression::substitute(pool, residual, {pool.zero()}));
  condition.value = -number_of(model, condition, at_zero);
  return condition;
}

std::array<double, 5> coefficients(const EndCondition& condition) {
  return {condition.u_left, condition.slope_left, condition.u_right, condition.slope_right, condition.integral};
}

// Multiples of each other on the left: they say the same, or contradict each other.
bool are_alike(const EndCondition& first, const EndCondition& second) {
  const std::array<double, 5> a = coefficients(first), b = coefficients(second);
  double size_a = 0.0, size_b = 0.0, product = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    size_a += a[i] * a[i];
    size_b += b[i] * b[i];
    product += a[i] * b[i];
  }
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] * size_b - product * b[i]) > 1e-14 * std::sqrt(size_a) * size_b) return false;
  return true;
}

void check_not_alike(const std::vector<EndCondition>& conditions) {
  for (std::size_t i = 0; i < conditions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (are_alike(conditions[i], conditions[j]))
        throw_case_error(conditions[i].text, 0,
                         fmt::format("this condition fixes what `{}` fixes already: {}", conditions[j].text.text,
                                     conditions.size() == 2 ? "give another in its place, at the other end say"
                                                            : "leave one of them out"));
}

}  // namespace

void evaluate_points(const expression::Tape& tape, const std::vector<Array>& leaves, Index count, double* values) {
  const std::vector<Array> results = tape.evaluate(leaves, {});
  const Array& result = results.front();
  if (result.size() == 1)
    std::fill_n(values, count, result.data.front());
  else
    std::copy_n(result.data.begin(), count, values);
}

PointExpression::PointExpression(const Pool& pool, Expr e) : tape_(pool, std::span<const Expr>(&e, 1)) {}

void PointExpression::evaluate(const double* x, Index count, double* values) const {
  std::vector<Array> leaves;
  if (!tape_.leaves().empty()) {
    leaves.emplace_back(Shape{count});
    std::copy_n(x, count, leaves.front().data.begin());
  }
  evaluate_points(tape_, leaves, count, values);
}

double PointExpression::at(double x) const {
  double value = 0.0;
  evaluate(&x, 1, &value);
  return value;
}

BvpModel build_bvp_model(const Case& the_case) {
  BvpModel model;
  model.pool = std::make_shared<Pool>(the_case.symbols());
  expression::definition_values(*model.pool);  // those that nothing uses are right, too
  model.axis = the_case.domain.front().axis;
  model.grid = {model.axis.lower, model.axis.upper, section_of<RecurrenceCase>(the_case).intervals};
  model.unknown = the_case.unknowns.front().name;
  model.reaction = section_of<RecurrenceCase>(the_case).reaction;
  model.order = section_of<RecurrenceCase>(the_case).order;
  const bool of_the_paper = section_of<RecurrenceCase>(the_case).algorithm != RecurrenceAlgorithm::moments;
  if (section_of<RecurrenceCase>(the_case).source_file.empty())
    model.source = parse_data(*model.pool, section_of<RecurrenceCase>(the_case).source, "the source", of_the_paper);
  for (const NamedExpression& named : the_case.exact) {
    model.exact = parse_data(*model.pool, named.text, "the exact solution", of_the_paper);
    check_exact(model, named.text);
  }
  for (const SourceText& text : the_case.boundary) model.conditions.push_back(read_condition(model, text));
  if (model.conditions.size() < 2)
    throw_case_error(
        section_of<RecurrenceCase>(the_case).where, 0,
        fmt::format("an equation of second order needs two end conditions, `boundary` has {}: as "
                    "boundary: [\"u({}={:g}) = 0\", \"u({}={:g}) = 0\"]",
                    model.conditions.size(), model.axis.name, model.axis.lower, model.axis.name, model.axis.upper));
  if (model.conditions.size() > 3)
    throw_case_error(model.conditions[3].text, 0,
                     "too many conditions: two, and a third where two leave a constant free");
  check_not_alike(model.conditions);
  return model;
}

Expr parse_answer(const BvpModel& model, const SourceText& text) {
  const Expr e = expression::lower(*model.pool, expression::parse(*model.pool, text));
  if (expression::holds_integral(e)) throw_case_error(text, 0, kNoIntegralOfAnswer);
  return e;
}

}  // namespace gwrm
