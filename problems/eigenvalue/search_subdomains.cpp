#include "problems/eigenvalue/search_subdomains.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "basis/axis_basis.hpp"
#include "expression/frechet.hpp"
#include "expression/interval_evaluation.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Interval;

constexpr int kLeastDegree = 8, kDegreesPerOrder = 3;
constexpr double kFinest = 64.0;         // parts of the axis, or times the degree along an undivided one
constexpr double kPhasePerDegree = 0.4;  // of a wave within a cell, radians
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

bool is_second_derivative(Expr leaf, const std::string& field, const std::string& axis) {
  return leaf->op == expression::Op::derivative && leaf->order == 2 && leaf->name == axis &&
         leaf->args.front()->op == expression::Op::direction && leaf->args.front()->name == field;
}

// q of each equation that has one.
std::vector<Expr> wavenumbers(const Model& model, int axis) {
  std::vector<Expr> result;
  for (const EquationModel& equation : model.equations) {
    if (equation.orders[static_cast<std::size_t>(axis)] != 2) continue;
    const std::string& field = model.fields[static_cast<std::size_t>(equation.field)].name;
    Expr of_unknown = nullptr, of_second = nullptr;
    for (const expression::LinearTerm& term :
         expression::collect(*model.pool, expression::frechet(*model.pool, equation.residual))) {
      if (term.leaf->op == expression::Op::direction && term.leaf->name == field) of_unknown = term.coefficient;
      if (is_second_derivative(term.leaf, field, model.axes[static_cast<std::size_t>(axis)].name))
        of_second = term.coefficient;
    }
    if (of_unknown != nullptr && of_second != nullptr) result.push_back(model.pool->quotient(of_unknown, of_second));
  }
  return result;
}

// An upper bound of all q over a cell; where there is none, at its middle.
class WavenumberBound {
 public:
  void add(const Model& model, int axis) {
    for (Expr q : wavenumbers(model, axis)) squares_.emplace_back(*model.pool, q);
  }

  double over(double lower, double upper) {
    double largest = 0.0;
    for (expression::IntervalEvaluation& square : squares_) {
      const std::size_t n = square.axes().size();
      const std::vector<Interval> box(n, {lower, upper});
      const Interval range = square.enclosure(box);
      const double bound =
          range.defined && range.bounded() ? range.upper : square.value(std::vector<double>(n, (lower + upper) / 2.0));
      if (bound > largest) largest = bound;
    }
    return std::sqrt(largest);
  }

 private:
  std::vector<expression::IntervalEvaluation> squares_;
};

struct Cell {
  double lower, upper, phase;
  bool operator<(const Cell& other) const { return phase < other.phase; }
};

std::vector<double> graded_edges(std::vector<double> edges, double most_phase, WavenumberBound& wavenumber) {
  const double length = edges.back() - edges.front();
  const auto cell = [&](double lower, double upper) {
    return Cell{lower, upper, (upper - lower) * wavenumber.over(lower, upper)};
  };
  std::priority_queue<Cell> cells;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) cells.push(cell(edges[i], edges[i + 1]));
  while (cells.top().phase > most_phase && cells.size() < kMostCells) {
    const Cell worst = cells.top();
    cells.pop();
    const double middle = (worst.lower + worst.upper) / 2.0;
    edges.push_back(middle);
    const bool smallest = worst.upper - worst.lower < 2.0 * kSmallestCell * length;
    for (Cell half : {cell(worst.lower, middle), cell(middle, worst.upper)}) {
      if (smallest) half.phase = 0.0;
      cells.push(half);
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

std::vector<AxisDescription> search_subdomains(const std::vector<const Model*>& at_values,
                                               const std::vector<AxisDescription>& subdomains, int more) {
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
  return graded_subdomains(at_values, std::move(result));
}

std::vector<AxisDescription> graded_subdomains(const std::vector<const Model*>& at_values,
                                               std::vector<AxisDescription> subdomains) {
  const int axis = axis_of(*at_values.front());
  if (axis < 0) return subdomains;
  AxisDescription& along = subdomains[static_cast<std::size_t>(axis)];
  if (!make_basis(along)->can_be_divided()) return subdomains;
  WavenumberBound wavenumber;
  for (const Model* at_value : at_values) wavenumber.add(*at_value, axis);
  along.edges = graded_edges(std::move(along.edges), kPhasePerDegree * along.degree, wavenumber);
  return subdomains;
}

}  // namespace gwrm
