// The finer grids on which finite differences are solved again, and what the difference tells of the error.
//
// A scheme of order p errs by e = c h^p; on a grid r times as fine by r^-p of that, so that
//     e = (u - u_fine) / (1 - r^-p).
// The grids have few points in common: what vanishes at all points of one, as sin(16 pi x) at those of 16 intervals, is
// seen by the other; so is what lies between them.
// Source: L. F. Richardson, Phil. Trans. R. Soc. A 210 (1911) 307.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "output/report.hpp"

namespace gwrm {

// How many times as many intervals, the first that fits into memory.
inline constexpr std::array kRefinements = {1.5, 1.25, 1.1};

// At least `factor` times the intervals, a multiple of `divisor`, with as few points as can be in common with theirs.
Index finer_intervals(Index intervals, double factor, Index divisor = 1);

// 1 - r^-p, the part of the error that a grid with r times the intervals does not have.
double share_of_error(double ratio, int order);

// Values at the points of `from` equal intervals -> at those of `to` intervals of the same length: by the polynomial
// through the `width` nearest points, fewer where there are no more.
class GridInterpolation {
 public:
  GridInterpolation(Index from, Index to, int width);

  Index width() const { return width_; }
  // The first of the `width` points that make the value at point i, and their weights.
  Index stencil(Index i, double* weights) const;

 private:
  Index from_, to_, width_;
  std::vector<double> scale_;  // of the barycentric weights: (-1)^k / (k! (width - 1 - k)!)
};

// Where the finer grid gives none, and why: it was not solved; or it cannot be, and u is no solution either.
ErrorEstimate no_estimate(const std::string& why);
ErrorEstimate no_finer_solution(const std::string& field, const std::string& why);

}  // namespace gwrm
