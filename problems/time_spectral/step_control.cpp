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
// Bisection stops here: a front this thin is a shock to any polynomial.
constexpr double kShortestPiece = 1e-7;

int n_space(const Model& model) {
  int n = 0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) n += model.is_modal(axis) ? 1 : 0;
  return n;
}

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

// Sum over space of |a_kl| for the last two k, the largest of all pieces of a divided axis.
double time_tail(const Array& a, int time, const Model& model, const std::vector<AxisPieces>& pieces) {
  const Along along(a.shape, time);
  int divided = -1;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && a.shape[at(axis)] > 1) divided = divided < 0 ? axis : -2;
  double tail = 0.0;
  for (Index k = std::max<Index>(0, along.extent - 2); k < along.extent; ++k) {
    const double* row = a.data.data() + k * along.inner;  // time is the first axis: outer is 1
    if (divided >= 0) {
      const Index n = pieces[at(divided)].degree + 1;
      for (Index p = 0; p < along.inner / n; ++p) {
        double sum = 0.0;
        for (Index l = 0; l < n; ++l) sum += std::abs(row[p * n + l]);
        tail = std::max(tail, sum);
      }
    } else {
      double sum = 0.0;
      for (Index l = 0; l < along.inner; ++l) sum += row[l] * row[l];
      tail = std::max(tail, std::sqrt(sum));
    }
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

// Realised errors for tails of (time, space) = (T, 10 T): 3e-9 at T = 1e-8 with 16 modes a subdomain, but 1.3 T at T =
// 1e-6 (numerics.md 5). In two and three dimensions one polynomial covers the axis: its coefficients fall slowly, and
// what is cut off adds up over the axes (errors of 7 to 10 T on the periodic Burgers problems for a tail of T).
StepTolerances step_tolerances(const Model& model, double tolerance) {
  return {0.3 * tolerance, n_space(model) > 1 ? tolerance / 30.0 : tolerance};
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
  double worst = 0.0;
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    Array a = window.system.coefficients(window.x, f);
    const double size = sizes.of(f);
    if (time >= 0 && model.fields[at(f)].depends_on(time)) {
      const double tail = time_tail(a, time, model, pieces) / size;
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
      of_axis.resize(own.size(), 0.0);
      for (std::size_t p = 0; p < own.size(); ++p) {
        const double tail = own[p] / size;
        of_axis[p] = std::max(of_axis[p], tail);
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
  return result;
}

double next_length(double h, double eta, double tolerance, int K, double most_growth) {
  if (eta == 0.0) return most_growth * h;
  return h * std::clamp(kSafety * std::pow(tolerance / eta, 1.0 / K), kLeastShrink, most_growth);
}

bool refine(const Model& model, const Tails& tails, double tolerance, const Case::Resolution& limits,
            std::vector<AxisPieces>& pieces, std::string& limit) {
  bool changed = false;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    const std::vector<double>& of_axis = tails.space[at(axis)];
    AxisPieces& mine = pieces[at(axis)];
    const std::string& name = model.axes[at(axis)].name;
    if (of_axis.empty() || *std::max_element(of_axis.begin(), of_axis.end()) <= tolerance) continue;
    if (n_space(model) > 1 || model.axes[at(axis)].kind == AxisKind::parameter) {
      // Geometric decay from the tail at hand to half the tolerance.
      const double tail = *std::max_element(of_axis.begin(), of_axis.end());
      const double factor = tail < 0.5 ? std::log(0.5 * tolerance) / std::log(tail) : kMostDegreeGrowth;
      const int degree = std::max(
          mine.degree + 2, static_cast<int>(std::ceil(mine.degree * std::clamp(factor, 1.1, kMostDegreeGrowth))));
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
    if (n_space(model) > 1) {
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
