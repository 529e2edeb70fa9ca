// Newton's iteration (solver/newton.hpp) for a window that several ranks share, by GMRES with the time-averaged
// preconditioner of a method that shared_preconditioner.hpp has.
//
// What a rank finds wrong all learn before they decide: every rank leaves with the same status, the same iterations,
// and its part of the same x, whatever their number (Communicator::agree, sums of SharedVectors).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solver/newton.hpp"
#include "weighted_residual/preconditioner/shared_preconditioner.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

// Why it does not serve the window; empty if it does.
std::string shared_newton_unsupported_reason(const WindowSystem& system, SpatialMethod method);

// What an iteration finds of an earlier window of equal length and subdomains, and leaves to a later one: factors of
// the same Jacobian, or of one near by, which precondition until they cost too many iterations (AveragedSolver::reuse).
// Null on all ranks, or on none: before the first window, and where they have grown old.
struct FactorsOfWindows {
  std::shared_ptr<SharedFactors> factors;
  bool same_jacobian = false;  // theirs is that of this window
};

// Improves x, the rank's part of SharedWindow::unknowns(), in place. By all ranks, with the same options; globalisation
// natural or none. `interrupted` is empty for all ranks or none; one that says so ends it for all. known: null for
// none.
NewtonResult shared_newton(WindowSystem& system, SharedWindow& window, Communicator& ranks, SpatialMethod method,
                           std::vector<double>& x, const NewtonOptions& options,
                           const std::function<bool()>& interrupted = {}, FactorsOfWindows* known = nullptr);

}  // namespace gwrm
