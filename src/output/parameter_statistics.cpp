#include "output/parameter_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "output/parameter_quantiles.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Op;
using expression::Pool;

// Values evaluated at once. evaluate() keeps about ten arrays of that size: 100 MB, and the cost of a call is lost in
// it.
constexpr double kBlockValues = 1 << 20;
constexpr double kMaxParameterPoints = 1 << 24;  // one block cannot be less than one point of the grid
constexpr double kRoundOff = 64.0 * std::numeric_limits<double>::epsilon();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Rule {
  std::vector<double> points;   // physical
  std::vector<double> weights;  // sum 1
};

// The highest degree of any window, and a subdomain between all places where one of them may have a kink.
AxisDescription all_subdomains(const Solution& solution, std::size_t axis) {
  AxisDescription all = solution.subdomains.front()[axis];
  std::set<double> edges;
  for (const std::vector<AxisDescription>& window : solution.subdomains) {
    edges.insert(window[axis].edges.begin(), window[axis].edges.end());
    all.degree = std::max(all.degree, window[axis].degree);
  }
  all.edges.assign(edges.begin(), edges.end());
  return all;
}

// Degree 2 serves functions that are no polynomials: their series has decayed long before.
int degree_in_unknowns(Expr e) {
  return e->facts.degree == expression::kNonPolynomial ? 2 : std::max(1, e->facts.degree);
}

// Exact for the square of the expression; eight more for what is no polynomial.
Rule probability_rule(const Solution& solution, std::size_t axis, Expr e) {
  const auto basis = make_basis(all_subdomains(solution, axis));
  const Index n = basis->n_quadrature(2 * degree_in_unknowns(e)) + 8;
  const Vector points = basis->grid(n).points, weights = basis->mean_weights(n);
  return {{points.begin(), points.end()}, {weights.begin(), weights.end()}};
}

// Standard deviation of the parameter itself.
double parameter_std(const Axis& axis, const AxisDescription& description) {
  if (const auto distribution = distribution_of(description)) return distribution->deviation();
  return (axis.map == MapKind::linear ? Distribution::uniform(axis.lower, axis.upper)
                                      : Distribution::log_uniform(axis.lower, axis.upper))
      .deviation();
}

bool has_distribution(const Solution& solution) {
  return std::any_of(solution.subdomains.front().begin(), solution.subdomains.front().end(),
                     [](const AxisDescription& axis) { return distribution_of(axis).has_value(); });
}

// The tensor grid of the parameters, last fastest, and the moments of values on it.
class ProbabilityGrid {
 public:
  explicit ProbabilityGrid(const std::vector<Rule>& rules) : weights_{1.0} {
    for (const Rule& rule : rules) {
      axis_weights_.push_back(rule.weights);
      std::vector<double> product;
      for (double w : weights_)
        for (double v : rule.weights) product.push_back(w * v);
      weights_ = std::move(product);
    }
  }

  double mean(const std::vector<double>& f) const {
    double sum = 0.0;
    for (std::size_t q = 0; q < f.size(); ++q) sum += weights_[q] * f[q];
    return sum;
  }

  // E[f]; leaves f - E[f] in f. The round-off of the mean enters the moments of f squared only.
  double subtract_mean(std::vector<double>& f) const {
    const double expectation = mean(f);
    for (double& value : f) value -= expectation;
    return expectation;
  }

  double mean_square(const std::vector<double>& g) const {
    double sum = 0.0;
    for (std::size_t q = 0; q < g.size(); ++q) sum += weights_[q] * g[q] * g[q];
    return sum;
  }

  // Var(E[g | p]) of values with mean 0.
  double explained_variance(const std::vector<double>& g, std::size_t p) const {
    const std::vector<double>& w = axis_weights_[p];
    std::vector<double> sums(w.size(), 0.0);  // w_j E[g | p = p_j]
    const std::size_t stride = stride_of(p);
    for (std::size_t q = 0; q < g.size(); ++q) sums[q / stride % w.size()] += weights_[q] * g[q];
    double variance = 0.0;
    for (std::size_t j = 0; j < w.size(); ++j) variance += sums[j] * sums[j] / w[j];
    return variance;
  }

  // E[Var(g | all but p)].
  double remaining_variance(const std::vector<double>& g, std::size_t p) const {
    const std::vector<double>& w = axis_weights_[p];
    const std::size_t stride = stride_of(p), n = w.size();
    double variance = 0.0;
    for (std::size_t q = 0; q < g.size(); ++q) {
      if (q / stride % n != 0) continue;  // q is the first point of a line along p
      double line_mean = 0.0, line_variance = 0.0;
      for (std::size_t j = 0; j < n; ++j) line_mean += w[j] * g[q + j * stride];
      for (std::size_t j = 0; j < n; ++j) {
        const double deviation = g[q + j * stride] - line_mean;
        line_variance += w[j] * deviation * deviation;
      }
      variance += weights_[q] / w[0] * line_variance;
    }
    return variance;
  }

 private:
  std::size_t stride_of(std::size_t p) const {
    std::size_t stride = 1;
    for (std::size_t i = p + 1; i < axis_weights_.size(); ++i) stride *= axis_weights_[i].size();
    return stride;
  }

  std::vector<std::vector<double>> axis_weights_;
  std::vector<double> weights_;  // product weights
};

// The positions of the elements of a box of the given extents, at the corner of an array of the given shape.
std::vector<std::size_t> positions(const Shape& extents, const Shape& shape) {
  std::vector<std::size_t> found{0};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<std::size_t> next;
    for (std::size_t position : found)
      for (Index i = 0; i < extents[axis]; ++i)
        next.push_back(position * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(i));
    found = std::move(next);
  }
  return found;
}

Shape extents_of(const GridPoints& points) {
  Shape shape;
  for (const std::vector<double>& axis_points : points) shape.push_back(static_cast<Index>(axis_points.size()));
  return shape;
}

// The axes along which evaluate() gives values that vary, asked on a grid of two points each.
std::vector<bool> varying_axes(Pool& pool, const Solution& solution, Expr e) {
  GridPoints probe;
  for (const Axis& axis : solution.axes) probe.push_back({axis.lower, axis.upper});
  std::vector<bool> varies;
  for (Index extent : evaluate(pool, solution, e, probe, false).shape) varies.push_back(extent > 1);
  return varies;
}

void find_integrated_axes(Expr e, std::set<std::string>& axes, std::unordered_set<Expr>& visited) {
  if (!visited.insert(e).second) return;
  if (e->op == Op::integral) axes.insert(e->name);
  for (Expr argument : e->args) find_integrated_axes(argument, axes, visited);
}

// By how much the grids inside integrals are larger than the one asked for, roughly.
double integration_factor(const Solution& solution, Expr e) {
  std::set<std::string> names;
  std::unordered_set<Expr> visited;
  find_integrated_axes(e, names, visited);
  double factor = 1.0;
  for (std::size_t axis = 0; axis < solution.axes.size(); ++axis)
    if (names.count(solution.axes[axis].name) > 0) {
      double n_points = 0.0;
      for (const std::vector<AxisDescription>& window : solution.subdomains)
        n_points += 2.0 * static_cast<double>(window[axis].n_coefficients()) + 8.0;
      factor *= n_points;
    }
  return factor;
}

class StatisticsOnGrid {
 public:
  StatisticsOnGrid(Pool& pool, const Solution& solution, Expr e, const GridPoints& points,
                   std::span<const double> probabilities)
      : pool_(pool), solution_(solution), e_(e), grid_(points) {
    const std::vector<bool> varies = varying_axes(pool, solution, e);
    std::vector<Rule> rules;
    double n_points = 1.0;
    Shape output;
    for (std::size_t axis = 0; axis < grid_.size(); ++axis) {
      const bool is_parameter = solution.axes[axis].kind == AxisKind::parameter;
      if (is_parameter) result_.parameters.push_back(static_cast<int>(axis));
      if (!varies[axis]) {
        grid_[axis] = {solution.axes[axis].lower};
      } else if (is_parameter) {
        rules.push_back(probability_rule(solution, axis, e));
        grid_[axis] = rules.back().points;
        active_.push_back(axis);
        slopes_.push_back(expression::lower(pool, pool.derivative(e, solution.axes[axis].name, 1)));
        n_points *= static_cast<double>(grid_[axis].size());
        require_size(n_points);
      } else {
        result_.axes.push_back(static_cast<int>(axis));
        output.push_back(static_cast<Index>(grid_[axis].size()));
      }
    }
    probability_ = ProbabilityGrid(rules);
    result_.mean = result_.variance = result_.std = Array(output);
    if (has_distribution(solution)) prepare_quantiles(output, probabilities);
    output.insert(output.begin(), static_cast<Index>(result_.parameters.size()));
    result_.sensitivity = result_.sensitivity_normalised = result_.sobol_first = result_.sobol_total = Array(output);
    choose_block(n_points);
  }

  ParameterStatistics compute() {
    const Shape whole = free_extents(extents_of(grid_));
    Shape start(whole.size(), 0);
    std::size_t axis = 0;
    do {  // all blocks: `start` counts up like an odometer, last axis first
      process_block(start, whole);
      for (axis = whole.size(); axis-- > 0; start[axis] = 0)
        if ((start[axis] += block_[axis]) < whole[axis]) break;
    } while (axis < whole.size());
    normalise();
    return std::move(result_);
  }

 private:
  static void require_size(double n_points) {
    if (n_points > kMaxParameterPoints)
      throw MemoryError("statistics: the quadrature grid of the parameters has more than " +
                        std::to_string(static_cast<long>(kMaxParameterPoints)) +
                        " points; lower resolution.degree of the parameters");
  }

  // 1 along the parameters that are integrated over.
  Shape free_extents(Shape extents) const {
    for (std::size_t axis : active_) extents[axis] = 1;
    return extents;
  }

  void choose_block(double n_points) {
    block_ = free_extents(extents_of(grid_));
    const double per_point = n_points * integration_factor(solution_, e_);
    for (Index& extent : block_)
      while (extent > 1 && static_cast<double>(element_count(block_)) * per_point > kBlockValues)
        extent = (extent + 1) / 2;
  }

  void process_block(const Shape& start, const Shape& whole) {
    GridPoints part = grid_;
    Shape extents = block_;
    std::size_t corner = 0;
    for (std::size_t axis = 0; axis < whole.size(); ++axis) {
      extents[axis] = std::min(block_[axis], whole[axis] - start[axis]);
      corner = corner * static_cast<std::size_t>(whole[axis]) + static_cast<std::size_t>(start[axis]);
      if (whole[axis] == 1) continue;
      const auto first = grid_[axis].begin() + start[axis];
      part[axis].assign(first, first + extents[axis]);
    }
    const Shape shape = extents_of(part);
    Shape parameter_extents(shape.size(), 1);
    for (std::size_t axis : active_) parameter_extents[axis] = shape[axis];
    const std::vector<std::size_t> from = positions(extents, shape), to = positions(extents, whole),
                                   samples = positions(parameter_extents, shape);
    std::vector<double> f(samples.size());
    Matrix at_points(quantiles_ ? std::ssize(samples) : 0, std::ssize(from));
    const auto for_each_point = [&](Expr e, auto use) {
      const Array values = evaluate(pool_, solution_, e, part);
      for (std::size_t i = 0; i < from.size(); ++i) {
        for (std::size_t q = 0; q < f.size(); ++q) f[q] = values.data[from[i] + samples[q]];
        use(corner + to[i]);
      }
    };

    Index next = 0;
    for_each_point(e_, [&](std::size_t point) {
      if (quantiles_) at_points.col(next++) = Eigen::Map<const Vector>(f.data(), std::ssize(f));
      take_moments(f, point);
    });
    if (quantiles_) take_quantiles(quantiles_->quantiles(at_points, result_.probabilities), corner, to);
    for (std::size_t p = 0; p < active_.size(); ++p)
      for_each_point(slopes_[p], [&](std::size_t point) {
        result_.sensitivity.data[row_of(active_[p]) + point] = probability_.mean(f);
      });
  }

  void prepare_quantiles(Shape output, std::span<const double> probabilities) {
    result_.probabilities.assign(probabilities.begin(), probabilities.end());
    output.insert(output.begin(), std::ssize(probabilities));
    result_.quantile = Array(output);
    std::vector<AxisDescription> axes;
    std::vector<Index> n_points;
    for (const std::size_t axis : active_) {
      axes.push_back(all_subdomains(solution_, axis));
      n_points.push_back(std::ssize(grid_[axis]));
    }
    if (std::all_of(axes.begin(), axes.end(), [](const AxisDescription& axis) { return axis.n_subdomains() == 1; }))
      quantiles_.emplace(axes, n_points);
    std::fill(result_.quantile.data.begin(), result_.quantile.data.end(), kNan);
  }

  void take_quantiles(const Matrix& found, std::size_t corner, const std::vector<std::size_t>& to) {
    const std::size_t n_points = result_.mean.data.size();
    for (std::size_t i = 0; i < to.size(); ++i)
      for (Index q = 0; q < found.rows(); ++q)
        result_.quantile.data[static_cast<std::size_t>(q) * n_points + corner + to[i]] =
            active_.empty() ? result_.mean.data[corner + to[i]] : found(q, static_cast<Index>(i));
  }

  void take_moments(std::vector<double>& f, std::size_t point) {
    result_.mean.data[point] = probability_.subtract_mean(f);
    result_.variance.data[point] = probability_.mean_square(f);
    for (std::size_t p = 0; p < active_.size(); ++p) {
      result_.sobol_first.data[row_of(active_[p]) + point] = probability_.explained_variance(f, p);
      result_.sobol_total.data[row_of(active_[p]) + point] = probability_.remaining_variance(f, p);
    }
  }

  // Where the values of a parameter begin in the arrays (parameter, axes...).
  std::size_t row_of(std::size_t axis) const {
    const auto found = std::find(result_.parameters.begin(), result_.parameters.end(), static_cast<int>(axis));
    return static_cast<std::size_t>(found - result_.parameters.begin()) * result_.mean.data.size();
  }

  // Divides by the variance, which is the last step because its round-off is known only from the whole grid.
  void normalise() {
    const std::vector<double>& variance = result_.variance.data;
    double scale = 0.0;
    for (std::size_t i = 0; i < variance.size(); ++i) {
      result_.std.data[i] = std::sqrt(variance[i]);
      const double size = std::hypot(result_.mean.data[i], result_.std.data[i]);
      if (std::isfinite(size)) scale = std::max(scale, size);
    }
    for (int axis : result_.parameters) {
      const std::size_t row = row_of(at(axis));
      const double spread = parameter_std(solution_.axes[axis], solution_.subdomains.front()[at(axis)]);
      for (std::size_t i = 0; i < variance.size(); ++i) {
        const bool defined = result_.std.data[i] > kRoundOff * scale;
        result_.sobol_first.data[row + i] /= defined ? variance[i] : kNan;
        result_.sobol_total.data[row + i] /= defined ? variance[i] : kNan;
        result_.sensitivity_normalised.data[row + i] =
            spread * result_.sensitivity.data[row + i] / (defined ? result_.std.data[i] : kNan);
      }
    }
  }

  Pool& pool_;
  const Solution& solution_;
  Expr e_;
  GridPoints grid_;  // the quadrature points along the active parameters, one point where nothing varies
  std::vector<std::size_t> active_;  // the parameters on which the expression depends
  std::vector<Expr> slopes_;         // its derivatives by them
  ProbabilityGrid probability_{{}};
  std::optional<QuantileSamples> quantiles_;
  Shape block_;  // extents of a block of the grid; 1 along the active parameters
  ParameterStatistics result_;
};

}  // namespace

ParameterStatistics parameter_statistics(Pool& pool, const Solution& solution, Expr e, const GridPoints& points,
                                         std::span<const double> probabilities) {
  const auto is_parameter = [](const Axis& axis) { return axis.kind == AxisKind::parameter; };
  if (std::none_of(solution.axes.begin(), solution.axes.end(), is_parameter))
    throw ShapeError("statistics: the solution has no parameter axis");
  if (points.size() != solution.axes.size() || pool.symbols().axes.size() != solution.axes.size())
    throw ShapeError("statistics: grid, symbols and solution must have the same axes");
  for (std::size_t axis = 0; axis < points.size(); ++axis)
    if (points[axis].empty() && !is_parameter(solution.axes[axis]))
      throw ShapeError("statistics: the axis " + solution.axes[axis].name + " has no points");
  return StatisticsOnGrid(pool, solution, e, points, probabilities).compute();
}

}  // namespace gwrm
