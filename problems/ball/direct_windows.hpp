// Which windows with terms are solved directly (axisymmetric_solver.hpp) in place of GMRES, and their factors.
//
// Rule      Terms that do not change about the axis, factors of at most 1 GB. A window of a new length is solved by
//           GMRES; when the windows of this length, with those that are still expected, have cost more operations than
//           the matrices and their factors, or where GMRES fails, the rest of them are solved directly: at most twice
//           what the better choice from the start would have cost, without knowing how many follow. Operations, not
//           times: two runs take the same choice.
// Costs     in operations as fast as those of LU, measured on one core (kinematic dynamo, r 30, l 24, m 1, K 8): an
//           iteration K applications of the terms, which run at half that speed, and preconditioner and Gram-Schmidt at
//           a sixth of it; columns as many applications; factors 16 K n b^2 (n unknowns, width b).
#pragma once

#include <memory>
#include <vector>

#include "problems/ball/axisymmetric_solver.hpp"

namespace gwrm::ball {

struct DirectCosts {
  bool possible = false;
  double iteration = 0.0, factors = 0.0;  // operations
  double bytes = 0.0;

  // So many iterations of GMRES at one length cost as much.
  double break_even() const { return factors / iteration; }
};

// From the degrees alone: all parts and degrees in one family for every order.
DirectCosts direct_costs(const BallModel& model, const Degrees& degrees);

class DirectWindows {
 public:
  // n_alike: windows of one length that are expected, at least.
  DirectWindows(const BallModel& model, const BallSpace& space, const BallTerms& terms, int n_alike);

  bool is_possible() const { return costs_.possible; }
  // Whether windows of this length are solved directly by now.
  bool is_due(double window_length) const { return length_ == window_length && due_; }
  // What GMRES has taken for one.
  void count(double window_length, int iterations, bool failed);
  // d for the right-hand side r, as DiffusionSolver::solve. False where a matrix is singular to rounding.
  bool solve(double window_length, const double* r, double* d);

 private:
  const BallSpace& space_;
  const BallTerms& terms_;
  Index reach_;
  DirectCosts costs_;
  int n_alike_;
  double length_ = 0.0, spent_ = 0.0;
  bool due_ = false;
  std::vector<AxisymmetricFamily> families_;  // made for the first direct solve
  std::unique_ptr<AxisymmetricSolver> solver_;
};

}  // namespace gwrm::ball
