// Conjugate gradients for symmetric positive definite systems A x = b.
//
// hestenes_stiefel     Hestenes and Stiefel, J. Res. NBS 49 (1952) 409: two sums per iteration, one after the other.
// chronopoulos_gear    Chronopoulos and Gear, J. Comput. Appl. Math. 25 (1989) 153: both sums at the same point of the
//                      iteration, one reduction; one pass over memory where the operator has it. The iterates are
//                      the same up to rounding.
// Preconditioning: a diagonal (Jacobi) inside the passes over memory, or any symmetric positive definite operator.
// A semidefinite A (pure Neumann conditions) works if b is orthogonal to its kernel; with a preconditioner, which sees
// what rounding has left of the kernel in r where A does not, say that the kernel holds the constants.
//
// On the device, made of kernels for one kind of operator: kernels/sbp_sat/device_poisson.hpp.
#pragma once

#include <functional>
#include <vector>

#include "core/array.hpp"
#include "kernels/linear_algebra/long_vector.hpp"

namespace gwrm {

class SymmetricOperator {
 public:
  virtual ~SymmetricOperator() = default;
  virtual Index size() const = 0;
  virtual void apply(const double* u, double* q) const = 0;
  // The two halves of an iteration; an operator may make each of them one pass over memory. `q` is scratch space of
  // size() values that direction() may fill for step(), `s` a diagonal matrix, the identity where null.
  // p = s r + beta p; returns p.A p.
  virtual double direction(double beta, const double* r, const double* s, double* p, double* q,
                           std::vector<double>& workspace) const;
  // x += alpha p; r -= alpha A p; the sums of the new r.
  virtual ResidualSums step(double alpha, const double* p, const double* q, const double* s, double* x, double* r,
                            std::vector<double>& workspace) const;
  // A whole iteration of Chronopoulos and Gear in one pass over memory, for operators that can, with z = S r:
  //   p = z + beta p;  r -= alpha A p;  the sums r.r, r.z and z.A z of the new r.
  // x takes what it has missed as well, x += alpha_before p_before + alpha p; nothing where x is null: every second
  // iteration is enough.
  virtual bool has_one_pass() const { return false; }
  virtual OnePassSums one_pass(const OnePassStep& step, const double* s, double* p, double* x, double* r,
                               std::vector<double>& workspace) const;
};

enum class CgVariant { hestenes_stiefel, chronopoulos_gear };
enum class CgStatus { converged, stalled, not_definite, not_finite, interrupted };

struct CgOptions {
  CgVariant variant = CgVariant::hestenes_stiefel;
  double residual = 0.0;  // ends when |r|_2 is no larger
  int max_iterations = 0;
  const std::vector<double>* inverse_diagonal = nullptr;      // Jacobi
  const SymmetricOperator* preconditioner = nullptr;          // instead; not with chronopoulos_gear
  bool constants_in_kernel = false;                           // A 1 = 0
  std::function<bool(int iteration, double residual)> watch;  // false: stop; may be empty
};

struct CgResult {
  CgStatus status = CgStatus::stalled;  // stalled: max_iterations were not enough
  int iterations = 0;
  std::vector<double> residuals;  // |r|_2 before the first iteration and after each one, by the recurrence
};

// x: the start on entry, the answer on return. b is kept.
CgResult conjugate_gradients(const SymmetricOperator& a, const std::vector<double>& b, std::vector<double>& x,
                             const CgOptions& options);

}  // namespace gwrm
