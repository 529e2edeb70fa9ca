#include "kernels/sbp_sat/line_problem.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "kernels/linear_algebra/lapack_memory.hpp"

namespace gwrm {
namespace {

bool is_mirrored(const StencilRows& a, const std::vector<double>& weights) {
  return std::equal(a.first.begin(), a.first.end(), (a.n_closure == a.n ? a.first : a.last).rbegin()) &&
         std::equal(a.interior.begin(), a.interior.end(), a.interior.rbegin()) &&
         std::equal(weights.begin(), weights.end(), weights.rbegin());
}

enum class Parity { none, even, odd };

// The orthonormal basis of a half: vector i has the value size_of[p] at the points p with component[p] = i, of which
// point i is one.
struct Basis {
  int size;
  std::vector<int> component;
  std::vector<double> value;

  Basis(int n, Parity parity) : component(at(n)), value(at(n), 1.0) {
    size = parity == Parity::none ? n : parity == Parity::even ? n - n / 2 : n / 2;
    for (int p = 0; p < n; ++p) {
      const int mirror = n - 1 - p;
      component[p] = parity == Parity::none ? p : std::min(p, mirror);
      if (parity == Parity::none || (p == mirror && parity == Parity::even)) continue;
      value[p] = (p > mirror && parity == Parity::odd ? -1.0 : 1.0) * std::sqrt(0.5);
      if (p == mirror) {  // the middle: odd vectors are zero there
        component[p] = 0;
        value[p] = 0.0;
      }
    }
  }
};

// Point i of S (basis vector j) is entry (i, j) times the value of basis vector i there: the half maps onto itself.
LinePart part_of(const StencilRows& a, const std::vector<double>& scale, Parity parity) {
  const int n = static_cast<int>(a.n);
  const Basis basis(n, parity);
  LinePart part;
  part.size = basis.size;
  for (int i = 0; i < basis.size; ++i) part.factor.push_back(scale[i] * basis.value[i]);
  std::vector<double> row(at(n), 0.0);
  for (int i = 0; i < basis.size; ++i) {
    Index column = 0;
    int first = n, last = -1;  // columns that are met; neighbours stay neighbours when they are folded
    for (double value : a.row(i, column)) {
      const std::size_t q = at(static_cast<int>(column++));
      if (basis.value[q] == 0.0) continue;
      const int j = basis.component[q];
      row[j] += scale[i] * value * scale[q] * (basis.value[q] / basis.value[i]);
      first = std::min(first, j);
      last = std::max(last, j);
    }
    for (int j = first; j <= last; ++j) {
      part.entries.push_back({i, j, row[j]});
      row[j] = 0.0;
    }
  }
  return part;
}

}  // namespace

EvenOddSplit fold_of(const StencilRows& a, const std::vector<double>& weights, LineSplit split) {
  if (a.n < 1 || a.n != static_cast<Index>(weights.size()) ||
      a.n > std::numeric_limits<int>::max() - EvenOddSplit::kAlignment)
    throw ShapeError("modes of a line: its matrix and its weights differ in size");
  return {static_cast<int>(a.n), split == LineSplit::automatic && a.n > 1 && is_mirrored(a, weights)};
}

LineProblem line_problem(const StencilRows& a, const std::vector<double>& weights, LineSplit split) {
  LineProblem problem;
  problem.fold = fold_of(a, weights, split);
  std::vector<double> scale;
  for (double weight : weights) {
    if (!(weight > 0.0)) throw ShapeError("modes of a line: a weight is not positive");
    scale.push_back(1.0 / std::sqrt(weight));
  }
  if (problem.fold.n_parts == 2)
    problem.parts = {part_of(a, scale, Parity::even), part_of(a, scale, Parity::odd)};
  else
    problem.parts = {part_of(a, scale, Parity::none)};
  double largest = 0.0;
  for (const LinePart& part : problem.parts)
    for (const LinePart::Entry& entry : part.entries) {
      if (!std::isfinite(entry.value)) throw ShapeError("modes of a line: the operator is not finite");
      largest = std::max(largest, std::abs(entry.value));
    }
  if (largest > 0.0) problem.unit = std::ldexp(1.0, std::ilogb(largest));
  for (LinePart& part : problem.parts)
    for (LinePart::Entry& entry : part.entries) entry.value /= problem.unit;
  return problem;
}

std::vector<double> solve_by_lapack(const LinePart& part, int pitch, double* y) {
  std::fill(y, y + at(pitch) * at(pitch), 0.0);
  for (const LinePart::Entry& entry : part.entries) y[at(entry.row) * at(pitch) + at(entry.column)] = entry.value;
  std::vector<double> values(at(part.size));
  if (with_memory(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', part.size, y, pitch, values.data())) != 0)
    throw ShapeError("modes of a line: LAPACK did not find the eigenvalues");
  return values;
}

std::vector<double> finished_values(const LineProblem& problem, const std::vector<double>& values) {
  double largest = 0.0;
  for (double value : values) {
    if (!std::isfinite(value)) throw ShapeError("modes of a line: the eigenvalues are not finite");
    largest = std::max(largest, value);
  }
  const double rounding = 1e2 * static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon() * largest;
  const EvenOddSplit& fold = problem.fold;
  std::vector<double> finished(at(fold.extent()), std::numeric_limits<double>::infinity());
  auto value = values.begin();
  for (int p = 0; p < fold.n_parts; ++p)
    for (int k = 0; k < fold.size(p); ++k, ++value) {
      if (*value < -rounding) throw ShapeError("modes of a line: the operator is not positive semidefinite");
      finished[p * fold.pitch + k] = *value < rounding ? 0.0 : *value * problem.unit;
    }
  return finished;
}

LineModes line_modes(const StencilRows& a, const std::vector<double>& weights, LineSplit split) {
  const LineProblem problem = line_problem(a, weights, split);
  const int pitch = problem.fold.pitch;
  LineModes modes{problem.fold, {}, {}};
  modes.vectors.resize(problem.parts.size() * at(pitch) * at(pitch));
  std::vector<double> values;
  double* vectors = modes.vectors.data();
  for (const LinePart& part : problem.parts) {
    const std::vector<double> of_part = solve_by_lapack(part, pitch, vectors);
    values.insert(values.end(), of_part.begin(), of_part.end());
    for (int k = 0; k < part.size; ++k)
      for (int i = 0; i < part.size; ++i) vectors[at(k) * at(pitch) + at(i)] *= part.factor[i];
    vectors += at(pitch) * at(pitch);
  }
  modes.values = finished_values(problem, values);
  return modes;
}

}  // namespace gwrm
