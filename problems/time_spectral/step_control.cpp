#include "problems/time_spectral/step_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/tensor_transform.hpp"
#include "spectral/chebyshev.hpp"
#include "system/piece_conversion.hpp"

namespace gwrm {
namespace {

constexpr double kSafety = 0.9;
constexpr double kLeastShrink = 0.2;
constexpr Index kTimes = 9;        // at which space is looked at
constexpr Index kTailModes = 3;    // of a subdomain
constexpr Index kMergedModes = 4;  // of a merged expansion
constexpr double kMergeBelow = 0.02;
constexpr double kMostDegreeGrowth = 2.0;
constexpr double kCoarsenBelow = 1e-3;  // degrees fall where the tail is this far below the tolerance
constexpr double kMostByDecay = 2.5;    // where the decay of the series is known
constexpr int kLeastDegreeForDecay = 16;
// Bisection stops here: a front this thin is a shock to any polynomial.
constexpr double kShortestPiece = 1e-7;

// Strides of a tensor along one axis: outer, extent, inner.
struct Along {
  Index outer = 1, extent, inner = 1;
  Along(const Shape& shape, int axis) : extent(shape[at(axis)]) {
    for (int a = 0; a < axis; ++a) outer *= shape[at(a)];
    for (std::size_t a = at(axis) + 1; a < shape.size(); ++a) inner *= shape[a];
  }
};

// Values at kTimes instants from start to end: rows over Chebyshev coefficients in t.
Matrix instants(Index n_coefficients) {
  Matrix rows(kTimes, n_coefficients);
  for (Index i = 0; i < kTimes; ++i)
    rows.row(i) = basis_row(n_coefficients - 1, -1.0 + 2.0 * static_cast<double>(i) / static_cast<double>(kTimes - 1));
  return rows;
}

// Matrix blocks from the coefficients on each piece to values at as many Chebyshev points.
BlockMatrix values_on(const AxisPieces& pieces) {
  const Index n = pieces.degree + 1;
  Matrix values(n, n);
  for (Index j = 0; j < n; ++j)
    values.row(j) = basis_row(n - 1, std::cos(M_PI * (static_cast<double>(j) + 0.5) / static_cast<double>(n)));
  const auto shared = std::make_shared<const Matrix>(std::move(values));
  BlockMatrix result(pieces.n_coefficients(), pieces.n_coefficients());
  for (Index p = 0; p < pieces.n_pieces(); ++p) result.blocks.push_back({p * n, p * n, shared, 1.0});
  return result;
}

// Largest size of the last two coefficients in t as functions of space: on a single axis the sum of the magnitudes of a
// piece's coefficients, a bound; on several the largest value in points, where that sum would exceed it too far.
double time_tail(const Context& context, const Array& a, int time, const Model& model,
                 const std::vector<AxisPieces>& pieces) {
  const Along along(a.shape, time);
  const Index first = std::max<Index>(0, along.extent - 2);
  Array last;  // time is the first axis
  last.shape = a.shape;
  last.shape[at(time)] = along.extent - first;
  last.data.assign(a.data.begin() + first * along.inner, a.data.end());
  std::vector<int> divided;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && a.shape[at(axis)] > 1) divided.push_back(axis);
  if (divided.size() > 1) {
    for (int axis : divided) last = block_transform(context, last, at(axis), values_on(pieces[at(axis)]));
    return std::abs(*std::max_element(last.data.begin(), last.data.end(),
                                      [](double x, double y) { return std::abs(x) < std::abs(y); }));
  }
  const Index n = divided.empty() ? 1 : pieces[at(divided.front())].degree + 1;
  double tail = 0.0;
  for (auto value = last.data.begin(); value != last.data.end();) {
    double sum = 0.0;
    for (Index l = 0; l < n; ++l) sum += std::abs(*value++);
    tail = std::max(tail, sum);
  }
  return tail;
}

// Largest of the last modes of each piece along the axis.
std::vector<double> piece_tails(const Array& a, int axis, const AxisPieces& pieces, Index n_modes) {
  const Along along(a.shape, axis);
  const Index n = pieces.degree + 1;
  std::vector<double> tails(static_cast<std::size_t>(pieces.n_pieces()), 0.0);
  for (Index o = 0; o < along.outer; ++o)
    for (Index p = 0; p < pieces.n_pieces(); ++p)
      for (Index l = std::max<Index>(0, n - n_modes); l < n; ++l)
        for (Index i = 0; i < along.inner; ++i)
          tails[static_cast<std::size_t>(p)] =
              std::max(tails[static_cast<std::size_t>(p)],
                       std::abs(a.data[static_cast<std::size_t>((o * along.extent + p * n + l) * along.inner + i)]));
  return tails;
}

// Fall of the logarithm of the largest coefficients per degree, from three quarters of the degree to the last modes.
double decay_along(const Array& a, int axis, int degree) {
  if (degree < kLeastDegreeForDecay) return 0.0;
  const int before = 3 * degree / 4;
  const double last = piece_tails(a, axis, {degree, {0.0, 1.0}}, kTailModes)[0];
  const Along along(a.shape, axis);
  double earlier = 0.0;
  for (Index o = 0; o < along.outer; ++o)
    for (Index l = before + 1 - kTailModes; l <= before; ++l)
      for (Index i = 0; i < along.inner; ++i)
        earlier =
            std::max(earlier, std::abs(a.data[static_cast<std::size_t>((o * along.extent + l) * along.inner + i)]));
  return last > 0.0 && earlier > last ? std::log(earlier / last) / (degree - before) : 0.0;
}

void take_larger(std::vector<double>& tails, const std::vector<double>& others, double size) {
  tails.resize(others.size(), 0.0);
  for (std::size_t i = 0; i < others.size(); ++i) tails[i] = std::max(tails[i], others[i] / size);
}

// Two pieces that bisection made: equally long, the first an even multiple of its length from one end of the axis's
// original interval. Edges given by hand other than by halving are never merged.
bool are_siblings(const AxisPieces& pieces, const AxisPieces& original, Index p) {
  const auto edge = [&](Index i) { return pieces.edges[static_cast<std::size_t>(i)]; };
  const double first = edge(p + 1) - edge(p), second = edge(p + 2) - edge(p + 1);
  if (std::abs(first - second) > 1e-9 * first) return false;
  const Index cell = original.piece_of(0.5 * (edge(p) + edge(p + 1)));
  const double lower = original.edges[static_cast<std::size_t>(cell)];
  const double upper = original.edges[static_cast<std::size_t>(cell) + 1];
  if (edge(p + 2) > upper + 1e-9 * first) return false;
  const double position = (edge(p) - lower) / (2.0 * first);
  return std::abs(position - std::round(position)) < 1e-6;
}

}  // namespace

// Realised errors of runs with one axis of space or none (tests/compare/tolerance_runs.py): 0.001 to 0.5 T with these
// tails at T = 1e-3 .. 1e-11; a chaotic solution took 1.4 T with a tail of T in time. In two and three dimensions one
// polynomial covers the axis: its coefficients fall slowly, and what is cut off adds up over the axes (errors of 7 to
// 10 T on the periodic Burgers problems for a tail of T).
StepTolerances step_tolerances(const Model& model, double tolerance) {
  if (model.n_modal_axes() > 1) return {0.3 * tolerance, tolerance / 30.0};
  return {0.5 * tolerance, tolerance};
}

void FieldSizes::see(const Window& window) {
  std::vector<Array> coefficients;
  for (int f = 0; f < static_cast<int>(sizes_.size()); ++f)
    coefficients.push_back(window.system.coefficients(window.x, f));
  see(window.system.model(), coefficients, window.discretisation.pieces());
}

void FieldSizes::see(const Model& model, const std::vector<Array>& coefficients,
                     const std::vector<AxisPieces>& pieces) {
  for (std::size_t f = 0; f < sizes_.size(); ++f) {
    // The largest of the pieces matters, not how many there are.
    Index n_pieces = 1;
    for (int axis : model.fields[f].axes)
      if (model.is_modal(axis)) n_pieces *= pieces[at(axis)].n_pieces();
    double sum = 0.0;
    for (double value : coefficients[f].data) sum += value * value;
    sizes_[f] = std::max(sizes_[f], std::sqrt(sum / static_cast<double>(n_pieces)));
  }
}

double FieldSizes::of(int field) const {
  const double largest = *std::max_element(sizes_.begin(), sizes_.end());
  return largest > 0.0 ? std::max(sizes_[at(field)], 1e-6 * largest) : 1.0;
}

Tails measure_tails(const Window& window, const FieldSizes& sizes) {
  const Model& model = window.system.model();
  const int time = model.time_axis();
  const std::vector<AxisPieces> pieces = window.discretisation.pieces();
  Tails tails;
  tails.space.resize(model.axes.size());
  tails.decay.resize(model.axes.size(), 0.0);
  double worst = 0.0;
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    Array a = window.system.coefficients(window.x, f);
    const double size = sizes.of(f);
    if (time >= 0 && model.fields[at(f)].depends_on(time)) {
      const double tail = time_tail(window.system.context(), a, time, model, pieces) / size;
      if (!(tail <= tails.time)) {
        tails.time = tail;
        tails.worst_time = model.fields[at(f)].name;
      }
      a = block_transform(window.system.context(), a, at(time), BlockMatrix(instants(a.shape[at(time)])));
    }
    for (int axis : model.fields[at(f)].axes) {
      if (!model.is_modal(axis)) continue;
      std::vector<double>& of_axis = tails.space[at(axis)];
      const std::vector<double> own = piece_tails(a, axis, pieces[at(axis)], kTailModes);
      take_larger(of_axis, own, size);
      if (own.size() == 1) {
        const double decay = decay_along(a, axis, pieces[at(axis)].degree);
        double& smallest = tails.decay[at(axis)];
        smallest = f == 0 ? decay : std::min(smallest, decay);
      }
      for (std::size_t p = 0; p < own.size(); ++p) {
        const double tail = own[p] / size;
        if (!(tail <= worst)) {
          worst = tail;
          tails.worst_space =
              fmt::format("{} along {}, {:.6g} to {:.6g}", model.fields[at(f)].name, model.axes[at(axis)].name,
                          pieces[at(axis)].edges[p], pieces[at(axis)].edges[p + 1]);
        }
      }
    }
  }
  return tails;
}

Tails measure_state(const Model& model, const std::vector<AxisPieces>& pieces, const State& state) {
  Tails tails;
  tails.space.resize(model.axes.size());
  double worst = 0.0;
  for (std::size_t f = 0; f < state.size(); ++f)
    for (const Array& a : state[f]) {
      double size = 0.0;
      for (double value : a.data) size = std::max(size, std::abs(value));
      for (int axis : model.fields[f].axes) {
        if (!model.is_modal(axis)) continue;
        const std::vector<double> own = piece_tails(a, axis, pieces[at(axis)], kTailModes);
        tails.space[at(axis)].resize(own.size(), 0.0);
        for (std::size_t p = 0; p < own.size(); ++p) {
          const double tail = size > 0.0 ? own[p] / size : 0.0;
          tails.space[at(axis)][p] = std::max(tails.space[at(axis)][p], tail);
          if (tail <= worst) continue;
          worst = tail;
          tails.worst_space =
              fmt::format("the initial value of {} along {}, {:.6g} to {:.6g}", model.fields[f].name,
                          model.axes[at(axis)].name, pieces[at(axis)].edges[p], pieces[at(axis)].edges[p + 1]);
        }
      }
    }
  return tails;
}

Tails largest_of(const Tails& a, const Tails& b) {
  Tails result = a.time >= b.time ? a : b;
  const auto worst = [](const Tails& t) {
    double value = 0.0;
    for (const auto& axis : t.space)
      for (double tail : axis) value = std::max(value, tail);
    return value;
  };
  result.worst_space = worst(a) >= worst(b) ? a.worst_space : b.worst_space;
  for (std::size_t axis = 0; axis < a.space.size(); ++axis)
    for (std::size_t p = 0; p < a.space[axis].size(); ++p)
      result.space[axis][p] = std::max(a.space[axis][p], b.space[axis][p]);
  for (std::size_t axis = 0; axis < a.decay.size(); ++axis) result.decay[axis] = std::min(a.decay[axis], b.decay[axis]);
  return result;
}

double next_length(double h, double eta, double tolerance, int K, double most_growth) {
  if (eta == 0.0) return most_growth * h;
  return h * std::clamp(kSafety * std::pow(tolerance / eta, 1.0 / K), kLeastShrink, most_growth);
}

// The degree that brings the tail to half the tolerance: by the decay found at the end of the series, else as if the
// tail were that of a geometric series from 1 on.
static int needed_degree(int degree, double tail, double decay, double tolerance) {
  const double wanted = std::log(tail / (0.5 * tolerance));
  double factor = kMostDegreeGrowth;
  if (decay > 0.0)
    return std::max(
        degree + 2,
        static_cast<int>(std::ceil(degree * std::clamp(1.0 + wanted / (decay * degree), 1.1, kMostByDecay))));
  if (tail < 0.5) factor = std::log(0.5 * tolerance) / std::log(tail);
  return std::max(degree + 2, static_cast<int>(std::ceil(degree * std::clamp(factor, 1.1, kMostDegreeGrowth))));
}

bool refine(const Model& model, const Tails& tails, double tolerance, const Case::Resolution& limits,
            std::vector<AxisPieces>& pieces, std::string& limit) {
  bool changed = false;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    const std::vector<double>& of_axis = tails.space[at(axis)];
    AxisPieces& mine = pieces[at(axis)];
    const std::string& name = model.axes[at(axis)].name;
    if (of_axis.empty() || *std::max_element(of_axis.begin(), of_axis.end()) <= tolerance) continue;
    if (model.n_modal_axes() > 1 || model.axes[at(axis)].kind == AxisKind::parameter) {
      const double tail = *std::max_element(of_axis.begin(), of_axis.end());
      const int degree = needed_degree(mine.degree, tail, tails.decay.empty() ? 0.0 : tails.decay[at(axis)], tolerance);
      if (mine.degree >= limits.max_degree)
        limit = fmt::format("degree {} along {} is not enough (resolution.limits.degree)", mine.degree, name);
      mine.degree = std::min(degree, limits.max_degree);
      changed = true;
      continue;
    }
    const double shortest = kShortestPiece * (mine.edges.back() - mine.edges.front());
    AxisPieces finer{mine.degree, {mine.edges.front()}};
    for (std::size_t p = 0; p < of_axis.size(); ++p) {
      const double lower = mine.edges[p], upper = mine.edges[p + 1];
      if (of_axis[p] > tolerance) {
        if (upper - lower < 2.0 * shortest)
          limit =
              fmt::format("the solution is not smooth near {} = {:.9g}: subdomains of length {:.1e} do not resolve it",
                          name, 0.5 * (lower + upper), upper - lower);
        finer.edges.push_back(0.5 * (lower + upper));
      }
      finer.edges.push_back(upper);
    }
    if (finer.n_pieces() > limits.max_domains)
      limit = fmt::format("{} subdomains along {} are not enough (resolution.limits.domains)", mine.n_pieces(), name);
    mine = std::move(finer);
    changed = true;
  }
  return changed;
}

void coarsen(const Model& model, std::span<const std::unique_ptr<Window>> windows, const FieldSizes& sizes,
             double tolerance, std::vector<AxisPieces>& pieces) {
  const int time = model.time_axis();
  // Per point and field, the coefficients in space at the end of the window.
  std::vector<std::pair<int, Array>> ends;
  for (const auto& window : windows)
    for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
      Array a = window->system.coefficients(window->x, f);
      if (time >= 0 && model.fields[at(f)].depends_on(time))
        a = block_transform(window->system.context(), a, at(time),
                            BlockMatrix(Matrix(basis_row(a.shape[at(time)] - 1, 1.0))));
      ends.emplace_back(f, std::move(a));
    }
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    AxisPieces& mine = pieces[at(axis)];
    const auto tail_on = [&](const AxisPieces& candidate, Index n_modes, Index piece) {
      double worst = 0.0;
      for (const auto& [f, a] : ends) {
        if (!model.fields[at(f)].depends_on(axis)) continue;
        const Array on = block_transform(windows.front()->system.context(), a, at(axis),
                                         piece_conversion(mine, candidate, model.axes[at(axis)].map));
        worst =
            std::max(worst, piece_tails(on, axis, candidate, n_modes)[static_cast<std::size_t>(piece)] / sizes.of(f));
      }
      return worst;
    };
    if (model.n_modal_axes() > 1) {
      const int degree = std::max(model.pieces[at(axis)].degree, mine.degree * 4 / 5);
      if (degree < mine.degree && tail_on(mine, mine.degree + 1 - degree + kTailModes, 0) < kCoarsenBelow * tolerance)
        mine.degree = degree;
      continue;
    }
    for (Index p = 0; p + 1 < mine.n_pieces();) {
      AxisPieces merged = mine;
      merged.edges.erase(merged.edges.begin() + p + 1);
      if (are_siblings(mine, model.pieces[at(axis)], p) && tail_on(merged, kMergedModes, p) < kMergeBelow * tolerance) {
        for (auto& [f, a] : ends)
          if (model.fields[at(f)].depends_on(axis))
            a = block_transform(windows.front()->system.context(), a, at(axis),
                                piece_conversion(mine, merged, model.axes[at(axis)].map));
        mine = std::move(merged);
        p += 1;
      } else {
        ++p;
      }
    }
  }
}

}  // namespace gwrm
