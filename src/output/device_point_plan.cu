#include "output/device_point_plan.cuh"

#include <algorithm>
#include <set>

#include "basis/axis_map.hpp"
#include "basis/chebyshev_series.hpp"
#include "core/errors.hpp"

namespace gwrm::cuda {

using expression::Atom;
using expression::Expr;
using expression::Op;
using expression::PointStep;

namespace {

constexpr unsigned kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    add_product_kernel(double weight, const double* part, long long n, double* values) {
  const long long i = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (i < n) values[i] += weight * part[i];
}

// One subdomain after the other along dimension d: b = D a.
void differentiate(const AxisBasis& basis, std::size_t d, int order, Array& a) {
  const Index n = basis.n_per_subdomain();
  Index inner = 1, outer = 1;
  for (std::size_t k = 0; k < a.shape.size(); ++k) (k < d ? outer : inner) *= k == d ? 1 : a.shape[k];
  std::vector<double> rows(static_cast<std::size_t>(n * inner));
  for (Index s = 0; s < a.shape[d] / n; ++s) {
    const Matrix D = chebyshev_series(basis)->derivative_of_series(s, order);
    for (Index o = 0; o < outer; ++o) {
      double* const from = a.data.data() + (o * a.shape[d] + s * n) * inner;
      std::fill(rows.begin(), rows.end(), 0.0);
      for (Index j = 0; j < n; ++j)
        for (Index k = 0; k < n; ++k) {
          const double factor = D(j, k);
          if (factor == 0.0) continue;
          for (Index i = 0; i < inner; ++i)
            rows[static_cast<std::size_t>(j * inner + i)] += factor * from[k * inner + i];
        }
      std::copy(rows.begin(), rows.end(), from);
    }
  }
}

// What doubles of the pool are taken for: arrays of other types, from the host.
template <class T>
T* send(const Context& context, DeviceArray& array, DevicePool& memory, const std::vector<T>& values) {
  array = memory.take((values.size() * sizeof(T) + sizeof(double) - 1) / sizeof(double));
  T* const target = reinterpret_cast<T*>(array.data());
  context.device()->upload(target, values.data(), values.size());
  return target;
}

}  // namespace

void add_product(const Context& context, double weight, const double* part, Index n, double* values) {
  if (n == 0) return;
  add_product_kernel<<<static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0, context.device()->stream>>>(
      weight, part, n, values);
  GWRM_LAUNCHED(add_product_kernel);
}

DevicePointPlan::DevicePointPlan(const Context& context, const expression::Pool& pool, const Solution& solution,
                                 const WindowBases& bases, std::span<const Expr> es, DevicePool& memory)
    : context_(context),
      solution_(solution),
      bases_(bases),
      memory_(memory),
      time_(solution.windowed_axis()),
      pool_(&pool) {
  WithoutIntegrals parts = without_integrals(pool, es);
  for (Expr node : parts.integrals) {
    Integral integral;
    integral.axis = at(pool.symbols().find_axis(node->name));
    if (static_cast<int>(integral.axis) != time_)
      integral.windows = integrand_windows(solution, pool, node->args[0], integral.axis);
    integral.integrand = std::make_unique<DevicePointPlan>(context, pool, solution, bases,
                                                           std::span<const Expr>(node->args.data(), 1), memory);
    integrals_.push_back(std::move(integral));
  }
  if (parts.pool) {
    own_pool_ = std::move(parts.pool);
    pool_ = own_pool_.get();
  }
  tape_ = std::make_unique<expression::Tape>(*pool_, parts.around);
  const std::size_t n_unknowns = pool_->symbols().fields.size() - integrals_.size();
  for (Expr leaf : tape_->leaves()) leaves_.push_back(leaf_of(leaf, n_unknowns));
  std::set<int> known;
  for (int output = 0; output < tape_->n_outputs(); ++output) {
    const expression::Tape::Steps own = tape_->steps(output);
    for (const PointStep& step : own.steps)
      if (known.insert(step.slot).second) steps_.push_back(step);
    values_.push_back(own.value);
  }
  zero_ = memory_.take(1);
  GWRM_DEVICE(cudaMemsetAsync(zero_.data(), 0, sizeof(double), context_.device()->stream));
}

DevicePointPlan::Leaf DevicePointPlan::leaf_of(Expr leaf, std::size_t n_unknowns) {
  Leaf result;
  if (leaf->op == Op::coordinate) {
    result.coordinate = pool_->symbols().find_axis(leaf->name);
    return result;
  }
  result.atom = expression::atom_of(*pool_, leaf);
  if (result.atom.direction) throw ShapeError("evaluate: the direction of a Frechet derivative has no values");
  if (at(result.atom.field) >= n_unknowns) {
    result.integral = static_cast<int>(at(result.atom.field) - n_unknowns);
    return result;
  }
  const std::string& name = pool_->symbols().fields[at(result.atom.field)].name;
  const FieldSolution* field = solution_.find_field(name);
  if (field == nullptr) throw ShapeError("evaluate: the solution has no field " + name);
  if (field->windows.size() != 1 && field->windows.size() != solution_.n_windows())
    throw ShapeError("evaluate: " + name + " needs one array per time window");
  // Derivatives along axes on which the field does not depend are zero.
  for (std::size_t axis = 0; axis < result.atom.orders.size(); ++axis)
    if (result.atom.orders[axis] > 0 &&
        std::find(field->axes.begin(), field->axes.end(), static_cast<int>(axis)) == field->axes.end())
      return result;
  result.field = field;
  std::vector<int> orders;
  for (int axis : field->axes) orders.push_back(result.atom.orders[at(axis)]);
  result.coefficients = coefficients_of(*field, orders);
  return result;
}

int DevicePointPlan::coefficients_of(const FieldSolution& field, const std::vector<int>& orders) {
  for (std::size_t i = 0; i < coefficients_.size(); ++i)
    if (coefficients_[i].field == &field && coefficients_[i].orders == orders) return static_cast<int>(i);
  Coefficients own{&field, orders, {}, {}};
  std::vector<double> all;
  for (std::size_t w = 0; w < field.windows.size(); ++w) {
    Array window = field.windows[w];
    for (std::size_t d = 0; d < field.axes.size(); ++d) {
      const AxisBasis& basis = bases_.get(w, at(field.axes[d]));
      if (d >= window.shape.size() || basis.n_coefficients() != window.shape[d])
        throw ShapeError("evaluate: the coefficients of " + field.name + " do not have the degrees of the axes");
      if (orders[d] > 0) differentiate(basis, d, orders[d], window);
    }
    own.starts.push_back(all.size());
    all.insert(all.end(), window.data.begin(), window.data.end());
  }
  send(context_, own.data, memory_, all);
  coefficients_.push_back(std::move(own));
  return static_cast<int>(coefficients_.size()) - 1;
}

bool DevicePointPlan::looks_at_other_windows() const {
  if (time_ < 0) return false;
  for (const Integral& integral : integrals_)
    if (static_cast<int>(integral.axis) == time_ || integral.integrand->looks_at_other_windows()) return true;
  return std::any_of(leaves_.begin(), leaves_.end(), [&](const Leaf& leaf) {
    return leaf.field != nullptr && (leaf.field->windows.size() == 1 || leaf.atom.restricted[at(time_)]);
  });
}

void DevicePointPlan::evaluate(const DevicePoints& points, std::size_t begin, std::size_t end,
                               const std::vector<double*>& outputs) const {
  if (begin == end) return;
  const Index first = points.blocks[begin].first,
              n = points.blocks[end - 1].first + points.blocks[end - 1].count - first;
  std::vector<DeviceArray> known(integrals_.size()), series(leaves_.size());
  const auto values_of = [&](DeviceArray& array) {  // at points `first` and on, counted as all are
    array = memory_.take(static_cast<std::size_t>(n));
    return array.data() - first;
  };
  for (std::size_t i = 0; i < integrals_.size(); ++i) integrate(integrals_[i], points, begin, end, values_of(known[i]));
  std::vector<PointProgram::Input> inputs;
  std::map<int, int> input_of;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    PointProgram::Input input{zero_.data(), {0}};
    if (leaf.coordinate >= 0) {
      const DevicePoints::Axis& axis = points.axes[at(leaf.coordinate)];
      input = {axis.data + (axis.fixed ? 0 : first), {axis.fixed ? 0u : 1u}};
    } else if (leaf.integral >= 0) {
      input = {known[at(leaf.integral)].data(), {1}};
    } else if (leaf.field != nullptr) {
      sum(leaf, points, begin, end, values_of(series[i]));
      input = {series[i].data(), {1}};
    }
    input_of[static_cast<int>(i)] = static_cast<int>(inputs.size());
    inputs.push_back(input);
  }
  std::vector<double*> targets;
  for (double* output : outputs) targets.push_back(output + first);
  PointProgram(*context_.device(), {n}, inputs, targets, point_instructions(steps_, input_of, values_))
      .run(*context_.device());
}

std::size_t DevicePointPlan::window_of(const Leaf& leaf, const DevicePoints& points,
                                       const DevicePoints::Piece& piece) const {
  if (leaf.field->windows.size() == 1) return 0;
  if (time_ >= 0 && leaf.atom.restricted[at(time_)]) return solution_.window_of(leaf.atom.points[at(time_)]);
  return points.window.value_or(piece.window);
}

void DevicePointPlan::sum(const Leaf& leaf, const DevicePoints& points, std::size_t begin, std::size_t end,
                          double* values) const {
  const FieldSolution& field = *leaf.field;
  const std::size_t n_axes = field.axes.size();
  const Coefficients& coefficients = coefficients_[at(leaf.coefficients)];
  // Where restricted coordinates are.
  DeviceArray held;
  const double* const restricted =
      send(context_, held, memory_, leaf.atom.points.empty() ? std::vector<double>{0.0} : leaf.atom.points);
  const int first_piece = points.blocks[begin].piece, n_pieces = points.blocks[end - 1].piece + 1 - first_piece;
  std::vector<long long> starts;
  std::vector<ScatteredInterval> intervals;
  std::vector<std::size_t> windows;
  for (int p = first_piece; p < first_piece + n_pieces; ++p) {
    const DevicePoints::Piece& piece = points.pieces[at(p)];
    const std::size_t window = window_of(leaf, points, piece);
    windows.push_back(window);
    Index start = static_cast<Index>(coefficients.starts[window]), stride = 1;
    std::vector<ScatteredInterval> own(n_axes);
    for (std::size_t d = n_axes; d-- > 0;) {
      const std::size_t axis = at(field.axes[d]);
      const AxisBasis& basis = bases_.get(window, axis);
      const AxisDescription& description = basis.description();
      const double z = leaf.atom.restricted[axis] ? leaf.atom.points[axis]
                                                  : points.axes[axis].moved.value_or(piece.coordinates[axis]);
      const Index subdomain = description.subdomain_of(z);
      const double lower = description.edges[static_cast<std::size_t>(subdomain)],
                   upper = description.edges[static_cast<std::size_t>(subdomain) + 1];
      own[d] = {lower, upper, static_cast<double>(1.0L / AxisMap(lower, upper, description.map).half_length())};
      start += subdomain * basis.n_per_subdomain() * stride;
      stride *= basis.n_coefficients();
    }
    starts.push_back(start);
    intervals.insert(intervals.end(), own.begin(), own.end());
  }
  DeviceArray starts_held, intervals_held;
  ScatteredSeries series;
  series.n_axes = static_cast<int>(n_axes);
  series.coefficients = coefficients.data.data();
  series.starts = send(context_, starts_held, memory_, starts) - first_piece;
  series.intervals = send(context_, intervals_held, memory_, intervals) - first_piece * static_cast<Index>(n_axes);

  // Blocks whose windows have the same degrees at once.
  const auto shape_of = [&](std::size_t window) {
    long long stride = 1;
    for (std::size_t d = n_axes; d-- > 0;) {
      const std::size_t axis = at(field.axes[d]);
      const AxisBasis& basis = bases_.get(window, axis);
      const DevicePoints::Axis& own = points.axes[axis];
      const bool is_restricted = leaf.atom.restricted[axis];
      series.axes[d] = {static_cast<int>(basis.n_per_subdomain()),    stride,
                        is_restricted ? restricted + axis : own.data, is_restricted || own.fixed,
                        basis.description().map == MapKind::log,      leaf.atom.orders[axis]};
      if (!series.axes[d].logarithmic) series.axes[d].order = 0;
      stride *= basis.n_coefficients();
    }
  };
  const auto same_shape = [&](std::size_t a, std::size_t b) {
    return a == b || std::all_of(field.axes.begin(), field.axes.end(), [&](int axis) {
             const AxisBasis &x = bases_.get(a, at(axis)), &y = bases_.get(b, at(axis));
             return x.n_per_subdomain() == y.n_per_subdomain() && x.n_coefficients() == y.n_coefficients();
           });
  };
  const auto window_at = [&](std::size_t block) { return windows[at(points.blocks[block].piece - first_piece)]; };
  for (std::size_t from = begin; from < end;) {
    std::size_t to = from + 1;
    while (to < end && same_shape(window_at(from), window_at(to))) ++to;
    shape_of(window_at(from));
    scattered_sum(context_, series, points.blocks_on_device + from, static_cast<Index>(to - from), values);
    from = to;
  }
}

// One node of the quadrature after the other for all points.
void DevicePointPlan::integrate(const Integral& integral, const DevicePoints& points, std::size_t begin,
                                std::size_t end, double* values) const {
  const auto range = [&](std::size_t from, std::size_t to) {
    const Index first = points.blocks[from].first;
    return std::pair{first, points.blocks[to - 1].first + points.blocks[to - 1].count - first};
  };
  const auto [first_of_all, n_of_all] = range(begin, end);
  GWRM_DEVICE(cudaMemsetAsync(values + first_of_all, 0, sizeof(double) * static_cast<std::size_t>(n_of_all),
                              context_.device()->stream));
  DeviceArray part = memory_.take(static_cast<std::size_t>(n_of_all));
  DevicePoints moved = points;
  const auto add = [&](const Quadrature& rule, std::size_t from, std::size_t to) {
    DeviceArray nodes;
    const double* const on_device = send(context_, nodes, memory_, rule.points);
    const auto [first, n] = range(from, to);
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      moved.axes[integral.axis] = {on_device + i, true, rule.points[i]};
      integral.integrand->evaluate(moved, from, to, {part.data() - first_of_all});
      add_product(context_, rule.weights[static_cast<Index>(i)], part.data() + (first - first_of_all), n, values + first);
    }
  };
  if (static_cast<int>(integral.axis) == time_) {
    for (std::size_t w = 0; w < solution_.n_windows(); ++w) {
      moved.window = w;
      add(quadrature(solution_.subdomains[w][integral.axis]), begin, end);
    }
    return;
  }
  // The rule is that of the windows which the integrand looks at.
  const auto windows_at = [&](std::size_t block) {
    return integral.windows.with(points.window.value_or(points.pieces[at(points.blocks[block].piece)].window));
  };
  for (std::size_t from = begin; from < end;) {
    const std::set<std::size_t> windows = windows_at(from);
    std::size_t to = from + 1;
    while (to < end && windows_at(to) == windows) ++to;
    add(quadrature_over(solution_, integral.axis, windows, integral.windows.repeats), from, to);
    from = to;
  }
}

}  // namespace gwrm::cuda
