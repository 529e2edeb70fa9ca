#include "problems/eigenvalue/search_subdomains.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "basis/axis_basis.hpp"
#include "expression/frechet.hpp"
#include "expression/holds_integral.hpp"
#include "expression/interval_evaluation.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Interval;

constexpr int kLeastDegree = 8, kDegreesPerOrder = 3;
constexpr double kFinest = 64.0;         // parts of the axis, or times the degree along an undivided one
constexpr double kPhasePerDegree = 0.4;  // of a wave within a cell, radians
constexpr double kLeastShare = 1e-6, kMostShare = 1e-4;  // of the range of eigenvalues, of coefficients between points
constexpr std::size_t kMostCells = 240;
constexpr double kSmallestCell = 1e-6;    // of the axis
constexpr double kMostUndivided = 500.0;  // unknowns of dense matrices

// The only modal axis; -1: none, or several.
int axis_of(const Model& model) {
  int axis = -1;
  for (int i = 0; i < static_cast<int>(model.axes.size()); ++i)
    if (model.is_modal(i)) {
      if (axis >= 0) return -1;
      axis = i;
    }
  return axis;
}

// The derivative of a direction that a leaf is, along the axis; -1: something else.
int order_of_leaf(Expr leaf, const std::string& axis) {
  if (leaf->op == expression::Op::direction) return 0;
  const bool is_plain = leaf->op == expression::Op::derivative && leaf->name == axis &&
                        leaf->args.front()->op == expression::Op::direction;
  return is_plain ? leaf->order : -1;
}

// A coefficient of an equation over that of its highest derivative; order: of the derivative it belongs to.
struct Quotient {
  expression::IntervalEvaluation value;
  int order = 0;
  bool is_own = false;  // of the unknown itself

  double at(double z) { return value.value(std::vector<double>(value.axes().size(), z)); }
  Interval over(double lower, double upper) {
    const std::vector<Interval> box(value.axes().size(), {lower, upper});
    const Interval range = value.enclosure(box);
    return range.defined && range.bounded() ? range : expression::point_interval(at((lower + upper) / 2.0));
  }
};

// Those of one equation, at each of the values of the eigenvalue.
struct Quotients {
  int order = 0;  // of the highest derivative
  std::vector<std::vector<Quotient>> at_values;
};

std::vector<Quotient> quotients_of(const Model& model, const EquationModel& equation, int axis) {
  const std::string &field = model.fields[static_cast<std::size_t>(equation.field)].name,
                    &name = model.axes[static_cast<std::size_t>(axis)].name;
  const int highest = equation.orders[static_cast<std::size_t>(axis)];
  const auto field_of = [](Expr leaf) {
    return leaf->op == expression::Op::direction ? leaf->name : leaf->args.front()->name;
  };
  const std::vector<expression::LinearTerm> terms =
      expression::collect(*model.pool, expression::frechet(*model.pool, equation.residual));
  const auto last = std::find_if(terms.begin(), terms.end(), [&](const expression::LinearTerm& term) {
    return order_of_leaf(term.leaf, name) == highest && field_of(term.leaf) == field;
  });
  std::vector<Quotient> result;
  if (last == terms.end() || highest == 0) return result;
  for (const expression::LinearTerm& term : terms) {
    const int order = order_of_leaf(term.leaf, name);
    if (order < 0 || expression::holds_integral(term.coefficient)) continue;
    result.push_back({{*model.pool, model.pool->quotient(term.coefficient, last->coefficient)},
                      order,
                      order == 0 && field_of(term.leaf) == field});
  }
  return result;
}

// How much too large a cell is: it holds too many waves, or its coefficients vary between its points by more than its
// share of the axis allows, relative to the range of eigenvalues. 1: just small enough.
class CellSize {
 public:
  CellSize(const std::vector<const Model*>& at_values, int axis, double most_phase, double length, double share)
      : most_phase_(most_phase), wavenumber_(std::numbers::pi / length), length_(length), share_(share) {
    const Model& model = *at_values.front();
    for (std::size_t e = 0; e < model.equations.size(); ++e) {
      Quotients quotients{model.equations[e].orders[static_cast<std::size_t>(axis)], {}};
      for (const Model* at_value : at_values)
        quotients.at_values.push_back(quotients_of(*at_value, at_value->equations[e], axis));
      equations_.push_back(std::move(quotients));
    }
  }

  double of(double lower, double upper) {
    double result = 0.0;
    for (Quotients& equation : equations_) result = std::max(result, of(equation, lower, upper));
    return result;
  }

 private:
  double of(Quotients& equation, double lower, double upper) {
    double range_of_values[2] = {HUGE_VAL, -HUGE_VAL}, oscillates = -HUGE_VAL;
    for (std::vector<Quotient>& quotients : equation.at_values)
      for (Quotient& quotient : quotients) {
        if (!quotient.is_own) continue;
        const double middle = quotient.at((lower + upper) / 2.0);
        range_of_values[0] = std::min(range_of_values[0], middle);
        range_of_values[1] = std::max(range_of_values[1], middle);
        oscillates = std::max(oscillates, quotient.over(lower, upper).upper);
      }
    const double floor = std::pow(wavenumber_, equation.order),
                 range = std::max(range_of_values[1] - range_of_values[0], floor);
    double result = 0.0;
    if (equation.order == 2) {
      if (oscillates > -HUGE_VAL && oscillates < -range) return 0.0;  // where modes have decayed nothing else matters
      if (oscillates > 0.0) result = (upper - lower) * std::sqrt(oscillates) / most_phase_;
    }
    for (Quotient& quotient : equation.at_values.front())
      result = std::max(result, unseen(quotient, lower, upper) * std::pow(wavenumber_, quotient.order) *
                                    (upper - lower) / (length_ * share_ * range));
    return result;
  }

  // By how much an enclosure leaves the values at the points of a cell.
  static double unseen(Quotient& quotient, double lower, double upper) {
    const Interval range = quotient.over(lower, upper);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i <= kLeastDegree; ++i) {
      const double value = quotient.at(lower + (upper - lower) * i / kLeastDegree);
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    return least > most ? 0.0 : std::max({0.0, range.upper - most, least - range.lower});
  }

  double most_phase_, wavenumber_, length_, share_;
  std::vector<Quotients> equations_;
};

struct Cell {
  double lower, upper, size;
  bool operator<(const Cell& other) const { return size < other.size; }
};

std::vector<double> graded_edges(std::vector<double> edges, CellSize& size) {
  const double smallest = kSmallestCell * (edges.back() - edges.front());
  const auto cell = [&](double lower, double upper) {
    return Cell{lower, upper, upper - lower > smallest ? size.of(lower, upper) : 0.0};
  };
  std::priority_queue<Cell> cells;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) cells.push(cell(edges[i], edges[i + 1]));
  while (cells.top().size > 1.0 && cells.size() < kMostCells) {
    const Cell worst = cells.top();
    cells.pop();
    const double middle = (worst.lower + worst.upper) / 2.0;
    edges.push_back(middle);
    cells.push(cell(worst.lower, middle));
    cells.push(cell(middle, worst.upper));
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

bool can_be_searched(const Model& model) {
  return axis_of(model) >= 0;
}

std::vector<AxisDescription> search_subdomains(const std::vector<const Model*>& at_values,
                                               const std::vector<AxisDescription>& subdomains, double tolerance,
                                               int more) {
  const Model& model = *at_values.front();
  const int axis = axis_of(model);
  if (axis < 0) return {};
  std::vector<AxisDescription> result = subdomains;
  AxisDescription& along = result[static_cast<std::size_t>(axis)];
  if (!make_basis(along)->can_be_divided()) {
    const double most = kMostUndivided / (2.0 * static_cast<double>(model.fields.size()));
    const int degree = static_cast<int>(std::min(kFinest * along.degree, most)) + more;
    if (degree <= along.degree) return {};
    along.degree = degree;
    return result;
  }
  int order = 0;
  for (const EquationModel& equation : model.equations)
    order = std::max(order, equation.orders[static_cast<std::size_t>(axis)]);
  along.degree = std::max(kLeastDegree, kDegreesPerOrder * order) + more;
  const double length = along.edges.back() - along.edges.front();
  std::vector<double> edges;
  for (std::size_t i = 0; i + 1 < along.edges.size(); ++i) {
    const double lower = along.edges[i], upper = along.edges[i + 1];
    const double parts = std::ceil((upper - lower) / length * kFinest);
    for (double part = 0.0; part < parts; ++part) edges.push_back(lower + (upper - lower) * part / parts);
  }
  edges.push_back(along.edges.back());
  if (edges.size() > kMostCells) return {};
  along.edges = std::move(edges);
  return graded_subdomains(at_values, std::move(result), tolerance);
}

std::vector<AxisDescription> graded_subdomains(const std::vector<const Model*>& at_values,
                                               std::vector<AxisDescription> subdomains, double tolerance) {
  const int axis = axis_of(*at_values.front());
  if (axis < 0) return subdomains;
  AxisDescription& along = subdomains[static_cast<std::size_t>(axis)];
  if (!make_basis(along)->can_be_divided()) return subdomains;
  CellSize size(at_values, axis, kPhasePerDegree * along.degree, along.edges.back() - along.edges.front(),
                std::clamp(tolerance, kLeastShare, kMostShare));
  along.edges = graded_edges(std::move(along.edges), size);
  return subdomains;
}

}  // namespace gwrm
