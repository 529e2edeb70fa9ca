// The branch of solutions of F(u, p) = 0 over a parameter p, point after point.
//
// Predictor  x + h t along the tangent t = dx/ds.
// Corrector  Newton on F = 0 with one more row: t . (x - predicted) = 0 in the branch's norm (arclength), or p =
//            predicted (natural: cannot pass a fold).
// Tangent    F_x t = 0 and |t| = 1, from the matrix of the corrector with the last tangent in its border, which also
//            keeps the direction.
// Step       h * clip(min(2^((3 - iterations)/2), 0.15/angle), 1/2, 2), angle that between the tangents; halved and
//            repeated where Newton fails, the angle exceeds 0.4 (but not at a kink, however small the step), or the
//            point is further than h/2 from the prediction (another branch).
// Folds      a sign change of dp/ds between two points; located by regula falsi (Illinois) on dp/ds over the chord, and
//            inserted as a point of the branch.
// End        p reaches `to`, or comes back to `from`: exactly there.
// Source: Keller 1977; Allgower and Georg, "Numerical Continuation Methods", 1990; norm and curve: branch_metric.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/linear_algebra/dense_lu.hpp"
#include "solver/branch_metric.hpp"
#include "solver/newton.hpp"

namespace gwrm {

// F as a square system in (u, p): one of its rows is free and replaced by the corrector's.
struct BranchEquations {
  NonlinearSystem& system;
  Index free_row = 0;
  BranchUnknowns unknowns;
};

struct BranchSettings {
  double from = 0.0, to = 0.0;
  bool arclength = true;
  double first_step = 0.0;  // in p; 0: a twentieth of the arc in which the branch would cover the way to `to`
  int max_points = 500;     // folds and end points included
  NewtonOptions newton;     // of the first point; later ones take its tolerance and the natural test
};

enum class BranchStatus {
  reached_end,   // p = to
  came_back,     // p = from again, behind a fold
  point_limit,   // max_points
  first_failed,  // no solution found at `from`
  step_failed,   // the step became too small
  interrupted
};

struct BranchEnd {
  BranchStatus status = BranchStatus::reached_end;
  NewtonStatus newton = NewtonStatus::converged;  // of the last failure
  std::string detail;
  double parameter = 0.0;  // at the last point; first_failed: from
  int n_factorisations = 0;
};

using BranchPointSink = std::function<void(const BranchPoint&, const std::vector<NewtonIteration>&)>;

// guess: starting values for the first point (the parameter's does not count). `point_done` takes every point in the
// order of the branch.
BranchEnd follow_branch(const BranchEquations& equations, const BranchSettings& settings, DenseLu& lu,
                        std::vector<double> guess, const BranchPointSink& point_done,
                        const std::function<bool()>& interrupted = {});

}  // namespace gwrm
