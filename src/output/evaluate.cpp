#include "output/evaluate.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/tape.hpp"
#include "output/evaluate_integrals.hpp"
#include "output/evaluate_subdomains.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;
using expression::Op;
using expression::Pool;

// The points held at once of an integrand that is evaluated at many times.
constexpr std::size_t kMaxIntegrand = std::size_t{1} << 22;

// Coordinates per axis, of the caller or of a quadrature; none: atoms are integrated over the axis.
using Grid = std::vector<std::span<const double>>;

// sum_i weights_i a[.., i, ..] along one axis; an extent 1 stands for a value that does not vary along it.
Array reduce(const Array& a, std::size_t axis, const Vector& weights) {
  const Index extent = a.shape[axis];
  Index inner = 1;
  for (std::size_t i = axis + 1; i < a.shape.size(); ++i) inner *= a.shape[i];
  Shape shape = a.shape;
  shape[axis] = 1;
  Array sum(shape);
  const Index outer = sum.size() / inner;
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < weights.size(); ++i)
      for (Index k = 0; k < inner; ++k)
        sum.data[o * inner + k] += weights[i] * a.data[(o * extent + (extent == 1 ? 0 : i)) * inner + k];
  return sum;
}

// Writes `part` into `whole` at the offset along one axis; all other extents agree.
void insert(Array& whole, const Array& part, std::size_t axis, Index offset) {
  Index inner = 1;
  for (std::size_t i = axis + 1; i < whole.shape.size(); ++i) inner *= whole.shape[i];
  const Index part_row = part.shape[axis] * inner, whole_row = whole.shape[axis] * inner;
  const Index rows = part.size() / part_row;
  for (Index r = 0; r < rows; ++r)
    std::copy_n(part.data.begin() + r * part_row, part_row, whole.data.begin() + r * whole_row + offset * inner);
}

// Repeats along the axes of extent 1 until the shape is reached.
Array broadcast(Array a, const Shape& shape) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (a.shape[axis] == shape[axis]) continue;
    Shape wider = a.shape;
    wider[axis] = shape[axis];
    Array repeated(wider);
    for (Index i = 0; i < shape[axis]; ++i) insert(repeated, a, axis, i);
    a = std::move(repeated);
  }
  return a;
}

class Evaluator {
 public:
  // known: null for matrices of its own; ranks: null for sums of its own.
  Evaluator(const Solution& solution, TrialMatrices* known, Communicator* ranks)
      : solution_(solution),
        time_(solution.windowed_axis()),
        trials_(known == nullptr ? own_ : *known),
        ranks_(ranks) {}
  // The rule for integrals over space; null: one of their own.
  struct Rule {
    const GridPoints& points;
    const std::vector<std::vector<double>>& weights;
  };
  Evaluator(const Solution& solution, const Rule& rule, Communicator* ranks) : Evaluator(solution, nullptr, ranks) {
    rule_ = &rule;
  }

  // An integral is evaluated first, on a quadrature grid of its own, and enters the expressions around it as a known
  // field.
  std::vector<Array> values(const Pool& pool, std::span<const Expr> es, const Grid& grid) {
    const WithoutIntegrals parts = without_integrals(pool, es);
    if (parts.integrals.empty()) return integral_free_values(pool, es, grid, {});
    std::vector<Array> known;
    for (Expr node : parts.integrals) known.push_back(integral_value(pool, node, grid));
    return integral_free_values(*parts.pool, parts.around, grid, known);
  }

 private:
  Array value(const Pool& pool, Expr e, const Grid& grid) {
    return std::move(values(pool, std::span<const Expr>(&e, 1), grid).front());
  }

  Array integral_value(const Pool& pool, Expr node, const Grid& grid) {
    if (std::optional<Array> value = integral_of_series(pool, node, grid)) return std::move(*value);
    const int axis = pool.symbols().find_axis(node->name);
    return axis == time_ ? integral_over_time(pool, node->args[0], grid)
                         : integral_over(pool, node->args[0], grid, at(axis));
  }

  // Integrals over space, one in another, of what is linear in the unknowns: sums of the integrals of their functions,
  // as exact as a quadrature and without its points. Nothing for other ones.
  std::optional<Array> integral_of_series(const Pool& pool, Expr node, const Grid& grid) {
    Grid over = grid;
    std::vector<int> axes;
    for (; node->op == Op::integral; node = node->args[0]) {
      axes.push_back(pool.symbols().find_axis(node->name));
      if (axes.back() == time_) return std::nullopt;
      over[at(axes.back())] = {};
    }
    const std::optional<std::vector<ScaledAtom>> terms = linear_sum(pool, node);
    if (!terms) return std::nullopt;
    const auto is_integrated = [&](const Atom& atom, int axis) {
      const FieldSolution* field = solution_.find_field(pool.symbols().fields[atom.field].name);
      return field != nullptr && !atom.restricted[axis] &&
             std::find(field->axes.begin(), field->axes.end(), axis) != field->axes.end();
    };
    std::vector<Array> values;
    Shape shape(grid.size(), 1);
    for (const ScaledAtom& term : *terms) {
      const Atom atom = expression::atom_of(pool, term.atom);
      if (!std::all_of(axes.begin(), axes.end(), [&](int axis) { return is_integrated(atom, axis); }))
        return std::nullopt;
      values.push_back(std::move(atom_values(pool.symbols().fields[atom.field].name, {atom}, over).front()));
      for (double& value : values.back().data) value *= term.factor;
      for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = std::max(shape[i], values.back().shape[i]);
    }
    Array sum(shape);
    for (Array& value : values) {
      value = broadcast(std::move(value), shape);
      for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += value.data[i];
    }
    return sum;
  }

  // Window by window, which holds the points of one at a time.
  Array integral_over_time(const Pool& pool, Expr integrand, Grid grid) {
    Array sum;
    for (const std::vector<AxisDescription>& window : solution_.subdomains) {
      const Quadrature rule = quadrature(window.at(at(time_)));
      grid[time_] = rule.points;
      Array part = reduce(value(pool, integrand, grid), at(time_), rule.weights);
      if (sum.shape.empty()) sum = Array(part.shape);
      for (std::size_t i = 0; i < part.data.size(); ++i) sum.data[i] += part.data[i];
    }
    return sum;
  }

  // Over all the subdomains that an axis has at the times of the grid.
  Array integral_over(const Pool& pool, Expr integrand, const Grid& grid, std::size_t axis) {
    if (rule_ != nullptr) {
      Grid points = grid;
      points[axis] = rule_->points[axis];
      const std::vector<double>& weights = rule_->weights[axis];
      return reduce(value(pool, integrand, points), axis,
                    Eigen::Map<const Vector>(weights.data(), std::ssize(weights)));
    }
    const IntegrandWindows windows = integrand_windows(solution_, pool, integrand, axis);
    const auto part = [&](const Grid& times, const std::set<std::size_t>& used) {
      const Quadrature rule = quadrature_over(solution_, axis, used, windows.repeats);
      Grid points = times;
      points[axis] = rule.points;
      return reduce(value(pool, integrand, points), axis, rule.weights);
    };
    if (!windows.of_points) return part(grid, windows.always);

    std::size_t others = static_cast<std::size_t>(solution_.subdomains.front()[axis].n_coefficients());
    for (std::size_t i = 0; i < grid.size(); ++i)
      if (i != axis && static_cast<int>(i) != time_) others *= grid[i].size();
    const std::size_t longest = std::max<std::size_t>(1, kMaxIntegrand / others);
    const auto same = [&](std::size_t a, std::size_t b) {
      return a == b || solution_.subdomains[a][axis] == solution_.subdomains[b][axis];
    };
    const auto one = [&](const Grid& times, std::size_t window) {
      std::vector<Array> values;
      values.push_back(part(times, windows.with(window)));
      return values;
    };
    return std::move(over_time(grid, longest, same, one).front());
  }

  // The arrays of part(grid, window), each put together from runs of consecutive times whose windows are the `same`.
  template <class Same, class Part>
  std::vector<Array> over_time(const Grid& grid, std::size_t longest, Same same, Part part) {
    const auto time = at(time_);
    const std::span<const double> times = grid[time];
    std::vector<Array> values;
    for (std::size_t begin = 0, end = 0; begin < times.size(); begin = end) {
      const std::size_t window = solution_.window_of(times[begin]);
      while (end < times.size() && end - begin < longest && same(solution_.window_of(times[end]), window)) ++end;
      Grid run = grid;
      run[time] = times.subspan(begin, end - begin);
      std::vector<Array> parts = part(run, window);
      for (Array& a : parts) {
        Shape shape = a.shape;
        shape[time] = static_cast<Index>(end - begin);
        a = broadcast(std::move(a), shape);
      }
      if (end - begin == times.size()) return parts;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (begin == 0) {
          Shape shape = parts[i].shape;
          shape[time] = static_cast<Index>(times.size());
          values.emplace_back(shape);
        }
        insert(values[i], parts[i], time, static_cast<Index>(begin));
      }
    }
    return values;
  }

  // The last fields of the pool's symbols are `known`: their values are given.
  std::vector<Array> integral_free_values(const Pool& pool, std::span<const Expr> es, const Grid& grid,
                                          const std::vector<Array>& known) {
    const std::size_t n_unknowns = pool.symbols().fields.size() - known.size();
    const expression::Tape tape(pool, es);
    const std::vector<Expr>& leaves = tape.leaves();
    std::vector<Array> leaf_values(leaves.size());
    std::map<std::size_t, std::vector<std::size_t>> of_unknown;  // leaves
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i]->op == Op::coordinate) {
        leaf_values[i] = coordinate_values(pool, leaves[i], grid);
        continue;
      }
      const Atom atom = expression::atom_of(pool, leaves[i]);
      if (atom.direction) throw ShapeError("evaluate: the direction of a Frechet derivative has no values");
      const auto field = static_cast<std::size_t>(atom.field);
      if (field < n_unknowns)
        of_unknown[field].push_back(i);
      else
        leaf_values[i] = known[field - n_unknowns];
    }
    for (const auto& [field, places] : of_unknown) {
      std::vector<Atom> atoms;
      for (std::size_t i : places) atoms.push_back(expression::atom_of(pool, leaves[i]));
      std::vector<Array> values = atom_values(pool.symbols().fields[field].name, atoms, grid);
      for (std::size_t k = 0; k < places.size(); ++k) leaf_values[places[k]] = std::move(values[k]);
    }
    return tape.evaluate(leaf_values, {});
  }

  static Array coordinate_values(const Pool& pool, Expr leaf, const Grid& grid) {
    const auto axis = at(pool.symbols().find_axis(leaf->name));
    Shape shape(grid.size(), 1);
    shape[axis] = static_cast<Index>(grid[axis].size());
    Array values(shape);
    values.data.assign(grid[axis].begin(), grid[axis].end());
    return values;
  }

  // Of one unknown. Consecutive times of one window at once; an unknown without t is a constant per window.
  std::vector<Array> atom_values(const std::string& name, const std::vector<Atom>& atoms, const Grid& grid) {
    const FieldSolution* field = solution_.find_field(name);
    if (field == nullptr) throw ShapeError("evaluate: the solution has no field " + name);
    if (field->windows.size() != 1 && field->windows.size() != solution_.n_windows())
      throw ShapeError("evaluate: " + name + " needs one array per time window");
    if (field->windows.size() == 1) return window_values(*field, atoms, grid, 0);
    // Those at a time of their own, by windows, and those at the times of the grid.
    std::map<std::size_t, std::vector<std::size_t>> restricted;
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < atoms.size(); ++i)
      (atoms[i].restricted[time_] ? restricted[solution_.window_of(atoms[i].points[time_])] : free).push_back(i);
    std::vector<Array> values(atoms.size());
    const auto of = [&](const std::vector<std::size_t>& places) {
      std::vector<Atom> chosen;
      for (std::size_t i : places) chosen.push_back(atoms[i]);
      return chosen;
    };
    const auto put = [&](const std::vector<std::size_t>& places, std::vector<Array> arrays) {
      for (std::size_t k = 0; k < places.size(); ++k) values[places[k]] = std::move(arrays[k]);
    };
    for (const auto& [window, places] : restricted) put(places, window_values(*field, of(places), grid, window));
    if (free.empty()) return values;
    const auto same = [](std::size_t a, std::size_t b) { return a == b; };
    put(free, over_time(grid, grid[time_].size(), same, [&, chosen = of(free)](const Grid& run, std::size_t window) {
          return window_values(*field, chosen, run, window);
        }));
    return values;
  }

  // Atoms on the grid from the polynomials of one window.
  std::vector<Array> window_values(const FieldSolution& field, const std::vector<Atom>& atoms, const Grid& grid,
                                   std::size_t window) {
    const Array& coefficients = field.windows.at(window);
    const Shape none(grid.size(), 1);
    std::vector<Array> values(atoms.size(), Array(none));
    std::vector<TrialOfDimensions> sets;
    std::vector<std::size_t> places;
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      const Atom& atom = atoms[i];
      TrialOfDimensions matrices;
      Shape shape = none;
      std::vector<int> orders = atom.orders;
      for (int a : field.axes) {
        const std::size_t axis = at(a);
        const AxisDescription& subdomains = solution_.subdomains[window].at(axis);
        if (matrices.size() >= coefficients.shape.size() ||
            subdomains.n_coefficients() != coefficients.shape[matrices.size()])
          throw ShapeError("evaluate: the coefficients of " + field.name + " do not have the degrees of the axes");
        const std::span<const double> points = atom.restricted[axis] ? std::span(&atom.points[axis], 1) : grid[axis];
        matrices.push_back(trials_.get(axis, subdomains, points, atom.orders[axis]));
        shape[axis] = std::max<Index>(1, std::ssize(points));
        orders[axis] = 0;
      }
      // What is left are derivatives along axes on which the field does not depend: zero.
      if (std::any_of(orders.begin(), orders.end(), [](int order) { return order > 0; })) continue;
      sets.push_back(std::move(matrices));
      places.push_back(i);
      shapes.push_back(std::move(shape));
    }
    std::vector<Array> sums =
        ranks_ == nullptr ? trial_sums(coefficients, sets) : trial_sums(coefficients, sets, *ranks_);
    for (std::size_t k = 0; k < places.size(); ++k) {
      values[places[k]] = std::move(sums[k]);
      values[places[k]].shape = shapes[k];
    }
    return values;
  }

  const Solution& solution_;
  int time_;
  TrialMatrices own_;
  TrialMatrices& trials_;
  const Rule* rule_ = nullptr;
  Communicator* ranks_;
};

Grid checked_grid(const expression::Pool& pool, const Solution& solution, const GridPoints& points) {
  if (points.size() != solution.axes.size() || pool.symbols().axes.size() != solution.axes.size())
    throw ShapeError("evaluate: grid, symbols and solution must have the same axes");
  if (solution.subdomains.size() != solution.n_windows() || solution.subdomains.front().size() != solution.axes.size())
    throw ShapeError("evaluate: the solution lacks the subdomains of its windows and axes");
  Grid grid;
  for (const std::vector<double>& axis_points : points) {
    if (axis_points.empty()) throw ShapeError("evaluate: an axis has no points");
    grid.emplace_back(axis_points);
  }
  return grid;
}

}  // namespace

std::vector<Array> evaluate(expression::Pool& pool, const Solution& solution, std::span<const expression::Expr> es,
                            const GridPoints& points, bool full, TrialMatrices* known, Communicator* ranks) {
  const Grid grid = checked_grid(pool, solution, points);
  std::vector<Array> values = Evaluator(solution, known, ranks).values(pool, es, grid);
  if (!full) return values;
  Shape shape;
  for (std::span<const double> along : grid) shape.push_back(std::ssize(along));
  for (Array& value : values) value = broadcast(std::move(value), shape);
  return values;
}

std::vector<Array> evaluate_roughly(expression::Pool& pool, const Solution& solution,
                                    std::span<const expression::Expr> es, const GridPoints& points,
                                    const std::vector<std::vector<double>>& weights, Communicator* ranks) {
  const Evaluator::Rule rule{points, weights};
  return Evaluator(solution, rule, ranks).values(pool, es, checked_grid(pool, solution, points));
}

Array evaluate(expression::Pool& pool, const Solution& solution, expression::Expr e, const GridPoints& points,
               bool full) {
  return std::move(evaluate(pool, solution, std::span<const expression::Expr>(&e, 1), points, full).front());
}

void check_symbols(const expression::Symbols& symbols, const Solution& solution) {
  // That of time spaces the windows, in which the series are polynomials of t itself.
  const auto same_axis = [](const Axis& a, const Axis& b) {
    return a.name == b.name && a.kind == b.kind && a.lower == b.lower && a.upper == b.upper &&
           (a.map == b.map || a.kind == AxisKind::time);
  };
  if (!std::equal(symbols.axes.begin(), symbols.axes.end(), solution.axes.begin(), solution.axes.end(), same_axis))
    throw OutputError("the solution does not have the dimensions of the case stored beside it");
  for (const expression::Field& field : symbols.fields) {
    const FieldSolution* stored = solution.find_field(field.name);
    std::vector<std::string> dims;
    if (stored != nullptr)
      for (const int axis : stored->axes) dims.push_back(solution.axes[axis].name);
    if (stored == nullptr || dims != field.dims)
      throw OutputError("the solution does not have the unknown " + field.name + " of the case stored beside it");
  }
}

}  // namespace gwrm
