// The unknowns that keep constraints (is_fixed_by_constraint(): multipliers, the gradient of a given flow rate) at the
// end of a window, as accurate as the unknowns with a time derivative there.
//
// Why       Radau's nodes give a multiplier, which is an algebraic variable of index 2, to a lower order than the state
//           at the end: K nodes leave p at h^(K-1) or so, u at h^(2K-1).
// Formula   the equations at the end with the state known, and the constraint and the conditions differentiated in time
//           (Hairer, Lubich, Roche 1989: p is a function of u there):
//             m a + G p = F(u, t),   D a = dc/dt,   B a = dg/dt,   a = dt(u).
//           Time derivatives are those of polynomials through points of a small last part of the window.
#pragma once

#include <vector>

#include "core/communicator.hpp"
#include "weighted_residual/preconditioner/instantaneous_factors.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// Replaces these unknowns' numbers at the last node in x. False, and nothing is changed, where the system is not of
// this form (no such unknowns, conditions that hold them, others without dt, chebyshev weighting, only a dense solver
// and more than 2000 unknowns at a time). where: the equations at the end are solved; empty: on the CPU.
bool set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, const InstantaneousPlace& where = {});
// The same by all ranks, for windows without a shared_newton_unsupported_reason() by wavenumbers: x is rank 0's,
// others' is not looked at.
void set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, Communicator& ranks);

}  // namespace gwrm
