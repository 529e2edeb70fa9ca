// Growth rates and frequencies of the modes of a linear problem, by Arnoldi's method on the propagator of one window.
//
// Formula   M dc/dt = A c. The propagator of a window of length h is R(h M^-1 A), R the stability function of the Radau
//           nodes, so that its eigenvalues are mu = R(h sigma) and its eigenvectors v those of (A, M). The Rayleigh
//           quotient <v, A v>/<v, M v> selects the solution sigma of R(h sigma) = mu: rate Re sigma, frequency
//           |Im sigma|. A logarithm of mu would give frequencies modulo 2 pi/h, and the decay of R instead of exp.
//           Residual: |P v - mu v| / (|h R'(h sigma)| |v|), the change of sigma that it may stand for (times the
//           condition of the mode); at least the distance to the Rayleigh quotient if that does not select a solution.
// Start     random coefficients in every harmonic, every field and both parities; not the initial values of the case.
//           The numbers are from a fixed sequence of integers: two runs give bitwise identical modes.
// Window    h <= y/(rotation + frequencies of the flow) and h <= z/(slowest decay): R(iy) damps a neutral mode by less
//           than 1e-6, R(-z) differs from exp(-z) by less than a tenth of it and is twice |R| of all faster decays.
//           Otherwise fast neutral modes are damped and missed, or the largest |mu| is that of a fast decay.
// Modes     equal rates and frequencies (cosine and sine of an order; orders without rotation) count once.
// Cost      one window a step.
// Source    Arnoldi (1951): solver/arnoldi.hpp; Hairer and Wanner, Solving ODEs II, IV.3 and IV.5.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "problems/ball/window_solver.hpp"

namespace gwrm::ball {

struct GrowthMode {
  double rate = 0.0, frequency = 0.0, residual = 0.0;
};

struct GrowthResult {
  std::vector<GrowthMode> modes;      // the fastest growing first; a complex pair is one
  std::vector<GrowthMode> converged;  // all whose residuals are below the tolerance, those of `modes` among them
  int n_windows = 0;
  double window = 0.0;
  std::string failure;  // why no modes were found; empty: they were
};

// A search that checks another one: another start, a shorter window, and the modes that it should find.
struct GrowthSearch {
  double window_share = 1.0;  // of the length that the section and the limits give
  std::uint64_t seed = 1;
  std::vector<GrowthMode> expected;  // the search continues until these have converged, for a limited time
};

// Ends when the residuals of so many modes are below the tolerance, or after kMostWindows. device: solves the windows.
GrowthResult find_growth(const BallModel& model, const BallSpace& space, const std::function<bool()>& interrupted,
                         WindowDevice* device = nullptr, const GrowthSearch& search = {});

// What two rates are compared by: the larger of their modulus and the slowest decay pi^2 kappa / R^2.
double growth_scale(const BallSpace& space, const GrowthMode& mode);
double growth_distance(const GrowthMode& a, const GrowthMode& b);

}  // namespace gwrm::ball
