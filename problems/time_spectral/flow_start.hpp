// Flows that start: times t* at which an unknown that keeps a constraint, the pressure, is not smooth, although the
// velocities that it drives are continuous (wall_slip.hpp).
//
// times     The start of the run where the slip a_s of the acceleration is felt: a_s (t1 - t0) above the tolerance of
//           the largest velocity there is, or that the acceleration would make of it until t1, the end of the run. Later
//           the times at which forces, constraints or walls have a kink or a jump.
// window    The first one from t* is h1 = 0.3 tol |u| / (c_K a_s) long, c_K = 0.09/K^2 (error of u in one window of K
//           nodes on a half line over a_s h: 5.6e-3, 2.4e-3, 1.4e-3, 6.0e-4 for K = 4, 6, 8, 12); a hundredth of the
//           run at most, and no longer than dt(u) takes to change u by half its size. The last coefficients in time of
//           the pressure, which fall like h^(1/2) whatever the degree, do not count in it.
// verdict   The error of the pressure is judged from t* + 2 h on, h the length of the first window of the answer from
//           t*, at most a twentieth of the run after t*; and in its mean over the time from the first t* on.
// Source    docs/numerics.md 6.
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "output/left_out.hpp"
#include "problems/time_spectral/wall_slip.hpp"

namespace gwrm {

struct FlowStarts {
  std::vector<bool> unknowns;  // per unknown: keeps a constraint; empty: there are no such starts
  std::vector<double> times;   // t*, ascending
  double start = 0.0, end = 0.0;  // of the run
  double slip = 0.0;              // a_s at the start of the run, if that is one of the times
  std::string where;              // "y = 1": of its largest value
  bool starts_from_rest = false;  // an unknown that is driven is zero at the start of the run: its size is yet unknown

  bool is_one(double t) const;  // but for rounding
  // Those whose last coefficients in time do not count in a window that starts at t.
  std::vector<bool> not_judged_in_time(double t) const { return is_one(t) ? unknowns : std::vector<bool>{}; }
  // From when on they are judged, after a first window of this length.
  double judged_from(double t, double length) const;
};

// Without parameters that are solved point by point.
FlowStarts flow_starts(const Case& the_case, const Model& model, const SystemPlan& plan);

// h1 of a window of K nodes. sizes: per unknown, of the run as far as they are known; 0: not known.
double first_flow_window(const FlowStarts& starts, const WallSlip& slip, const std::vector<double>& sizes,
                         double tolerance, int K);

// Where unknowns are not judged after a start at t whose first window has this length.
std::vector<LeftOut> left_out_of(const FlowStarts& starts, const Model& model, double t, double length);

// What a user reads of it; empty: nothing.
std::vector<std::string> describe(const Model& model, const FlowStarts& starts);

}  // namespace gwrm
