#include "output/transformed_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>

#include "basis/complex_modes.hpp"
#include "basis/fast_rows.hpp"
#include "core/thread_errors.hpp"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// Nanoseconds of one thread of a Xeon with AVX-512, beside other programs: what matters are their ratios.
constexpr double kOfCoefficient = 0.15;                              // summed at a point
constexpr double kOfFunction = 1.3;                                  // tabulated at a point
constexpr double kOfSorting = 30.0;                                  // a point into the tiles of the grid
constexpr std::array<double, 4> kOfPoint{0.0, 40.0, 120.0, 2600.0};  // interpolated, in one to three dimensions
constexpr double kOfFinePoint = 14.0;                                // of the grid that is transformed
constexpr double kOfPlan = 4e6, kOfMode = 3e4;                       // for each dimension of a plan, made once

// Along one axis of a field.
struct Along {
  const AxisBasis* basis;
  std::size_t axis;
  int order;
  Index subdomain;
  Index n;  // coefficients of the subdomain
  enum Kind { fixed, tabulated, transformed } kind;
  double at = 0.0;  // fixed: where
};

}  // namespace

// The points' coordinates.
struct TransformedSeries::Coordinates {
  std::span<const std::size_t> points;
  std::size_t window;
  std::vector<std::vector<double>> axes;  // of a single one: it is the same for all points
};

struct TransformedSeries::Leaf {
  std::size_t leaf;
  const Array* coefficients;
  std::vector<Along> axes;
  bool serves = true;

  Index count(Along::Kind kind) const {
    Index n = 1;
    for (const Along& along : axes)
      if (along.kind == kind) n *= along.n;
    return n;
  }
  std::vector<const Along*> those(Along::Kind kind) const {
    std::vector<const Along*> result;
    for (const Along& along : axes)
      if (along.kind == kind) result.push_back(&along);
    return result;
  }
  // The same transform serves leaves for which this is the same.
  std::vector<std::pair<std::size_t, Index>> key() const {
    std::vector<std::pair<std::size_t, Index>> result;
    for (const Along* along : those(Along::transformed)) result.emplace_back(along->axis, along->n);
    return result;
  }
};

struct TransformedSeries::Group {
  std::vector<Leaf> leaves;

  std::vector<Index> modes() const {
    std::vector<Index> result;
    for (const auto& [axis, n] : leaves.front().key()) result.push_back(n);
    return result;
  }
  Index n_sums() const {
    Index sum = 0;
    for (const Leaf& leaf : leaves) sum += leaf.count(Along::tabulated);
    return sum;
  }
  // Of the grid twice as fine, about.
  double n_fine() const {
    double n = 1.0;
    for (Index modes : this->modes()) n *= 2.0 * static_cast<double>(std::max<Index>(modes, 16));
    return n;
  }
  bool pays(std::size_t n_points, bool has_plan) const {
    const auto n = static_cast<double>(n_points);
    double summed = 0.0;
    for (const Leaf& leaf : leaves) {
      double coefficients = 1.0;  // of one cell
      for (const Along& along : leaf.axes) coefficients *= static_cast<double>(along.n);
      summed += n * coefficients * kOfCoefficient;
    }
    for (Index m : modes()) summed += n * static_cast<double>(m) * kOfFunction;
    const double transforms = 0.5 * static_cast<double>(n_sums() + 1);
    double once = 0.0;
    for (Index m : modes()) once += has_plan ? 0.0 : kOfPlan + kOfMode * static_cast<double>(m);
    return once + n * kOfSorting + transforms * (n * kOfPoint[modes().size()] + n_fine() * kOfFinePoint) < summed;
  }
};

TransformedSeries::TransformedSeries(const Solution& solution, const WindowBases& bases, const PointPlan& plan,
                                     const ScatteredPoints& points, const PointCells& cells, ScatteredMethod method)
    : solution_(solution), bases_(bases), points_(points), cells_(cells), method_(method), n_leaves_(plan.n_leaves()) {
  if (method == ScatteredMethod::sums) return;
  for (PointPlan::SeriesLeaf& leaf : plan.series()) {
    const bool is_periodic = std::any_of(leaf.field->axes.begin(), leaf.field->axes.end(), [&](int axis) {
      return complex_modes(bases.get(0, at(axis))) != nullptr && points.axes[at(axis)].size() > 1;
    });
    if (is_periodic) leaves_.push_back(std::move(leaf));
  }
}

TransformedSeries::Leaf TransformedSeries::place(const PointPlan::SeriesLeaf& leaf, std::size_t window,
                                                 const Coordinates& coordinates) const {
  const int time = solution_.windowed_axis();
  const expression::Atom& atom = leaf.atom;
  const std::size_t own = leaf.field->windows.size() == 1          ? 0
                          : time >= 0 && atom.restricted[at(time)] ? solution_.window_of(atom.points[at(time)])
                                                                   : window;
  Leaf result{leaf.leaf, &leaf.field->windows[own], {}};
  Index stored = 1;
  for (int a : leaf.field->axes) {
    const std::size_t axis = at(a);
    const AxisBasis& basis = bases_.get(own, axis);
    Along along{&basis, axis, atom.orders[axis], 0, basis.n_per_subdomain(), Along::fixed};
    stored *= basis.n_coefficients();
    const std::vector<double>& numbers = coordinates.axes[axis];
    if (atom.restricted[axis] || numbers.size() == 1) {
      along.at = atom.restricted[axis] ? atom.points[axis] : numbers[0];
      along.subdomain = basis.description().subdomain_of(along.at);
    } else {
      along.kind = complex_modes(basis) != nullptr ? Along::transformed : Along::tabulated;
      if (own == window)
        along.subdomain = basis.description().subdomain_of(numbers[0]);  // the cell's
      else
        result.serves = result.serves && basis.n_subdomains() == 1;
    }
    result.axes.push_back(along);
  }
  const std::size_t n_transformed = result.those(Along::transformed).size();
  result.serves = result.serves && n_transformed >= 1 && n_transformed <= 3 && stored == result.coefficients->size() &&
                  result.axes.size() == result.coefficients->shape.size();
  return result;
}

namespace {

// sums[k][n] = sum of the coefficients over the axes that are the same for all points, k over the axes tabulated, n
// over those transformed; each in the order of the field's axes.
std::vector<double> sums_over_fixed(const Array& coefficients, const std::vector<Along>& axes, Index n_tabulated,
                                    Index n_transformed) {
  const std::size_t d = axes.size();
  std::vector<std::vector<double>> functions(d);
  std::vector<Index> stride(d), to(d, 0);
  Index from = 1, in_tabulated = n_transformed, in_transformed = 1, first = 0;
  for (std::size_t a = d; a-- > 0;) {
    const Along& along = axes[a];
    stride[a] = from;
    first += along.subdomain * along.n * from;
    from *= coefficients.shape[a];
    if (along.kind == Along::fixed) {
      functions[a].resize(static_cast<std::size_t>(along.n));
      fast_rows(*along.basis, along.subdomain, std::span(&along.at, 1), along.order, 1, functions[a].data());
    } else {
      Index& next = along.kind == Along::tabulated ? in_tabulated : in_transformed;
      to[a] = next;
      next *= along.n;
    }
  }
  std::vector<double> sums(static_cast<std::size_t>(n_tabulated * n_transformed), 0.0);
  const auto add = [&](const auto& self, std::size_t a, Index source, Index target, double factor) -> void {
    if (a == d) {
      sums[static_cast<std::size_t>(target)] += factor * coefficients.data[static_cast<std::size_t>(source)];
      return;
    }
    for (Index k = 0; k < axes[a].n; ++k)
      self(self, a + 1, source + k * stride[a], target + k * to[a],
           functions[a].empty() ? factor : factor * functions[a][static_cast<std::size_t>(k)]);
  };
  add(add, 0, first, 0, 1.0);
  return sums;
}

// F of a real tensor of coefficients, one axis after the other; `other` is scratch space of the same size.
void modes_of(std::span<const double> sums, const std::vector<const Along*>& axes, std::vector<Complex>& F,
              std::vector<Complex>& other) {
  std::copy(sums.begin(), sums.end(), F.begin());
  Index inner = 1;
  for (std::size_t a = axes.size(); a-- > 0;) {
    const ComplexModes& modes = *complex_modes(*axes[a]->basis);
    const Index length = axes[a]->n * inner, outer = static_cast<Index>(sums.size()) / length;
    for (Index o = 0; o < outer; ++o)
      for (Index i = 0; i < inner; ++i)
        modes.to_modes(F.data() + o * length + i, inner, axes[a]->order, other.data() + o * length + i);
    std::swap(F, other);
    inner = length;
  }
}

// Functions of the axes tabulated at all points, one after another: [k * n_points + p].
std::vector<std::vector<double>> tables_of(const std::vector<const Along*>& axes,
                                           const std::vector<std::vector<double>>& coordinates, std::size_t n_points,
                                           int n_threads) {
  constexpr std::size_t kRun = 4096;
  std::vector<std::vector<double>> tables;
  ThreadErrors errors;
  for (const Along* along : axes) {
    tables.emplace_back(static_cast<std::size_t>(along->n) * n_points);
    double* const table = tables.back().data();
    const std::span<const double> numbers = coordinates[along->axis];
#pragma omp parallel for schedule(static) num_threads(n_threads)
    for (std::size_t first = 0; first < n_points; first += kRun)
      errors.run([&] {
        fast_rows(*along->basis, along->subdomain, numbers.subspan(first, std::min(kRun, n_points - first)),
                  along->order, static_cast<Index>(n_points), table + first);
      });
  }
  errors.rethrow();
  return tables;
}

// values[p] += f_k(p) 2^exponent Re or Im part[p], k the number of a product of the tables' functions.
void add_products(const std::vector<const Along*>& axes, const std::vector<std::vector<double>>& tables, Index k,
                  int exponent, bool imaginary, const std::vector<Complex>& part, std::vector<double>& values,
                  int n_threads) {
  const std::size_t n = part.size();
  std::vector<const double*> rows(axes.size());
  for (std::size_t a = axes.size(); a-- > 0; k /= axes[a]->n)
    rows[a] = tables[a].data() + static_cast<std::size_t>(k % axes[a]->n) * n;
  const double factor = std::ldexp(1.0, exponent);
  const double* const numbers = reinterpret_cast<const double*>(part.data()) + (imaginary ? 1 : 0);
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (std::size_t p = 0; p < n; ++p) {
    double product = factor * numbers[2 * p];
    for (const double* row : rows) product *= row[p];
    values[p] += product;
  }
}

}  // namespace

void TransformedSeries::transform(const Group& group, const Coordinates& coordinates, int n_threads,
                                  std::vector<std::vector<double>>& values) {
  const std::size_t n_points = coordinates.points.size();
  const std::vector<Index> modes = group.modes();
  std::unique_ptr<NonuniformPlan>& known = plans_[modes];
  if (known == nullptr) known = std::make_unique<NonuniformPlan>(modes, kTolerance);
  NonuniformPlan& plan = *known;
  {
    constexpr std::size_t kRun = 4096;
    std::vector<std::vector<double>> angles;
    for (const Along* along : group.leaves.front().those(Along::transformed)) {
      const ComplexModes& of_axis = *complex_modes(*along->basis);
      std::vector<double>& own = angles.emplace_back(coordinates.axes[along->axis]);
#pragma omp parallel for schedule(static) num_threads(n_threads)
      for (std::size_t first = 0; first < n_points; first += kRun) {
        const auto run = std::span(own).subspan(first, std::min(kRun, n_points - first));
        of_axis.angles(run, run.data());
      }
    }
    const std::vector<std::span<const double>> lists(angles.begin(), angles.end());
    plan.set_points(lists, n_threads);
  }
  const std::size_t workspace_size = cpu::nonuniform_workspace(plan, n_threads);
  if (workspace_size > kMostWorkspace / sizeof(Complex) && method_ != ScatteredMethod::transforms) return;

  const auto n_modes =
      static_cast<std::size_t>(std::accumulate(modes.begin(), modes.end(), Index{1}, std::multiplies<>()));
  std::vector<Complex> workspace(workspace_size), part(n_points), pair(n_modes), F(n_modes), other(n_modes);
  struct Sum {
    const Leaf* leaf;
    const std::vector<std::vector<double>>* tables;
    Index k;
    int exponent;
  };
  std::vector<Sum> waiting;  // in `pair`, not yet transformed
  const auto finish = [&] {
    cpu::nonuniform_type2(plan, 1, pair.data(), part.data(), workspace.data(), n_threads);
    for (std::size_t i = 0; i < waiting.size(); ++i)
      add_products(waiting[i].leaf->those(Along::tabulated), *waiting[i].tables, waiting[i].k, waiting[i].exponent,
                   i == 1, part, values[waiting[i].leaf->leaf], n_threads);
    waiting.clear();
  };
  std::vector<std::unique_ptr<std::vector<std::vector<double>>>> all_tables;
  for (const Leaf& leaf : group.leaves) {
    const Index n_tabulated = leaf.count(Along::tabulated);
    const std::vector<double> sums =
        sums_over_fixed(*leaf.coefficients, leaf.axes, n_tabulated, static_cast<Index>(n_modes));
    // One that is no number would spread to the other half of its pair.
    if (!std::all_of(sums.begin(), sums.end(), [](double a) { return std::isfinite(a); })) continue;
    values[leaf.leaf].assign(n_points, 0.0);
    if (waiting.empty()) all_tables.clear();
    all_tables.push_back(std::make_unique<std::vector<std::vector<double>>>(
        tables_of(leaf.those(Along::tabulated), coordinates.axes, n_points, n_threads)));
    for (Index k = 0; k < n_tabulated; ++k) {
      modes_of(std::span(sums).subspan(static_cast<std::size_t>(k) * n_modes, n_modes), leaf.those(Along::transformed),
               F, other);
      // Of size 1 each, exactly: the error of a pair is one of its larger half.
      double largest = 0.0;
      for (const Complex& f : F) largest = std::max({largest, std::abs(f.real()), std::abs(f.imag())});
      const int exponent = largest > 0.0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
      const Complex factor = waiting.empty() ? 1.0 : Complex(0.0, 1.0);
      for (std::size_t n = 0; n < n_modes; ++n) {
        const Complex part_of_pair =
            factor * Complex(std::ldexp(F[n].real(), -exponent), std::ldexp(F[n].imag(), -exponent));
        pair[n] = waiting.empty() ? part_of_pair : pair[n] + part_of_pair;
      }
      waiting.push_back({&leaf, all_tables.back().get(), k, exponent});
      if (waiting.size() == 2) finish();
    }
  }
  if (!waiting.empty()) finish();
}

std::vector<std::vector<double>> TransformedSeries::values(std::span<const std::size_t> points, int n_threads) {
  Coordinates coordinates{points, cells_.window_of(points[0]), {}};
  coordinates.axes.resize(solution_.axes.size());
  for (std::size_t axis = 0; axis < solution_.axes.size(); ++axis) {
    std::vector<double>& own = coordinates.axes[axis];
    if (points_.axes[axis].size() > 1)
      for (std::size_t p : points) own.push_back(points_.axes[axis][p]);
    const bool is_one = std::all_of(own.begin(), own.end(), [&](double z) { return z == own[0]; });
    if (is_one) own.assign(1, cells_.coordinate(axis, points[0]));
  }

  std::vector<Group> groups;
  for (const PointPlan::SeriesLeaf& series : leaves_) {
    Leaf leaf = place(series, coordinates.window, coordinates);
    if (!leaf.serves) continue;
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return group.leaves.front().key() == leaf.key(); });
    (known == groups.end() ? groups.emplace_back() : *known).leaves.push_back(std::move(leaf));
  }
  std::vector<std::vector<double>> values(n_leaves_);
  for (const Group& group : groups)
    if (method_ == ScatteredMethod::transforms || group.pays(points.size(), plans_.contains(group.modes())))
      transform(group, coordinates, n_threads, values);
  return values;
}

}  // namespace gwrm
