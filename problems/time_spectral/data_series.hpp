// Which degrees resolve the data of a case along periodic axes and parameters: where their series end.
//
// Data   problems/unseen_data.hpp; what depends on several axes is looked at along one at a few places of the others.
// Series of each of the data on 4096 points of the axis, Fourier or Chebyshev (in the mapped coordinate of a log map,
//        on the likely part of a parameter with a distribution), a_k the root of the sum of squares of level k. On four
//        times as many points as long as the degree found is above half of what the points show, or the series misses
//        the data between them; on 65536 points the last time, on 16384 where levels fall by a power. Levels below
//        rounding are left out.
// Scale  the largest magnitude on the points. The source of an equation counts for what it does in the answer: level k
//        for (k0/k)^m, m the lowest order along the axis of the unknowns in the equation, k0 the largest level.
// Cost   0.1 to 0.5 ms for each of the data on 4096 points.
// Source: J. P. Boyd, Chebyshev and Fourier Spectral Methods (2001), sections 2.12 and 11.2 (what aliasing hides); for
// cutting series of data where they end, J. L. Aurentz, L. N. Trefethen, ACM Trans. Math. Softw. 43 (2017) 33.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/solution.hpp"
#include "problems/unseen_data.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Of one of the data along one axis.
struct DataSeries {
  int axis = -1;
  bool initial = false, exact = false;  // as those of Data
  bool multiplies = false;              // unknowns; else a source or a value
  std::string text;                     // "equation 1: cos(24*x)"
  std::vector<double> behind;           // [level]: the sum of the a_k of all higher levels, relative to the scale
  bool is_resolved = false;             // by the points on which it was looked at

  // The lowest degree that leaves out no more than `share`; -1: none that is known.
  int degree_for(double share) const;
  double behind_degree(int degree) const;
  int most_skipped(double share) const;  // levels in turn without more than the share of it, below degree_for(share)
  // Whether levels fall by a power only, or not to `share`: longer series gain little, and what one leaves out shows in
  // its last coefficients. The rest behind half the degree is less than twenty times that behind the whole one.
  bool falls_slowly(double share) const;
};

// Along the periodic axes of space, and along parameters that are not divided.
std::vector<DataSeries> series_of_data(const Model& model, std::span<const Data> data);
bool has_data_series(const Model& model, int axis);

// Of the tolerance: what degrees that resolve the data leave out.
inline constexpr double kDataShare = 0.1;

// What the data ask for along each axis; 0: nothing.
struct DataDegrees {
  // The degree that resolves all data which do not fall slowly.
  std::vector<int> resolving;
  // Along periodic axes, the most levels in turn that such data have nothing in, below their last one: 24 of cos(24*x).
  // Products of the answer with them (linear equations: with what multiplies unknowns) may skip as many, so that fewer
  // last levels of the answer show nothing.
  std::vector<int> skipped;
};
DataDegrees data_degrees(const Model& model, std::span<const DataSeries> series, double tolerance);

// The subdomains of an automatic run at its start: with degrees that resolve the data which act all the time, those of
// parameters and `exact` included, on the axes whose degree the case leaves open. What needs more than a limit allows
// stays as it is (beyond_limits() reports it).
Model with_degrees_of_data(const Case& the_case, Model model);
// ... and of its initial values.
void resolve_initial_data(const Case::Resolution& resolution, const Model& model,
                          std::vector<AxisDescription>& subdomains);
// How many last levels of the answer of an automatic run show, along each axis, that it is resolved; 0: no more than
// without data. No more than where a limit on degrees leaves room for so many behind the data.
std::vector<int> levels_that_show(const Case::Resolution& resolution, const Model& model);
// "equation 1: cos(40*x) needs degree 40 along x; raise resolution.limits.degree, which is 30": the first of the data
// of which more than `allowed` is behind the highest degree of an automatic run; empty: none.
std::string beyond_limits(const Case::Resolution& resolution, const Model& model, double allowed);

// `finer` (subdomains of a finer solution than that on `of_run`) with degrees that see, along the periodic axes, the
// data and their products with the answer, where that is affordable: four times as many coefficients, or 400 of them.
std::vector<AxisDescription> with_unseen_data(const Model& model, const DataDegrees& data,
                                              const std::vector<AxisDescription>& of_run,
                                              std::vector<AxisDescription> finer);

// Data along periodic axes whose levels behind the degrees of an answer make more than the tolerance of them.
struct UnresolvedData {
  std::vector<Check> checks;       // of kind "data": those that the finer solution of the estimate does not see either
  std::vector<std::string> hints;  // those that it sees, and so judges
};
// The finer solution: that of with_unseen_data() if sees_data, else a quarter finer.
UnresolvedData unresolved_data(const Case& the_case, const Model& model, const std::vector<AxisDescription>& subdomains,
                               bool sees_data);
// ... of an answer; its initial values on the subdomains of the first window.
UnresolvedData unresolved_data(const Case& the_case, const Model& model, const Solution& answer);

}  // namespace gwrm
