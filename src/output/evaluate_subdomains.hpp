// Sums of the trial functions of one window: along each axis one small block for each run of points in the same
// subdomain.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "kernels/linear_algebra/block_matrix.hpp"
#include "output/solution.hpp"

namespace gwrm {

// y[j1,..,jd] = sum_{k1..kd} A1[j1,k1] ... Ad[jd,kd] x[k1,..,kd]. Cost per axis: points x (degree + 1) x the extents of
// the other axes.
Array trial_sum(Array x, std::span<const BlockMatrix* const> matrices);

// Trial matrices, each kept until another one of the same axis, order and number of points is asked for: the windows of
// a run mostly have the same subdomains.
class TrialMatrices {
 public:
  // Valid until the next call with the same axis, order and number of points.
  const BlockMatrix& get(std::size_t axis, const AxisDescription& subdomains, std::span<const double> points,
                         int order);

 private:
  struct Entry {
    AxisDescription subdomains;
    std::vector<double> points;
    BlockMatrix matrix;
  };
  std::map<std::tuple<std::size_t, int, std::size_t>, Entry> entries_;
};

}  // namespace gwrm
