// GMRES with right preconditioning, without restart unless the caller wants cycles.
//
// Minimises || b - A x || over the span of z_i = M^{-1} v_i, v_i the Arnoldi basis (Saad and Schultz 1986; flexible,
// Saad 1993: the z_i are kept, so that a preconditioner in single precision, which is linear to its round-off only,
// costs no accuracy). The first direction is M^{-1} b but for its length: where the tolerance depends on that it costs
// nothing. The residual it reports is the true one because the preconditioner is on the right. Gram-Schmidt
// is done twice where that is needed (linear_algebra/gram_schmidt.hpp): the basis stays orthogonal to round-off,
// so that the residual in the recurrence can be trusted. Cost per iteration: one A, one M^{-1}, 4 j n operations in
// iteration j. Memory: (2 iterations + 1) n numbers.
//
// A preconditioner that is linear to the rounding of doubles need not have the z_i kept: x = M^{-1} sum y_i v_i costs
// it once more and half the memory, (cycle + 4) n numbers. In cycles x is corrected after every so many iterations, for
// the residual that is then formed anew.
//
// On the device: weighted_residual/device/device_gmres.cuh.
#pragma once

#include <functional>
#include <span>
#include <utility>

#include "solver/krylov_tolerance.hpp"

namespace gwrm {

struct GmresLimits {
  GmresLimits(int most_iterations) : max_iterations(most_iterations) {}
  GmresLimits(int most_iterations, std::function<bool()> asked)
      : max_iterations(most_iterations), interrupted(std::move(asked)) {}
  GmresLimits(int most_iterations, int iterations_of_cycle, bool keep)
      : max_iterations(most_iterations), cycle(iterations_of_cycle), keeps_directions(keep) {}

  int max_iterations;                      // of all cycles
  int cycle = 0;                           // iterations of one; 0: one for all
  bool keeps_directions = true;            // z_i
  std::function<bool()> interrupted = {};  // asked behind every iteration: true ends the solve; may be empty
};

struct GmresResult {
  int iterations = 0;
  double relative_residual = 0.0;  // || b - A x || / || b ||
  double wanted = 0.0;             // what it was to come to
  bool converged = false;
  bool finite = true;
  bool interrupted = false;  // and x is nothing yet
};

// y = operator(v); y does not overlap v.
using LinearOperator = std::function<void(std::span<const double> v, std::span<double> y)>;

// Starts from x = 0. Stops at || r || <= tolerance || b ||, after limits.max_iterations, or when the space is
// exhausted. The tolerance may be a function of M^{-1} b.
GmresResult gmres(const LinearOperator& a, const LinearOperator& preconditioner, std::span<const double> b,
                  std::span<double> x, const KrylovTolerance& tolerance, const GmresLimits& limits, int n_threads = 1);

}  // namespace gwrm
