// What a Krylov solve comes to for Newton, on every backend and for every preconditioner.
#pragma once

#include "solver/gmres.hpp"
#include "solver/linear_solver.hpp"
#include "solver/newton.hpp"

namespace gwrm {

struct CorrectionEffort;  // newton_loop.hpp

// The iterate is good for Newton although GMRES fell short, if its relative residual came this far.
inline constexpr double kKrylovGoodEnough = 0.1;

LinearOutcome krylov_outcome(const GmresResult& gmres, double good_enough = kKrylovGoodEnough);

// Whether Newton can go on; if not, the result says why.
bool goes_on(const LinearOutcome& outcome, NewtonResult& result);
// The same of a correction, whose effort is counted in any case.
bool goes_on(const LinearOutcome& outcome, CorrectionEffort& effort, NewtonResult& result);

}  // namespace gwrm
