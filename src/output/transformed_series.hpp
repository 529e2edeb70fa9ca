// Unknowns and their derivatives at scattered points of one cell by non-uniform Fourier transforms: what
// evaluate_points() does along axes whose basis is a Fourier series, where that takes less time than sums over all
// coefficients.
//
// Formula  u(p) = sum_k f_k(p) sum_n F_kn exp(i n.theta(p)): n runs over the wavenumbers of the axes of Fourier series
//          along which the points differ, k over the coefficients of the other axes along which they do (f_k products
//          of those axes' functions). What is the same for all points, a restriction among it, is summed before. The
//          inner sums are real: two of them, of one leaf or of two, are one transform of type 2, A + i B.
// Error    that of kernels/transform/nonuniform_fourier.hpp at kTolerance: on series of random coefficients at most
// 3e-14
//          of the largest value for wavenumbers up to 64, 5e-14 for 128, 1.5e-13 for 512, where the rounding of the
//          angles shows, as it does in sums.
// Cost     half as many transforms as there are sums; one multiply-add a point and sum. The choice is made by a model
//          of both whose numbers were measured (transformed_series.cpp): at 100 000 points of one time it falls on
//          transforms from highest wavenumbers of about 50, 18 and 13 on in one, two and three dimensions.
// Memory   of kPartLength points at a time 8 bytes for each leaf and each function of the other axes, and 50 to 100
// more,
//          beside what the transform wants, which is bounded by kMostWorkspace: there blocks are summed as ever.
// Result   a point's last digits depend on how many others there are, because the choice does; the same bits with any
//          number of threads.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "kernels/transform/nonuniform_fourier.hpp"
#include "output/point_cells.hpp"
#include "output/point_plan.hpp"

namespace gwrm {

class TransformedSeries {
 public:
  static constexpr double kTolerance = 1e-14;
  static constexpr std::size_t kPartLength = std::size_t{1} << 20;
  static constexpr std::size_t kMostWorkspace = std::size_t{1} << 31;  // bytes

  // All arguments outlive it.
  TransformedSeries(const Solution& solution, const WindowBases& bases, const PointPlan& plan,
                    const ScatteredPoints& points, const PointCells& cells, ScatteredMethod method);

  // Whether any leaf varies along an axis that can be transformed.
  bool has_any() const { return !leaves_.empty(); }

  // Of points that lie in one cell, as numbers of the list: values[leaf][i], a list for each leaf of the plan, empty
  // where sums over the coefficients are left to the caller.
  std::vector<std::vector<double>> values(std::span<const std::size_t> points, int n_threads);

 private:
  struct Leaf;
  struct Coordinates;
  struct Group;

  Leaf place(const PointPlan::SeriesLeaf& leaf, std::size_t window, const Coordinates& coordinates) const;
  void transform(const Group& group, const Coordinates& coordinates, int n_threads,
                 std::vector<std::vector<double>>& values);

  const Solution& solution_;
  const WindowBases& bases_;
  const ScatteredPoints& points_;
  const PointCells& cells_;
  ScatteredMethod method_;
  std::size_t n_leaves_;
  std::vector<PointPlan::SeriesLeaf> leaves_;
  std::map<std::vector<Index>, std::unique_ptr<NonuniformPlan>> plans_;  // by their modes; costly, and of no points
};

}  // namespace gwrm
