// Scattered points by the cells they lie in, whose polynomials are worth the same sums: what evaluate_points() does
// first, on the CPU and for the device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "output/evaluate_points.hpp"

namespace gwrm {

// The axes along which one of the expressions varies, a bit each.
std::uint32_t used_axes(std::span<const expression::Expr> es);

// Cells are the subdomains of the axes in use, window after window. `common`: cut by the edges of all windows, so that
// the points of a cell share a subdomain in every one of them.
class PointCells {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  // All arguments but `used` and `common` outlive it. MemoryError if there are too many to be counted.
  PointCells(const Solution& solution, const ScatteredPoints& points, std::uint32_t used, bool common);

  std::size_t count() const { return count_; }
  const std::vector<std::size_t>& axes() const { return axes_; }
  double coordinate(std::size_t axis, std::size_t p) const {
    return points_.axes[axis].size() == 1 ? points_.axes[axis][0] : points_.axes[axis][p];
  }
  std::size_t window_of(std::size_t p) const;
  std::uint32_t of(std::size_t p) const;  // kNowhere: outside the solution

 private:
  const Solution& solution_;
  const ScatteredPoints& points_;
  int time_;
  std::vector<std::size_t> axes_, first_;
  std::vector<std::vector<std::vector<double>>> edges_;  // per window (or of all) and axis in use
  std::size_t count_ = 0;
};

struct SortedPoints {
  // Points [first, first + count) of the order.
  struct Block {
    std::size_t first, count;
    std::uint32_t cell;
  };
  std::vector<std::size_t> order;  // those inside, by cells, in each as they came
  std::vector<Block> blocks;       // of at most `longest` points of one cell
};

SortedPoints sort_points(const PointCells& cells, std::size_t n_points, std::size_t longest, int n_threads);

// Numbers of the points from `first` on in the order: sorted[i] = all[order[first + i]], and back.
void gather_values(const SortedPoints& points, std::size_t first, const double* all, std::span<double> sorted,
                   int n_threads);
void scatter_values(const SortedPoints& points, std::size_t first, std::span<const double> sorted, double* all,
                    int n_threads);

}  // namespace gwrm
