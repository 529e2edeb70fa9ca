#include "output/evaluate.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/tape.hpp"
#include "kernels/chebyshev_matrices.hpp"
#include "kernels/tensor_transform.hpp"
#include "spectral/chebyshev.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;
using expression::Op;
using expression::Pool;

// Gauss points per dimension (and window) of an integral whose integrand may be any function of the polynomials: twice
// the coefficients resolves products exactly and smooth functions to round-off; the rest serves the lowest degrees.
Index quadrature_points(int degree) {
  return 2 * (degree + 1) + 8;
}

struct Quadrature {
  std::vector<double> points;
  Vector weights;
};

void append_interval(Quadrature& rule, const AxisMap& map, Index n) {
  const Vector weights = quadrature_weights(map, n);
  const Vector points = map.from_reference(gauss_points(n));
  rule.points.insert(rule.points.end(), points.begin(), points.end());
  rule.weights.conservativeResize(rule.weights.size() + n);
  rule.weights.tail(n) = weights;
}

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

void find_integrals(Expr e, std::vector<Expr>& found, std::unordered_map<Expr, bool>& visited) {
  if (!visited.emplace(e, true).second) return;
  if (e->op == Op::integral) {
    found.push_back(e);
    return;
  }
  for (Expr argument : e->args) find_integrals(argument, found, visited);
}

// A copy of `e` in another pool, with the nodes already in `copies` replaced by what stands there.
Expr copy_into(Pool& pool, Expr e, std::unordered_map<Expr, Expr>& copies) {
  if (auto done = copies.find(e); done != copies.end()) return done->second;
  std::vector<Expr> args;
  for (Expr argument : e->args) args.push_back(copy_into(pool, argument, copies));
  Expr copy = nullptr;
  switch (e->op) {
    case Op::number:
      copy = pool.number(e->value);
      break;
    case Op::pi:
      copy = pool.pi();
      break;
    case Op::constant:
      copy = pool.constant(e->name);
      break;
    case Op::coordinate:
      copy = pool.coordinate(e->name);
      break;
    case Op::field:
      copy = pool.field(e->name);
      break;
    case Op::direction:
      copy = pool.direction(e->name);
      break;
    case Op::negate:
    case Op::laplacian:
      copy = pool.unary(e->op, args[0]);
      break;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
      copy = pool.binary(e->op, args[0], args[1]);
      break;
    case Op::call:
      copy = pool.call(e->function, args);
      break;
    case Op::derivative:
      copy = pool.derivative(args[0], e->name, e->order);
      break;
    case Op::restriction: {
      std::vector<std::pair<std::string, Expr>> points;
      for (std::size_t i = 0; i < e->names.size(); ++i) points.emplace_back(e->names[i], args[1 + i]);
      copy = pool.restriction(args[0], points);
      break;
    }
    case Op::integral:
      copy = pool.integral(args[0], e->name);
      break;
  }
  return copies[e] = copy;
}

class Evaluator {
 public:
  explicit Evaluator(const Solution& solution) : solution_(solution), time_(solution.time_axis()) {}

  // An integral is evaluated first, on a quadrature grid of its own, and enters the expression around it as a known
  // field.
  Array value(const Pool& pool, Expr e, const GridPoints& grid) const {
    std::vector<Expr> integrals;
    std::unordered_map<Expr, bool> visited;
    find_integrals(e, integrals, visited);
    if (integrals.empty()) return integral_free_value(pool, e, grid, {});

    expression::Symbols symbols = pool.symbols();
    std::vector<Array> known;
    for (Expr node : integrals) {
      known.push_back(integral_value(pool, node, grid));
      expression::Field field{"integral " + std::to_string(known.size()), {}};
      for (std::size_t i = 0; i < symbols.axes.size(); ++i)
        if (node->facts.axes >> i & 1u) field.dims.push_back(symbols.axes[i].name);
      symbols.fields.push_back(std::move(field));
    }
    const std::size_t n_unknowns = pool.symbols().fields.size();
    Pool extended(symbols);
    std::unordered_map<Expr, Expr> copies;
    for (std::size_t i = 0; i < integrals.size(); ++i)
      copies[integrals[i]] = extended.field(symbols.fields[n_unknowns + i].name);
    return integral_free_value(extended, copy_into(extended, e, copies), grid, known);
  }

 private:
  Array integral_value(const Pool& pool, Expr node, GridPoints grid) const {
    const auto axis = static_cast<std::size_t>(pool.symbols().find_axis(node->name));
    Quadrature rule = quadrature(axis);
    grid[axis] = std::move(rule.points);
    return reduce(value(pool, node->args[0], grid), axis, rule.weights);
  }

  Quadrature quadrature(std::size_t axis) const {
    const Index n = quadrature_points(solution_.degrees[axis]);
    Quadrature rule;
    const bool windowed = static_cast<int>(axis) == time_;
    for (std::size_t w = 0; w < (windowed ? solution_.n_windows() : 1); ++w) append_interval(rule, map_of(axis, w), n);
    return rule;
  }

  AxisMap map_of(std::size_t axis, std::size_t window) const {
    const Axis& a = solution_.axes[axis];
    if (static_cast<int>(axis) != time_ || solution_.window_edges.empty()) return AxisMap(a);
    return {solution_.window_edges[window], solution_.window_edges[window + 1], a.map};
  }

  // The last fields of the pool's symbols are `known`: their values are given.
  Array integral_free_value(const Pool& pool, Expr e, const GridPoints& grid, const std::vector<Array>& known) const {
    const std::size_t n_unknowns = pool.symbols().fields.size() - known.size();
    const expression::Tape tape(pool, std::span<const Expr>(&e, 1));
    std::vector<Array> leaf_values;
    for (Expr leaf : tape.leaves()) {
      if (leaf->op == Op::coordinate) {
        leaf_values.push_back(coordinate_values(pool, leaf, grid));
        continue;
      }
      const Atom atom = expression::atom_of(pool, leaf);
      if (atom.direction) throw ShapeError("evaluate: the direction of a Frechet derivative has no values");
      const auto field = static_cast<std::size_t>(atom.field);
      leaf_values.push_back(field < n_unknowns ? atom_values(pool.symbols().fields[field].name, atom, grid)
                                               : known[field - n_unknowns]);
    }
    return tape.evaluate(leaf_values, {}).front();
  }

  Array coordinate_values(const Pool& pool, Expr leaf, const GridPoints& grid) const {
    const auto axis = static_cast<std::size_t>(pool.symbols().find_axis(leaf->name));
    Shape shape(grid.size(), 1);
    shape[axis] = static_cast<Index>(grid[axis].size());
    Array values(shape);
    values.data = grid[axis];
    return values;
  }

  Array atom_values(const std::string& name, const Atom& atom, const GridPoints& grid) const {
    const FieldSolution* field = solution_.find_field(name);
    if (field == nullptr) throw ShapeError("evaluate: the solution has no field " + name);
    const auto time = static_cast<std::size_t>(time_);
    if (time_ >= 0 && atom.restricted[time])
      return window_values(*field, atom, grid, solution_.window_of(atom.points[time]));
    if (field->windows.size() == 1) return window_values(*field, atom, grid, 0);

    // Consecutive times of one window at once; an unknown without t is a constant per window.
    const std::vector<double>& times = grid[time];
    Array values;
    for (std::size_t begin = 0, end = 0; begin < times.size(); begin = end) {
      const std::size_t window = solution_.window_of(times[begin]);
      while (end < times.size() && solution_.window_of(times[end]) == window) ++end;
      GridPoints part_grid = grid;
      part_grid[time].assign(times.begin() + begin, times.begin() + end);
      Array part = window_values(*field, atom, part_grid, window);
      Shape shape = part.shape;
      shape[time] = static_cast<Index>(end - begin);
      part = broadcast(std::move(part), shape);
      shape[time] = static_cast<Index>(times.size());
      if (begin == 0) values = Array(shape);
      insert(values, part, time, static_cast<Index>(begin));
    }
    return values;
  }

  // The atom on the grid from the polynomial of one window: one matrix per axis of the field.
  Array window_values(const FieldSolution& field, const Atom& atom, const GridPoints& grid, std::size_t window) const {
    const Array& coefficients = field.windows[std::min(window, field.windows.size() - 1)];
    std::vector<Matrix> matrices;
    Shape shape(grid.size(), 1);
    std::vector<int> orders = atom.orders;
    for (int a : field.axes) {
      const auto axis = static_cast<std::size_t>(a);
      const std::span<const double> points =
          atom.restricted[axis] ? std::span<const double>(&atom.points[axis], 1) : std::span<const double>(grid[axis]);
      matrices.push_back(point_matrix(map_of(axis, window), solution_.degrees[axis], points, atom.orders[axis]));
      if (matrices.size() > coefficients.shape.size() ||
          matrices.back().cols() != coefficients.shape[matrices.size() - 1])
        throw ShapeError("evaluate: the coefficients of " + field.name + " do not have the degrees of the axes");
      shape[axis] = static_cast<Index>(points.size());
      orders[axis] = 0;
    }
    // What is left are derivatives along axes on which the field does not depend.
    if (std::any_of(orders.begin(), orders.end(), [](int order) { return order > 0; }))
      return Array(Shape(grid.size(), 1));
    std::vector<const Matrix*> pointers;
    for (const Matrix& matrix : matrices) pointers.push_back(&matrix);
    Array values = pointers.empty() ? coefficients : cpu::tensor_transform(coefficients, pointers);
    values.shape = shape;
    return values;
  }

  const Solution& solution_;
  int time_;
};

}  // namespace

Array evaluate(expression::Pool& pool, const Solution& solution, expression::Expr e, const GridPoints& points,
               bool full) {
  if (points.size() != solution.axes.size() || pool.symbols().axes.size() != solution.axes.size())
    throw ShapeError("evaluate: grid, symbols and solution must have the same axes");
  Shape shape;
  for (const std::vector<double>& axis_points : points) {
    if (axis_points.empty()) throw ShapeError("evaluate: an axis has no points");
    shape.push_back(static_cast<Index>(axis_points.size()));
  }
  Array values = Evaluator(solution).value(pool, e, points);
  return full ? broadcast(std::move(values), shape) : values;
}

}  // namespace gwrm
