// Growth rates and frequencies of the modes of a linear problem, by Arnoldi's method on the propagator of one window.
//
// Formula   c(t + h) = A c(t), A v = mu v, sigma = log(mu) / h: rate Re sigma, frequency |Im sigma| (below pi/h).
//           The largest |mu| come first; residual = |A v - mu v| / (|mu| h |v|), what it may change sigma by but for
//           the condition of the mode.
// Cost      one window a step; 12 steps at h = 0.05, 29 at 0.01 for the modes of method/ball, section 6.
// Source    Arnoldi (1951): solver/arnoldi.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "problems/ball/window_solver.hpp"

namespace gwrm::ball {

struct GrowthMode {
  double rate = 0.0, frequency = 0.0, residual = 0.0;
};

struct GrowthResult {
  std::vector<GrowthMode> modes;  // a complex pair is one
  int n_windows = 0;
  double window = 0.0;
  std::string failure;  // why no modes were found; empty: they were
};

// From the initial values (from numbers of no structure where these are zero); ends when the residuals of so many modes
// are below the tolerance, or after kMostWindows. device: that solves the windows.
GrowthResult find_growth(const BallModel& model, const BallSpace& space, const std::function<bool()>& interrupted,
                         WindowDevice* device = nullptr);

}  // namespace gwrm::ball
