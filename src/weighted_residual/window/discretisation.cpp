#include "weighted_residual/window/discretisation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

#include "core/parallel_loop.hpp"
#include "core/threads.hpp"
#include "expression/tape.hpp"
#include "kernels/transform/fourier_plan.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

int highest_time_order(const Model& model) {
  int order = 0;
  for (const FieldModel& field : model.fields) order = std::max(order, field.time_order);
  return order;
}

// The tape's output, evaluated in parts: points of the first axis that it varies along, each thread taking the next
// few. Every number is computed as it would be in one piece.
Array evaluate_in_threads(const expression::Tape& tape, const std::vector<Array>& leaves,
                          std::span<const Vector> weights) {
  constexpr double kEvaluatedForThreads = 1e5;  // points
  double n_points = 1.0;
  Index n = 1;  // along the first axis with several points
  std::size_t axis = leaves.empty() ? 0 : leaves.front().shape.size();
  for (const Array& leaf : leaves) {
    n_points *= static_cast<double>(leaf.size());
    for (std::size_t a = 0; a < axis; ++a)
      if (leaf.shape[a] > 1) axis = a, n = leaf.shape[a];
  }
  if (n_points < kEvaluatedForThreads || tape.has_integral() || loop_threads() == 1)
    return std::move(tape.evaluate(leaves, weights).front());
  const Index n_parts = std::min<Index>(n, 4 * loop_threads());
  std::vector<Array> parts(static_cast<std::size_t>(n_parts));
  for_each_index_dynamically(n_parts, true, loop_threads(), [&](Index part) {
    const Index begin = part * n / n_parts, end = (part + 1) * n / n_parts;
    std::vector<Array> own = leaves;
    for (Array& leaf : own) {
      if (leaf.shape[axis] == 1) continue;
      leaf.shape[axis] = end - begin;
      leaf.data = std::vector<double>(leaf.data.begin() + begin, leaf.data.begin() + end);
    }
    parts[static_cast<std::size_t>(part)] = std::move(tape.evaluate(own, weights).front());
  });
  Shape shape = parts.front().shape;
  shape[axis] = n;
  Array whole(shape);
  const Index inner = element_count(shape) / n;
  for_each_index(n_parts, true, loop_threads(), [&](Index part) {
    const std::vector<double>& own = parts[static_cast<std::size_t>(part)].data;
    std::copy(own.begin(), own.end(), whole.data.begin() + part * n / n_parts * inner);
  });
  return whole;
}

// Rows of matrices that are still in use: windows of equal subdomains ask for the same ones.
class KnownRows {
 public:
  std::shared_ptr<const Matrix> of(const std::shared_ptr<const Matrix>& whole, const std::vector<Index>& rows) {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= limit_ && !known_.contains(whole)) {
      std::erase_if(known_, [](const auto& entry) { return entry.first.expired(); });
      limit_ = 2 * known_.size() + kFew;
    }
    std::shared_ptr<const Matrix>& part = known_[whole][rows];
    if (part == nullptr) part = std::make_shared<const Matrix>((*whole)(rows, Eigen::all));
    return part;
  }

 private:
  static constexpr std::size_t kFew = 64;

  std::mutex mutex_;
  std::map<std::weak_ptr<const Matrix>, std::map<std::vector<Index>, std::shared_ptr<const Matrix>>, std::owner_less<>>
      known_;
  std::size_t limit_ = kFew;
};

// Data that jump at the end of a window, step(t - end), are there what they are before the jump: the last point, where
// it is the end, is taken a few units of the last digit earlier.
Vector seen_from_inside(Vector times, double start, double end) {
  constexpr double kUnits = 4.0 * std::numeric_limits<double>::epsilon();
  double& last = times(times.size() - 1);
  const double distance = std::min(kUnits * std::max(std::abs(start), std::abs(end)), 1e-3 * (end - start));
  if (last == end) last = end - distance;
  return times;
}

int exact_factors(int polynomial_degree) {
  return polynomial_degree >= expression::kNonPolynomial ? 3 : std::max(polynomial_degree, 2);
}

// In the middle between those for one factor and for products of two: modes of J's coefficients up to half the degree,
// the large ones, fold nothing back.
Index fewer_points(const AxisBasis& basis) {
  const Index least = basis.n_points(1), n = least + (basis.n_points(2) - least + 1) / 2;
  const bool fast = basis.description().basis == kFourier && FourierSeries::is_faster_than_matrix(basis.degree());
  return fast ? smooth_length(n) : n;
}

}  // namespace

int polynomial_degree(const Model& model) {
  int degree = 2;
  for (const EquationModel& equation : model.equations) degree = std::max(degree, equation.residual->facts.degree);
  for (const ConditionModel& condition : model.conditions) degree = std::max(degree, condition.residual->facts.degree);
  return degree;
}

Index padded_points(const AxisBasis& basis, int polynomial_degree) {
  return basis.n_points(exact_factors(polynomial_degree));
}

Discretisation::Discretisation(const Model& model, const std::vector<AxisDescription>& subdomains,
                               const std::vector<double>& parameter_values, double start, double end, Points points) {
  const int polynomial = polynomial_degree(model);
  for (int i = 0; i < static_cast<int>(model.axes.size()); ++i) {
    AxisDescription description = subdomains[i];
    AxisPoints axis{model.axes[i].kind, model.is_modal(i), nullptr, 1, 1, {}};
    if (axis.kind == AxisKind::time) description.edges = {start, end};
    axis.basis = make_basis(description);
    axis.points_per_subdomain = padded_points(*axis.basis, polynomial);
    Vector weights;
    if (axis.kind == AxisKind::time) {
      time_.emplace(model.weighting, description.degree, axis.points_per_subdomain, highest_time_order(model), start,
                    end, model.window_lengths.of(start, end));
      axis.n_unknowns = time_->n_unknowns();
      axis.points = seen_from_inside(time_->points(), start, end);
      weights = time_->weights();
    } else if (axis.modal) {
      if (points == Points::fewer) axis.points_per_subdomain = fewer_points(*axis.basis);
      AxisGrid grid = axis.basis->grid(axis.points_per_subdomain);
      axis.n_unknowns = axis.basis->n_coefficients();
      axis.points = std::move(grid.points);
      weights = std::move(grid.weights);
    } else {
      axis.points = Vector::Constant(1, parameter_values[i]);
      weights = Vector::Ones(1);
    }
    axes_.push_back(std::move(axis));
    weights_.push_back(std::move(weights));
  }
}

Discretisation Discretisation::on_fewer_points(const Model& model) const {
  std::vector<double> parameter_values;
  for (const AxisPoints& axis : axes_) parameter_values.push_back(axis.points(0));  // read where it is the only one
  return {model,        subdomains(), parameter_values, time_ ? time_->start() : 0.0, time_ ? time_->end() : 1.0,
          Points::fewer};
}

std::vector<AxisDescription> Discretisation::subdomains() const {
  std::vector<AxisDescription> all;
  for (const AxisPoints& axis : axes_) all.push_back(axis.basis->description());
  return all;
}

BlockMatrix Discretisation::test(int axis) const {
  std::vector<Index> all(static_cast<std::size_t>(n_unknowns(axis)));
  std::iota(all.begin(), all.end(), 0);
  return test(axis, all);
}

BlockMatrix Discretisation::test(int axis, const std::vector<Index>& modes) const {
  const AxisPoints& a = axes_[axis];
  const Index n_modes = static_cast<Index>(modes.size());
  if (a.kind == AxisKind::time) {
    if (time_->nodal() && n_modes == a.n_unknowns) return BlockMatrix::unit(n_modes);
    return Matrix(time_->test()(modes, Eigen::all));
  }
  if (!a.modal) return Matrix(Matrix::Ones(1, 1));

  static KnownRows known_rows;
  const BlockMatrix all = a.basis->analysis(a.points_per_subdomain);
  const Index per_subdomain = a.basis->n_per_subdomain();
  BlockMatrix result(n_modes, all.cols);
  std::vector<Index> last_rows;  // subdomains with equal rows share them
  std::shared_ptr<const Matrix> last_whole, last;
  for (std::size_t i = 0; i < modes.size();) {
    const Index subdomain = modes[i] / per_subdomain, first = static_cast<Index>(i);
    std::vector<Index> rows;
    for (; i < modes.size() && modes[i] / per_subdomain == subdomain; ++i) rows.push_back(modes[i] % per_subdomain);
    const MatrixBlock& whole = all.blocks[static_cast<std::size_t>(subdomain)];
    if (whole.matrix != last_whole || rows != last_rows) {
      last = static_cast<Index>(rows.size()) == per_subdomain ? whole.matrix : known_rows.of(whole.matrix, rows);
      last_whole = whole.matrix;
      last_rows = std::move(rows);
    }
    result.blocks.push_back({first, whole.column, last, whole.factor});
    if (last == whole.matrix) result.blocks.back().series = whole.series;
  }
  return result;
}

BlockMatrix Discretisation::trial(int axis, const expression::Atom& atom, const FieldModel& field) const {
  const AxisPoints& a = axes_[axis];
  if (!field.depends_on(axis) || !a.modal) return Matrix(Matrix::Ones(1, 1));
  const int order = atom.orders[axis];
  if (atom.restricted[axis]) return a.basis->at(std::span(&atom.points[axis], 1), order);
  return a.basis->synthesis(a.points_per_subdomain, order);
}

BlockMatrix Discretisation::time_trial(const expression::Atom& atom, const FieldModel& field) const {
  for (int axis = 0; axis < static_cast<int>(axes_.size()); ++axis) {
    if (axes_[axis].kind != AxisKind::time || !field.depends_on(axis)) continue;
    const int integrals = field.time_order - atom.orders[axis];
    if (atom.restricted[axis]) return Matrix(time_->row_at(atom.points[axis], integrals));
    if (time_->nodal() && integrals == 0) return BlockMatrix::unit(time_->n_unknowns());
    return time_->values(integrals);
  }
  return Matrix(Matrix::Ones(1, 1));
}

Matrix Discretisation::state_trial(const expression::Atom& atom, int m) const {
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (axes_[axis].kind != AxisKind::time) continue;
    const int integrals = m - atom.orders[axis];
    if (atom.restricted[axis]) return Matrix::Constant(1, 1, time_->state_at(atom.points[axis], integrals));
    return time_->state_values(integrals);
  }
  throw ShapeError("a state without time");
}

Array Discretisation::data_at_points(const expression::Pool& pool, expression::Expr e) const {
  return data_at_points(pool, e, {});
}

Array Discretisation::data_at_points(const expression::Pool& pool, expression::Expr e,
                                     std::span<const OnePoint> at) const {
  const std::array<expression::Expr, 1> outputs{e};
  const expression::Tape tape(pool, outputs);
  std::vector<Array> leaves;
  for (expression::Expr leaf : tape.leaves()) {
    const int axis = pool.symbols().find_axis(leaf->name);
    const auto alone = std::find_if(at.begin(), at.end(), [&](const OnePoint& one) { return one.axis == axis; });
    Shape shape(axes_.size(), 1);
    if (alone == at.end()) shape[axis] = n_points(axis);
    Array values(shape);
    std::copy_n(points(axis).begin() + (alone == at.end() ? 0 : alone->point), shape[axis], values.data.begin());
    leaves.push_back(std::move(values));
  }
  return evaluate_in_threads(tape, leaves, weights());
}

Array Discretisation::project(const Context& context, const expression::Pool& pool, expression::Expr e,
                              const FieldModel& field, bool with_time) const {
  Array values = data_at_points(pool, e);
  for (int axis = 0; axis < static_cast<int>(axes_.size()); ++axis) {
    if (!field.depends_on(axis) || (!with_time && axes_[axis].kind == AxisKind::time)) continue;
    const BlockMatrix matrix = test(axis);
    // Data that do not vary along the axis: the test of a constant.
    values = block_transform(context, values, at(axis),
                             values.shape[axis] == 1 && matrix.cols > 1 ? BlockMatrix(matrix.row_sums()) : matrix);
  }
  return values;
}

}  // namespace gwrm
