// Windows, subdomains and degrees that follow a tolerance (step_control.hpp, tails.hpp).
#pragma once

#include <limits>

#include "problems/time_spectral/window_march.hpp"
#include "problems/time_spectral/window_pace.hpp"

namespace gwrm {

class AutomaticMarch : public WindowMarch {
 public:
  using WindowMarch::WindowMarch;

 private:
  void advance(double next_step) override;
  // One window, its subdomains refined until they are good. False: nothing accepted; `shorter` > 0 is the length to try
  // next.
  bool solve_resolved(double start, double end, const StepTolerances& tolerances, double& shorter, double& longer);
  // Pieces on which the initial values are polynomials to the tolerance: else their truncation would clash with the
  // boundary conditions, and no window would be short enough.
  bool resolve_initial(double tolerance);
  // Pieces of the next window, of about this length, from the last one.
  void choose_pieces(double length, double tolerance);
  // Finer pieces where the next window will need them: in several dimensions an attempt on too coarse ones is dear.
  void anticipate(double length, double tolerance);
  // Of all parameter points.
  Tails tails_of(const PointWindows& windows) const;
  // A window in which the first term of the Taylor series moves the fields by half their size, and, where initial and
  // boundary data clash, no more than the tolerance.
  double first_length();

  WindowPace pace_;
  PointWindows rejected_;  // solved, but too long
  double rejected_start_ = std::numeric_limits<double>::quiet_NaN(), rejected_tail_ = 0.0;
};

}  // namespace gwrm
