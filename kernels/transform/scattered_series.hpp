// A Chebyshev series in several dimensions, in pieces, at scattered points that are sorted by piece: what the device
// sums (scattered_sum.hpp, scattered_steps.cuh).
//
// Formula   values[p] = prod_a z_a^-r_a  sum_{k1 .. kd} T_k1(xi_1) .. T_kd(xi_d) c[start + k1 s1 + .. + kd sd]
//           xi_a in [-1, 1] is where the coordinate z_a of point p lies in the interval of its piece, affinely or in
//           log z (r_a other than 0 there only: what a derivative in log z is to one in z). Derivatives are series of
//           the same kind: the caller differentiates the coefficients (basis/chebyshev_series.hpp).
// Pieces    a piece is a window and a subdomain along every axis. All those of one series have the same extents and
//           strides; each has its own start and intervals.
// Blocks    at most kScatteredWarp points, one after the other, all of one piece.
// Cost      a point: 2 n1 .. nd operations for the sum and 2.5 n1 .. nd / R more for the functions of the last axis, R
// the
//           rows that share them (16 or fewer, scattered_rows()), and what is lost to the last rows. Memory is read
//           once a block, from the caches: 8 n1 .. nd / kScatteredWarp bytes a point.
// Errors    below 1e-15 (k1 + .. + kd) of the sum of the coefficients' absolute values: the recurrence in the
// differences
//           of neighbours (Reinsch) keeps the digits at the ends of the interval.
// Determinism  a point's value depends neither on its block nor on the other points: the same bits on every run.
#pragma once

namespace gwrm {

constexpr int kScatteredAxes = 8;
constexpr int kScatteredWarp = 64;  // points of a block: two a lane
constexpr int kScatteredRows = 16;  // at once

struct ScatteredInterval {
  double lower = 0.0, upper = 1.0, scale = 2.0;  // 1 / half the length, in z or log z
};

// The points `first` to first + count - 1, all of this piece.
struct ScatteredPlaces {
  int first = 0, count = 0, piece = 0;
};

struct ScatteredSeries {
  struct Axis {
    int n = 1;                       // coefficients
    long long stride = 1;            // between them
    const double* points = nullptr;  // coordinates; null: the axis has one coefficient, whatever they are
    bool fixed = false;              // points[0] for all
    bool logarithmic = false;
    int order = 0;  // r_a
  };
  int n_axes = 0;
  Axis axes[kScatteredAxes];  // the last one fastest
  const double* coefficients = nullptr;
  const long long* starts = nullptr;             // of the pieces
  const ScatteredInterval* intervals = nullptr;  // pieces x n_axes
};

// Rows of the last axis but one that are summed at once: even, or 1, such that no more than one of sixteen is empty
// where there are many.
constexpr int scattered_rows(int n) {
  const int groups = (n + kScatteredRows - 1) / kScatteredRows, rows = (n + groups - 1) / groups;
  return rows == 1 ? 1 : (rows + 1) / 2 * 2;
}

}  // namespace gwrm
