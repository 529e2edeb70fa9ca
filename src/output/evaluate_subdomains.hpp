// Sums of the trial functions of one window: along each axis one small block for each run of points in the same
// subdomain.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "core/communicator.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"
#include "output/solution.hpp"

namespace gwrm {

// Along the dimensions of the coefficients; shared, as the sums of several atoms take them.
using TrialOfDimensions = std::vector<std::shared_ptr<const BlockMatrix>>;

// y[j1,..,jd] = sum_{k1..kd} A1[j1,k1] ... Ad[jd,kd] x[k1,..,kd] for each of several sets of matrices. Cost per axis:
// points x (degree + 1) x the extents of the other axes; sets that begin with the same matrices, in the order with the
// fewest operations, share these steps (u, dx(u), dx(u,2) the sums along y and z). Memory beside the results: one array
// for each axis.
std::vector<Array> trial_sums(const Array& x, std::span<const TrialOfDimensions> sets);
// The same by all ranks together, which all have x and get all sums: what is summed over last, the first dimension, is
// dealt out among them, in blocks that depend on x alone, so that the bits are the same on any number of ranks (but not
// those of the above). Sums at few points along that dimension are smallest when they begin with it: each rank then
// makes them all.
std::vector<Array> trial_sums(const Array& x, std::span<const TrialOfDimensions> sets, Communicator& ranks);

// Trial matrices, each kept until another one of the same axis, order and number of points is asked for: the windows of
// a run mostly have the same subdomains.
class TrialMatrices {
 public:
  // No points: the integral over the axis, one row.
  std::shared_ptr<const BlockMatrix> get(std::size_t axis, const AxisDescription& subdomains,
                                         std::span<const double> points, int order);

 private:
  struct Entry {
    AxisDescription subdomains;
    std::vector<double> points;
    std::shared_ptr<const BlockMatrix> matrix;
  };
  std::map<std::tuple<std::size_t, int, std::size_t>, Entry> entries_;
};

}  // namespace gwrm
