// Windows, subdomains and degrees that follow a tolerance (step_control.hpp, tails.hpp).
#pragma once

#include <limits>

#include "problems/time_spectral/growing_modes.hpp"
#include "problems/time_spectral/run_watch.hpp"
#include "problems/time_spectral/time_attempts.hpp"
#include "problems/time_spectral/window_march.hpp"
#include "problems/time_spectral/window_pace.hpp"

namespace gwrm {

class AutomaticMarch : public WindowMarch {
 public:
  // watch: asked by the input whether to stop.
  AutomaticMarch(const MarchInput& input, RunWatch& watch);

 private:
  void advance(double next_step) override;
  // Where windows end in any case: the edges of the case, and the times at which its data are not smooth.
  void find_stops();
  double exact(double length) const;  // rounded so that equal windows are equal to the bit
  struct Step {
    bool accepted = false;
    double next_length = 0.0;  // of the next window, or of the next attempt at this one; that 0: the march ends here
  };
  // One window, its subdomains refined until they are good.
  // shortest: no window from this start has to be shorter for what its last coefficients in time are
  // (sudden_start.hpp); 0: there is no such length.
  Step solve_resolved(double start, double end, const StepTolerances& tolerances, double shortest);
  // The present start-up, or null.
  const SuddenStart* start_up() const { return sudden_start_at(settings_.starts, now_); }
  // Of the window that begins now, from the length proposed for it.
  double length_in_start_up(const SuddenStart& start, double proposed, double& shortest);
  // Subdomains on which the initial values are polynomials to the tolerance: else their truncation would clash with the
  // boundary conditions, and no window would be short enough.
  bool resolve_initial(double tolerance);
  // Subdomains and degree in t of the next window, of about this length, from the last one.
  void choose_subdomains(double length, const StepTolerances& tolerances);
  // Finer subdomains where the next window will need them: in several dimensions an attempt on too coarse ones is dear.
  void anticipate(double length, double tolerance);
  // A field that starts from zero is as small as the window is short: diffusion from u0 = 0 gives u = t f(x/sqrt t)
  // near a wall, whose tails relative to itself are the same in every window. What its tails are small against is its
  // largest size in the attempts at the first window that show its shape.
  void learn_sizes(const Tails& tails);
  // Behind or at windows that start or end at `from`: the degree in t that is cheapest from there on (time_degree.hpp),
  // and the length that goes with it, `growth` times that of the windows at most. 0: there is nothing to choose.
  struct TimeStep {
    int degree = 0;
    double length = 0.0;
  };
  // Per level in t, of what counts, the largest of all parameter points (time_levels()).
  std::vector<double> levels_in_time(const PointWindows& windows, const FieldScales& sizes) const;
  // Of the next length behind the present window: one that begins h later after a start of a flow at distance a is as
  // near to it as this one if it is 1 + h/a times as long. 1 where the coefficients in t fall more slowly than that
  // start, at the edge of their ellipse of convergence, lets expect.
  double growth_behind_start() const;
  TimeStep cheapest_step(const PointWindows& windows, double from, double tolerance, double growth) const;
  // Ends the march where the run has exceeded resolution.limits.time or will.
  bool takes_too_long();
  // What keeps windows short and subdomains many, as far as it can be seen; else what is seen of it.
  std::string what_holds(const std::string& else_this = "") const;
  // Unknowns without dt whose tails in time above `allowed` are not a matter of the window's length, while those of all
  // others are small enough: they do not count from now on. The largest tail of what does.
  double drop_unmoved(const Tails& tails, double allowed);
  std::string unmoved_text() const;  // of those that are not dropped: for a failure
  // Of all parameter points.
  Tails tails_of(const PointWindows& windows) const;
  // h1 of a flow that starts now (flow_start.hpp).
  double length_at_flow_start();
  // A window in which the first term of the Taylor series moves the fields by half their size, and, where initial and
  // boundary data clash, no more than the tolerance; that not for fields from zero, whose sizes are yet to be found.
  double first_length();

  const bool chooses_time_degree_;
  // Projected initial values miss conditions on derivatives by far more than their tail, and the first window carries
  // that from its start to the first of its nodes: with few of them it is seen.
  const bool keeps_first_degree_;
  const std::vector<int> levels_;  // per axis: last levels that show whether space is resolved (data_series.hpp)
  const SystemPlan& plan_;
  RunWatch& watch_;
  WindowPace pace_;
  Tails tails_;                                                    // of the last attempt
  std::vector<double> stops_;                                      // ascending; the last one is the end
  double flow_from_ = std::numeric_limits<double>::quiet_NaN();    // the start of the last attempt
  double flow_judged_ = std::numeric_limits<double>::quiet_NaN();  // from when on pressure is judged
  TimeAttempts attempts_;
  std::vector<bool> dropped_;                                   // per unknown, by drop_unmoved(); empty: none
  double untested_ = std::numeric_limits<double>::quiet_NaN();  // the start of the last window without a test in time
  double failed_start_ = std::numeric_limits<double>::quiet_NaN();  // of the last attempt in which Newton failed
  double cut_from_ = 0.0;        // the length that the present window would have without stops; 0: it has it
  std::vector<bool> from_zero_;  // per field: has initial values, and they are zero at all parameter points
  PointWindows rejected_;        // solved, but too long
  GrowingModes growing_modes_;
  double rate_ = 0.0;  // of the mode for which a window was shortened last
  double rejected_start_ = std::numeric_limits<double>::quiet_NaN(), rejected_tail_ = 0.0;
};

}  // namespace gwrm
