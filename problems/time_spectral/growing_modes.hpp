// Modes of the linearised equations that grow, and the longest windows in which the time discretisation follows them.
//
// Radau IIA with K nodes carries a perturbation exp(lambda t) over a window of length h by the factor R_K(h lambda),
//   R_K(z) = P(z)/Q(z),  P(z) = sum_{j<K} c_j(K - 1) z^j,  Q(z) = sum_{j<=K} c_j(K) (-z)^j,
//   c_j(n) = (2K - 1 - j)! n! / ((2K - 1)! j! (n - j)!),
// the Pade approximation of exp(z) of degrees K - 1, K. It is small for large |z|, for Re z > 0 as well: a growing mode
// is then damped, in a run and in its finer solution alike, and their difference does not show it. A mode is followed
// where
//   |R_K(z) exp(-z) - 1| <= 0.1 min(1, Re z).
//
// Modes: (sum_p B_p lambda^-p) v = 0, B_p the coefficients of p-fold time integrals in the linearised rows
// (averaged_rows.hpp), taken at single nodes of the window. With the unit 1/sigma of time, sigma = 1/h, and powers of
// lambda as further unknowns this is A x = lambda E x, solved as (A - sigma E)^-1 E x = x / (lambda - sigma). Infinite
// lambda, of constraints, and lambda that a relative change 1e-12 of the matrix moves by a tenth do not count.
//
// In space, of matrices of up to 300 rows: those of linear equations whose coefficients do not depend on t, on periodic
// axes, are found once, by all eigenvalues. Of all others Arnoldi's iteration finds those nearest to sigma, the fastest
// first, and a discretisation has growing modes of its own: a mode counts if its last quarter of levels along each axis
// holds less than a tenth of it, and if on three quarters of the degrees there is one within a tenth of lambda and a
// quarter of its rate. They are looked for in windows longer than a 24th of the time, and, where those of one
// window serve the next ones, in the first window of each eighth of the time.
// Source: Hairer and Wanner, Solving Ordinary Differential Equations II, IV.3 and IV.5.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "problems/time_spectral/window.hpp"

namespace gwrm {

// |R_K(z) exp(-z) - 1| <= 0.1 min(1, Re z), for Re z > 0.
bool is_followed(std::complex<double> z, int n_nodes);

// The lambda with Re lambda > 0 and Im lambda >= 0 at up to four nodes of windows, in 1/time. Where they do not depend
// on the window (linear equations whose coefficients do not depend on t), they are found once.
//
// None are looked for, and there are none, but with Radau in time and no space, or a matrix of no more than 300 rows.
class GrowingModes {
 public:
  // lends: to later windows, in the same eighth of the time, of equations in space. Else what is found in a window does
  // not depend on those before it, nor on where a run was continued.
  explicit GrowingModes(bool lends = false) : lends_(lends) {}
  const std::vector<std::complex<double>>& at(const std::vector<std::unique_ptr<Window>>& windows);
  // After at(): the largest Re lambda of modes that do not depend on the window; 0: none, or not known.
  double constant_rate() const;

 private:
  bool is_asked_for(const Window& window) const;

  bool lends_;
  std::vector<std::complex<double>> modes_;
  Index known_size_ = -1;  // rows in space that modes_ are good for; -1: none
};

// Of those that grow in the time `ahead` by more than `factor`, and by half at least: the longest window, no longer
// than `length`, of n_nodes that follows them all. rate: of the one that decides; 0 where none does.
struct FollowedLength {
  double length = 0.0, rate = 0.0;
};
FollowedLength followed_length(const std::vector<std::complex<double>>& modes, double length, int n_nodes, double ahead,
                               double factor);

}  // namespace gwrm
