// Series of random coefficients in pieces and points within them, near their ends and on them too, with the values by
// definition: the recurrence of T_k in quadruple precision.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/quadruple.hpp"
#include "kernels/transform/scattered_series.hpp"

namespace gwrm::test {

class ScatteredSample {
 public:
  // Of these extents, in three pieces side by side along every axis, n_points in each. The first axis has a logarithmic
  // map and the factor 1 / z.
  ScatteredSample(std::vector<int> extents, int n_points_of_piece) : extents_(std::move(extents)) {
    std::mt19937_64 random(extents_.size() + static_cast<std::size_t>(n_points_of_piece));
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    long long size = 1;
    for (int n : extents_) size *= n;
    const std::size_t n_axes = extents_.size();
    points.resize(n_axes);
    for (int piece = 0; piece < kPieces; ++piece) {
      starts.push_back((kPieces - 1 - piece) * size);
      for (std::size_t a = 0; a < n_axes; ++a) {
        const double lower = 1.0 + piece, upper = 2.0 + piece;
        const double half = is_logarithmic(a) ? std::log(upper / lower) / 2.0 : (upper - lower) / 2.0;
        intervals.push_back({lower, upper, 1.0 / half});
      }
      for (int first = 0; first < n_points_of_piece; first += kScatteredWarp)
        blocks.push_back(
            {piece * n_points_of_piece + first, std::min(kScatteredWarp, n_points_of_piece - first), piece});
      for (int p = 0; p < n_points_of_piece; ++p)
        for (std::size_t a = 0; a < n_axes; ++a) {
          double z = (uniform(random) + 1.0) / 2.0;
          if (p % 7 == 0) z = uniform(random) < 0.0 ? 0.0 : 1.0;
          if (p % 7 == 1) z = 1e-9 * std::abs(uniform(random));
          points[a].push_back(1.0 + piece + z);
        }
    }
    for (long long i = 0; i < kPieces * size; ++i) coefficients.push_back(uniform(random));
  }

  std::size_t n_points() const { return extents_.empty() ? count_without_axes() : points[0].size(); }

  // In the memory of the host; the device puts its own pointers there.
  ScatteredSeries series() const {
    ScatteredSeries s;
    s.n_axes = static_cast<int>(extents_.size());
    s.coefficients = coefficients.data();
    s.starts = starts.data();
    s.intervals = intervals.data();
    long long stride = 1;
    for (std::size_t a = extents_.size(); a-- > 0;) {
      s.axes[a] = {extents_[a], stride, points[a].data(), false, is_logarithmic(a), is_logarithmic(a) ? 1 : 0};
      stride *= extents_[a];
    }
    return s;
  }

  // Within 1e-15 (1 + sum of extents) of the sum of the absolute values: a rounding of the distance from the end, which
  // T_k sees k-fold, and one of every step of the recurrence.
  void expect_values(const std::vector<double>& values) const {
    double degrees = 1.0;
    for (int n : extents_) degrees += n;
    for (const ScatteredPlaces& block : blocks)
      for (int p = block.first; p < block.first + block.count; ++p) {
        Quadruple sum = 0, absolute = 0;
        add(block, p, 0, starts[static_cast<std::size_t>(block.piece)], Quadruple(1), sum, absolute);
        Quadruple factor = 1;
        for (std::size_t a = 0; a < extents_.size(); ++a)
          if (is_logarithmic(a)) factor /= points[a][static_cast<std::size_t>(p)];
        const double error = std::abs(static_cast<double>(sum * factor - values[static_cast<std::size_t>(p)]));
        ASSERT_LE(error, 1e-15 * degrees * static_cast<double>(absolute * factor)) << "point " << p;
      }
  }

  std::vector<double> coefficients;
  std::vector<long long> starts;
  std::vector<ScatteredInterval> intervals;
  std::vector<ScatteredPlaces> blocks;
  std::vector<std::vector<double>> points;  // per axis

 private:
  static constexpr int kPieces = 3;
  bool is_logarithmic(std::size_t axis) const { return axis == 0; }
  std::size_t count_without_axes() const { return static_cast<std::size_t>(blocks.back().first + blocks.back().count); }

  // T_k(xi) by the recurrence in quadruple precision, from the coordinate itself.
  void add(const ScatteredPlaces& block, int p, std::size_t axis, long long start, Quadruple product, Quadruple& sum,
           Quadruple& absolute) const {
    if (axis == extents_.size()) {
      const Quadruple term = product * coefficients[static_cast<std::size_t>(start)];
      sum += term;
      absolute += std::abs(coefficients[static_cast<std::size_t>(start)]);
      return;
    }
    const ScatteredInterval& interval = intervals[static_cast<std::size_t>(block.piece) * extents_.size() + axis];
    const double z = points[axis][static_cast<std::size_t>(p)];
    const Quadruple lower = interval.lower, upper = interval.upper;
    const Quadruple xi = is_logarithmic(axis)
                             ? Quadruple(2.0L * std::log(static_cast<long double>(z) / interval.lower) /
                                             std::log(static_cast<long double>(interval.upper) / interval.lower) -
                                         1.0L)
                             : (2 * Quadruple(z) - lower - upper) / (upper - lower);
    long long stride = 1;
    for (std::size_t a = axis + 1; a < extents_.size(); ++a) stride *= extents_[a];
    Quadruple before = xi, value = 1;  // T_-1 = T_1
    for (int k = 0; k < extents_[axis]; ++k) {
      add(block, p, axis + 1, start + k * stride, product * value, sum, absolute);
      const Quadruple next = 2 * xi * value - before;
      before = value;
      value = next;
    }
  }

  std::vector<int> extents_;
};

}  // namespace gwrm::test
