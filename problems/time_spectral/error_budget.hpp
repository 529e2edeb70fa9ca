// Where the error of the answer comes from, and how much perturbations of the initial values grow: `verification:
// {estimate: budget}`.
//
// e = V - U (error_estimate.hpp), to first order, solves in every window, J and V those of the finer space,
//     J(V) y = -(R + dR/ds e(start)),   e(end) = the state at the end of y, whose state at the start is e(start),
// s the state at the start of the window, R the residual of U there. That is linear in R and in e(start), so e is the
// sum of
//   time        from the rows of equations in modes of space in which the run solves them too: what time leaves out,
//               and parameters between the points at which they were solved
//   space       from their rows in further modes, and from what the run leaves out of the initial values
//   conditions  from the rows of boundary conditions and of continuity
// each carried from window to window by itself. So are three smooth random perturbations of the initial values, with
// R = 0. dR/ds e is a difference quotient. Cost: six residuals and linear solves in every part of a window.
// Norms: root mean squares over space and the time of a part, the largest of the run, relative to the field's own; of
// all fields the largest. Source: docs/method.md 8.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "output/report.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/window.hpp"
#include "weighted_residual/model/size_coupling.hpp"

namespace gwrm {

class ErrorBudget {
 public:
  ErrorBudget(const Model& model, std::size_t n_points);

  // The window of point p on the finer space was solved, by this solver; U over the same time or more. Several threads
  // may call it at once, each for a point of its own.
  void carry(std::size_t p, Window& finer, LinearSolver& solver, const MarchWindow& run);
  // All points were: their next windows follow.
  void accept();
  // Nothing where a linear solve failed, or where windows were solved on a device.
  std::optional<ErrorBudgetParts> result() const;

 private:
  static constexpr std::size_t kTime = 0, kSpace = 1, kConditions = 2, kPerturbations = 3, kParts = 6;
  struct Point {
    bool begun = false;
    std::vector<AxisDescription> subdomains;  // of the states
    std::array<State, kParts> states;         // at the end of the last window
    // Root mean squares per field: of the field, of each part, and of the perturbations as they began.
    std::vector<double> sizes;
    std::array<std::vector<double>, kParts> largest, begun_with;
  };

  void begin(Point& point, const Window& finer, const State& of_run) const;
  void measure(Point& point, std::size_t k, const Window& finer, const std::vector<double>& y) const;
  std::array<std::vector<double>, kPerturbations> shares(const Window& finer, const MarchWindow& run,
                                                         const std::vector<double>& residual) const;

  const Model& model_;
  SizeCoupling coupling_;
  std::vector<Point> points_;
  std::vector<std::optional<Point>> pending_;
  bool complete_ = true;
};

}  // namespace gwrm
