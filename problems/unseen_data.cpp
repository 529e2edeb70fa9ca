#include "problems/unseen_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "expression/holds_integral.hpp"
#include "expression/interval_evaluation.hpp"
#include "expression/lowering.hpp"
#include "expression/printer.hpp"
#include "expression/tape.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::UnseenExtreme;

constexpr std::size_t kMaxText = 80;
constexpr long kExactShare = 80;       // of the boxes, for exact solutions
constexpr long kOperationsOfBox = 32;  // of an expression whose boxes count once: budgets are of work
constexpr long kLeastShare = 40;       // of the boxes, for data after others that used them up

std::string place_text(const expression::Pool& pool, const std::vector<std::pair<int, double>>& at) {
  std::string text;
  for (const auto& [axis, z] : at)
    text += fmt::format("{}{} = {:.10g}", text.empty() ? "" : ", ",
                        pool.symbols().axes[static_cast<std::size_t>(axis)].name, z);
  return text;
}

// Points of a periodic axis are looked at once around, beyond its ends too.
double on_axis(const Axis& axis, double z) {
  const double length = axis.upper - axis.lower;
  return z < axis.lower ? z + length : z > axis.upper ? z - length : z;
}

UnseenData described(const expression::Pool& pool, const Data& data, const UnseenExtreme& extreme,
                     const ShownBy& shown_by) {
  UnseenData result;
  result.e = data.e;
  result.where = data.where;
  result.fraction = extreme.fraction();
  const std::string what = data.where + ": " + shortened(expression::print(data.e));
  if (extreme.outcome == UnseenExtreme::Outcome::undecided) {
    result.undecided = true;
    result.text =
        fmt::format("{}: whether it has an extreme between the points of the run could not be decided by {} enclosures",
                    what, extreme.boxes);
    return result;
  }
  std::size_t i = 0;
  for (int axis = 0; axis < static_cast<int>(pool.symbols().axes.size()); ++axis)
    if ((data.e->facts.axes >> axis & 1u) != 0)
      result.at.emplace_back(axis, on_axis(pool.symbols().axes[static_cast<std::size_t>(axis)], extreme.at[i++]));
  result.text = extreme.by_one_point
                    ? fmt::format("{} is {:.3g} at {} and at no other point: those beside it show {:.3g}", what,
                                  extreme.value, place_text(pool, result.at), extreme.seen)
                    : fmt::format("{} reaches {:.3g} at {}, between points that show {:.3g}", what, extreme.value,
                                  place_text(pool, result.at), extreme.seen);
  const std::string cure = shown_by(data.e, result.at);
  if (!cure.empty()) result.text += "; " + cure;
  return result;
}

// By their places alone: "u(x=0)" of "u(x=0) = sin(t)".
std::string undecided_text(const std::vector<const UnseenData*>& undecided) {
  constexpr std::size_t kMostNames = 6;
  std::vector<std::string> names;
  for (const UnseenData* data : undecided) {
    std::string name = shortened(data->where.substr(0, data->where.find(" = ")));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  const std::size_t n = std::min(names.size(), kMostNames);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n), ", "));
  if (names.size() > n) text += fmt::format(" and {} more", names.size() - n);
  return text + ": whether these data have extremes between the points of the run could not be decided by enclosures";
}

}  // namespace

namespace {

// The factors of a product: those that are data, multiplied, and the others.
struct Factors {
  Expr data, others;
};

Factors factors_of(expression::Pool& pool, Expr e) {
  using expression::Op;
  if (e->facts.degree == 0 && !expression::holds_integral(e)) return {e, pool.number(1.0)};
  if (e->op != Op::negate && e->op != Op::multiply && e->op != Op::divide) return {pool.number(1.0), e};
  const Factors first = factors_of(pool, e->args[0]);
  if (e->op == Op::negate) return {pool.negated(first.data), first.others};
  const Factors second = factors_of(pool, e->args[1]);
  if (e->op == Op::divide) return {pool.quotient(first.data, second.data), pool.quotient(first.others, second.others)};
  return {pool.product(first.data, second.data), pool.product(first.others, second.others)};
}

// By enclosures, each divided where the data vary most until none holds 0; a sign that changes is found at once.
bool has_no_zero(const expression::Pool& pool, Expr e) {
  constexpr int kMostBoxes = 2000;
  expression::IntervalEvaluation evaluation(pool, e);
  std::vector<expression::Interval> whole;
  for (int axis : evaluation.axes()) {
    const Axis& a = pool.symbols().axes[at(axis)];
    whole.push_back({a.lower, a.upper});
  }
  std::vector<std::vector<expression::Interval>> boxes{whole};
  int sign = 0;
  for (int n = 0; !boxes.empty(); ++n) {
    if (n == kMostBoxes) return false;
    std::vector<expression::Interval> box = std::move(boxes.back());
    boxes.pop_back();
    const expression::Interval values = evaluation.enclosure(box);
    std::vector<double> middle;
    for (const expression::Interval& side : box) middle.push_back(0.5 * (side.lower + side.upper));
    const double value = evaluation.value(middle);
    const int here = value > 0.0 ? 1 : value < 0.0 ? -1 : 0;
    if (here == 0 || here == -sign) return false;
    sign = here;
    if (!values.holds(0.0)) continue;
    std::size_t widest = 0;
    for (std::size_t i = 1; i < box.size(); ++i)
      if (box[i].width() / whole[i].width() > box[widest].width() / whole[widest].width()) widest = i;
    std::vector<expression::Interval> other = box;
    box[widest].upper = other[widest].lower = middle[widest];
    boxes.push_back(std::move(box));
    boxes.push_back(std::move(other));
  }
  return true;
}

// Whether it is a derivative of the highest order of some unknown along some axis.
bool is_highest(const expression::Pool& pool, Expr e, const std::vector<expression::FieldOrders>& highest) {
  for (const expression::FieldOrders& here : expression::field_orders(pool, e))
    for (const expression::FieldOrders& all : highest) {
      if (all.field != here.field) continue;
      bool has_derivative = false;
      for (std::size_t axis = 0; axis < all.orders.size(); ++axis) {
        has_derivative |= all.orders[axis] > 0;
        if (all.orders[axis] > 0 && here.orders[axis] == all.orders[axis]) return true;
      }
      if (!has_derivative) return true;
    }
  return false;
}

// Whether a sum is as small as the rounding of its terms, which cancel: the source of a manufactured solution that
// solves the equations anyway. The terms are evaluated at some of the points.
bool is_rounding(const expression::Pool& pool, const Data& data, std::span<const expression::SampledAxis> axes,
                 double size) {
  constexpr std::size_t kPoints = 9;
  constexpr double kRounding = 1e-13;
  if (data.terms.size() < 2) return false;
  const expression::Tape tape(pool, data.terms);
  std::vector<Array> leaves;
  for (Expr leaf : tape.leaves()) {
    const auto axis = at(pool.symbols().find_axis(leaf->name));
    const std::size_t n = axes[axis].n_points(), count = std::min(n, kPoints);
    leaves.emplace_back(Shape(pool.symbols().axes.size(), 1));
    leaves.back().shape[axis] = static_cast<Index>(count);
    leaves.back().data.clear();
    for (std::size_t i = 0; i < count; ++i)
      leaves.back().data.push_back(axes[axis].point((2 * i + 1) * n / (2 * count)));
  }
  double largest = 0.0;
  for (const Array& term : tape.evaluate(leaves, {}))
    for (double value : term.data) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return size <= kRounding * largest;
}

}  // namespace

std::string shortened(std::string text) {
  if (text.size() > kMaxText) text = text.substr(0, kMaxText - 4) + " ...";
  return text;
}

void DataCollection::add(Expr e, const std::string& where, bool initial, const std::vector<Expr>& terms) {
  if (e == nullptr || e->facts.axes == 0 || !seen_.insert(e).second) return;
  if (e->facts.degree == 0 && !expression::holds_integral(e))
    data_.push_back({e, where, initial, false, terms});
  else if (!expression::is_atom(e))
    for (Expr argument : e->args) add(argument, where, initial);
}

void DataCollection::add_residual(expression::Pool& pool, Expr residual, const std::string& where, int equation) {
  Expr source = pool.zero();
  std::vector<Expr> terms;
  for (Expr term : expression::additive_terms(pool, residual)) {
    if (term->facts.degree == 0 && !expression::holds_integral(term))
      source = pool.difference(source, terms.emplace_back(term));
    else
      add(term, where);
  }
  add(source, where, false, terms);
  if (!data_.empty() && data_.back().e == source) data_.back().equation = equation;
}

void DataCollection::add_exact(Expr e, const std::string& field) {
  if (e != nullptr && e->facts.axes != 0 && !expression::holds_integral(e))
    data_.push_back({e, "the exact solution of " + field, false, true});
}

void DataCollection::add_reciprocals(expression::Pool& pool, Expr residual, const std::string& where) {
  const std::vector<expression::FieldOrders> highest = expression::field_orders(pool, residual);
  std::vector<std::pair<Expr, Expr>> coefficients;  // of what
  for (Expr term : expression::additive_terms(pool, residual)) {
    if (term->facts.degree == 0) continue;
    const Factors factors = factors_of(pool, term);
    if (!is_highest(pool, factors.others, highest)) continue;
    const auto known = std::find_if(coefficients.begin(), coefficients.end(),
                                    [&](const auto& pair) { return pair.first == factors.others; });
    if (known == coefficients.end())
      coefficients.emplace_back(factors.others, factors.data);
    else
      known->second = pool.sum(known->second, factors.data);
  }
  for (const auto& [what, c] : coefficients)
    if (c->facts.axes != 0 && has_no_zero(pool, c)) {
      const Expr reciprocal = expression::lower(pool, pool.quotient(pool.number(1.0), c));
      if (seen_.insert(reciprocal).second)
        data_.push_back({reciprocal, where + ", the reciprocal of a coefficient", false, true, {}, -1, c});
    }
}

std::vector<UnseenData> find_unseen_data(const expression::Pool& pool, std::span<const Data> data,
                                         std::span<const expression::SampledAxis> axes, const ShownBy& shown_by,
                                         long max_boxes) {
  std::vector<UnseenData> findings;
  const long least = max_boxes / kLeastShare;
  long left = max_boxes;
  for (const Data& each : data) {
    const auto n_operations = static_cast<long>(expression::IntervalEvaluation(pool, each.e).n_operations());
    const long work = std::max(1L, n_operations / kOperationsOfBox);
    const long share = each.exact ? max_boxes / kExactShare : std::max(left, least);
    if (each.reciprocal_of != nullptr &&
        expression::find_unseen_extreme(pool, each.reciprocal_of, axes, share / work).outcome !=
            UnseenExtreme::Outcome::none)
      continue;
    const UnseenExtreme extreme = expression::find_unseen_extreme(pool, each.e, axes, share / work);
    left -= extreme.boxes * work;
    const bool undecided = extreme.outcome == UnseenExtreme::Outcome::undecided;
    if (extreme.outcome == UnseenExtreme::Outcome::none || (each.exact && undecided)) continue;
    if (undecided || !is_rounding(pool, each, axes, extreme.scale))
      findings.push_back(described(pool, each, extreme, shown_by));
  }
  return findings;
}

void report_unseen(const std::vector<UnseenData>& findings, std::vector<Check>& checks,
                   std::vector<std::string>& warnings) {
  std::vector<const UnseenData*> undecided;
  for (const UnseenData& finding : findings) {
    if (finding.undecided)
      undecided.push_back(&finding);
    else
      checks.push_back({"data", finding.text, finding.fraction, expression::kUnseenFraction});
  }
  if (undecided.empty()) return;
  const std::string warning = undecided.size() == 1 ? undecided.front()->text : undecided_text(undecided);
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
}

std::string unseen_reason(const std::vector<Check>& checks) {
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [](const Check& check) { return check.kind == "data" && !check.passed(); });
  if (found != checks.end()) return "data lie between the points of the run: " + found->subject;
  const auto inaccurate = std::find_if(checks.begin(), checks.end(),
                                       [](const Check& check) { return check.kind == "data file" && !check.passed(); });
  return inaccurate == checks.end() ? std::string() : "data are less accurate than the answer: " + inaccurate->subject;
}

int halvings_that_show(const expression::Pool& pool, Expr e, int most,
                       const std::function<std::vector<expression::SampledAxis>(int halvings)>& grid) {
  int in_turn = 0;
  for (int k = 0; k <= most + 1; ++k) {
    const bool shows =
        expression::find_unseen_extreme(pool, e, grid(k), kMaxDataBoxes).outcome == UnseenExtreme::Outcome::none;
    in_turn = shows ? in_turn + 1 : 0;
    if (in_turn == 2) return k - 1;
  }
  return most + 1;
}

}  // namespace gwrm
