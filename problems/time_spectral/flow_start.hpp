// Flows that start: times t* at which an unknown that keeps a constraint, the pressure, is not smooth, although the
// velocities that it drives are continuous (wall_slip.hpp).
//
// times     The start of the run where the slip a_s of the acceleration is felt: a_s (t1 - t0) above the tolerance of
//           the largest velocity there is, or that the acceleration would make of it until t1, the end of the run.
//           Later the times at which forces, constraints or walls have a kink or a jump.
// degree    3 a_s l^2/(nu |u| N^4) is the largest error of u in space, l half the width of the subdomain at the wall,
//           however short the window: N for half the tolerance. (2.8 to 3.8 for three flows, three nu, N = 16 to 48.)
// window    The first one from t* is h1 = 0.3 tol |u| / (c_K a_s) long, c_K = 0.09/K^2 (error of u in one window of K
//           nodes on a half line over a_s h: 5.6e-3, 2.4e-3, 1.4e-3, 6.0e-4 for K = 4, 6, 8, 12); a hundredth of the
//           run at most, and no longer than dt(u) takes to change u by half its size. The last coefficients of the
//           pressure, which fall like h^(1/2) whatever the degree, do not count in it; those of u fall like h, and
//           leave 0.6 of themselves as the error of u: they are allowed the tolerance. Its nodes are at least
//           log(1/tol)/log(4): the windows after it, three times as long as the one before, have the start of the
//           pressure beside them.
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
  std::vector<bool> unknowns;     // per unknown: keeps a constraint; empty: there are no such starts
  std::vector<double> times;      // t*, ascending
  double start = 0.0, end = 0.0;  // of the run
  double slip = 0.0;              // a_s at the start of the run, if that is one of the times
  std::string where;              // "y = 1": of its largest value
  bool starts_from_rest = false;  // an unknown that is driven is zero at the start of the run: its size is yet unknown

  bool is_one(double t) const;  // but for rounding
  // Those whose last coefficients do not count in a window that starts at t.
  std::vector<bool> ignored_from(double t) const { return is_one(t) ? unknowns : std::vector<bool>{}; }
  // From when on they are judged, after a first window of this length.
  double judged_from(double t, double length) const;
};

// Without parameters that are solved point by point.
FlowStarts flow_starts(const Case& the_case, const Model& model, const SystemPlan& plan);

// h1 of a window of K nodes. sizes: per unknown, of the run as far as they are known; 0: not known.
double first_flow_window(const FlowStarts& starts, const WallSlip& slip, const std::vector<double>& sizes,
                         double tolerance, int K);

// The least degrees along axes with walls; the present ones where these are higher, or limits lower.
std::vector<AxisDescription> flow_degrees(const FlowStarts& starts, const WallSlip& slip,
                                          const std::vector<double>& sizes, double tolerance, int most,
                                          std::vector<AxisDescription> subdomains);

// Nodes of a first window.
int flow_nodes(double tolerance);

// Where unknowns are not judged after a start at t whose first window has this length.
std::vector<LeftOut> left_out_of(const FlowStarts& starts, const Model& model, double t, double length);

// What a user reads of it; empty: nothing.
std::vector<std::string> describe(const Model& model, const FlowStarts& starts);

}  // namespace gwrm
