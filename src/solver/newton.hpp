// Newton's method for a NonlinearSystem, globalised by the natural monotonicity test; SIR; Anderson acceleration.
//
// Newton    J(x) dx = -f(x); x <- x + lambda dx. natural: lambda is halved from 1 to smallest_damping until
//           || J(x)^{-1} f(x + lambda dx) || <= (1 - lambda/4) || dx ||  (affine invariant; Deuflhard, NLEQ).
//           A residual-norm line search is the worst globalisation measured (docs/numerics.md 7), so there is none.
// SIR       x <- phi + (R - phi')(I - phi')^{-1}(x - phi), i.e. x - (I - R) J^{-1} f, with R = 0.95 halved each
//           iteration, and (sub-iterations) R_i <- (3 R_i + 1)/4 for components that grow (Scheffel and Hakansson
//           2009).
// Anderson  x <- x - M^{-1} f with one M for the whole solve, accelerated over the last five steps
// (solver/anderson.cpp). Inexact   a Krylov solver gets the relative tolerance clip(0.1 e, 1e-8, 1e-2), e = || M^{-1} f
// || the size of the step to
//           come as its preconditioner sees it, and never less than what the Newton tolerance needs; M^{-1} f(x +
//           lambda dx) takes the place of the simplified correction in the test.
// Norm      || dx || = root mean square of dx_i / w_i, w the system's weights: a relative change of the answer.
// Converged when || dx || <= tolerance (the correction is still applied), or || dx || <= loosest_tolerance and at most
// a
//           thousandth of what the discretisation leaves out, or when corrections have stopped falling at the
//           round-off level of the linear solve, 1000 eps cond, 1e-9 where cond is not known, 1e-5 for linear systems
//           (converged_at_roundoff).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/linear_solver.hpp"
#include "solver/nonlinear_system.hpp"

namespace gwrm {

enum class Globalisation { natural, none, sir, anderson };

struct NewtonOptions {
  double tolerance = 1e-12;
  int max_iterations = 30;
  Globalisation globalisation = Globalisation::natural;
  double linear_tolerance = 1e-2;  // of a Krylov solver in one step, at most
  // A linear system ends with the step that its solver says is right, if its factors have served before. Otherwise the
  // residual behind the step is looked at, which shows what rounding leaves.
  bool trusts_known_factors = false;
  // A correction above the tolerance is small enough, too, where it is no larger than this and than a thousandth of
  // truncation(): how large is what the discretisation leaves out of the present x, relative as || dx || is. A study of
  // convergence so sees the error of its degrees, however fine they are.
  double loosest_tolerance = 0.0;
  double smallest_damping = 1.0 / 16.0;     // below it the iterate is far from any root (docs/numerics.md 7)
  std::function<double()> truncation = {};  // empty: not known
};

enum class NewtonStatus {
  converged,
  converged_at_roundoff,
  iteration_limit,
  damping_failed,  // lambda fell below smallest_damping without a smaller natural correction
  singular,
  linear_failed,  // the Krylov iteration stagnated, with a fresh preconditioner too
  not_finite,
  interrupted
};

bool succeeded(NewtonStatus status);
std::string to_string(NewtonStatus status);

struct NewtonIteration {
  double residual_norm = 0.0;    // root mean square of f before the step
  double correction_norm = 0.0;  // || dx || relative to || x ||
  double damping = 1.0;
  int linear_iterations = 0;  // of the Krylov solver
};

struct NewtonResult {
  NewtonStatus status = NewtonStatus::iteration_limit;
  std::vector<NewtonIteration> iterations;
  int n_factorisations = 0;
  double reciprocal_condition = 0.0;
  double remaining = 0.0;  // || dx || of a further step, as far as it is known: what iteration and rounding leave
  std::string detail;      // what failed, where: the dependent equations and modes, the point that is not finite
};

// Improves x in place. `interrupted` is asked once per iteration, and within those of a Krylov solver. SIR needs a
// DenseSolver (ShapeError otherwise).
NewtonResult newton(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options, LinearSolver& solver,
                    const std::function<bool()>& interrupted = {});

}  // namespace gwrm
