// What the finer solution V of an estimate (error_estimate.hpp) leaves out as the run's U does: U and V see the
// equations on their points only, and both miss what lies between: a source whose waves the points alias, a pulse
// narrower than their distance.
//
// points  independent of both grids: a few more than V has modes, in one dimension some 1000 of a steady problem
//         and 100 in each window of one in time; the filter looks at 50 along each of two axes, 24 of three
//         Where data hold a feature between them that the tolerance would feel (places_between.hpp), the axis is
//         divided toward it, with 8 points in each part
// filter  nothing is done where rms R(V) <= 0.5 rms R(U), R the residual of an equation: V has what U lacks. Nor where
//         rms R(V) is 1e-4 of the tolerance, relative to the terms of the equation, or what changes of V's coefficients
//         by rounding make of it
// P       projection onto V's functions by quadrature over these points (AxisBasis::analysis); a narrow source acts by
//         its integral
// V       becomes V - J(V)^-1 (P R(V) + q), q for each axis a function of the last quarter of V's levels with random
//         signs and of the root mean square of what P leaves of R(V) along this axis: what V still lacks may do as
//         much. So e = V - U has what the points did not show, and the windows behind carry it
// start   of an answer like t^a only the first window has the error, and its series in time is too short to show a law.
//         But where rms R(U) falls as t^(a-1), 1e-9 to 1e-4 of the window behind its start, 0.05 < 1 - a < 1, V - U
//         holds the share 1 - (m (K_V/K)^2)^-a of it, m the number of parts, K_V and K the degrees in time. Where V was
//         corrected there, V - U was measured to hold 0.65 and more: nothing is added
// Cost: one residual of V on the points in each window, and one of U where V's is not small; where the filter lets
// through, factors of the window and one solve.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "output/evaluate_subdomains.hpp"
#include "problems/time_spectral/check_grid.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/places_between.hpp"
#include "problems/time_spectral/point_solver.hpp"

namespace gwrm {

class FinerResidual {
 public:
  explicit FinerResidual(const MarchInput& input);

  // V of one part of a window of the run, solved by `solver`, is corrected. MemoryError where V cannot be factored.
  void correct(const MarchWindow& run, const PointWindows& finer, PointSolver& solver);
  // Residuals at these corners of a steady problem do not count.
  void leave_out_corners(const std::vector<LeftOut>& corners) { corners_ = corners; }
  // Of the error, what V - U holds: 1, but of an answer with a singularity where the run starts. Known from the first
  // window on, which is asked for first, after correct().
  double share_at_start(const MarchWindow& run, const PointWindows& finer);

 private:
  // R of every equation at the points, extent 1 along axes on which it does not depend.
  std::vector<Array> residuals(const Solution& solution, const CheckGrid& grid, TrialMatrices& known);
  // Points toward features of the data between those of `grid`.
  GridPoints features_between(const CheckGrid& grid, const Solution& of_finer);
  void mask(std::vector<Array>& values, const CheckGrid& grid) const;
  bool is_left_out(const Solution& of_run, const Solution& of_finer, const CheckGrid& grid,
                   const std::vector<Array>& of_v);
  void correct(Window& finer, LinearSolver& solver, const std::vector<Array>& left_out, const CheckGrid& grid);

  const Context& context_;
  const Model model_;  // with a pool of its own: evaluating expressions adds to it
  const std::vector<std::vector<double>>& parameters_;
  const double tolerance_;
  PlacesBetween places_;
  std::vector<expression::Expr> residuals_, magnitudes_;  // of equations
  std::vector<double> sizes_;                             // rms of the magnitudes: the largest so far
  TrialMatrices of_run_, of_finer_;                       // the spatial points mostly are those of the last window
  std::minstd_rand random_;
  std::optional<double> share_at_start_;
  bool has_corrected_ = false;
  std::vector<LeftOut> corners_;
};

// Whether FinerResidual can look at such a model: its axes are divided as their bases' own grids are.
bool has_independent_points(const Model& model);

}  // namespace gwrm
