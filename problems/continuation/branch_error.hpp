// How large the error of a branch is: every point is solved once more on finer subdomains, from the branch's own
// polynomials. What this changes is the estimate.
//
// U, p   a point of the branch; V, q the one on finer subdomains (problems/time_spectral/finer_comparison.hpp), by
// Newton's
//        iteration on F(V, q) = 0 and one more condition, which says what point is compared with what:
//            V(x*) = U(x*)   x* where the unknown changes most along the branch (by the tangent), relative to its size,
//            q = p           where the parameter changes more than any unknown.
//        The system is regular wherever the branch is a curve, at folds too (its matrix is singular only where the
//        fixed component does not change along the branch). At a given parameter the distance of two curves near their
//        folds is the root of their true one.
// e      = V - U and q - p. With what changes most fixed, e is at most twice as large as the distance of the two curves
//        along any other section.
// Between the points the branch is a cubic in s, which is not looked at here (branch_verification.hpp).
#pragma once

#include <functional>
#include <vector>

#include "case/case.hpp"
#include "output/report.hpp"
#include "problems/time_spectral/series_losses.hpp"
#include "solver/branch_metric.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// system: that of the points, with the parameter as its last unknown. Per field, the parameter the last of them: the
// largest |e| over all points, relative to the largest magnitude over the branch (of the parameter too), at (s, the
// coordinates); and that of the last point. Missing where memory does not suffice, or Newton's iteration fails.
ErrorEstimate estimate_branch_error(const Case& the_case, const WindowSystem& system,
                                    const std::vector<BranchPoint>& points, const std::function<bool()>& interrupted);

// What the series of all points have behind each level, of the worst point.
Losses branch_losses(const WindowSystem& system, const std::vector<BranchPoint>& points);

}  // namespace gwrm
