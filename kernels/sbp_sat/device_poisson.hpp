// Poisson systems solved on the device from beginning to end: by conjugate gradients, plain, Jacobi and multigrid
// preconditioned, and by fast diagonalisation.
//
// The methods are those of the CPU, the iterates the same up to rounding: src/solver/conjugate_gradients.hpp, the
// V-cycle of problems/sbp_sat/multigrid.hpp (kernels/sbp_sat/multigrid_numbers.hpp has what both share), and
// kernels/sbp_sat/fast_diagonalisation.hpp with its refinements. There the iteration knows operator and preconditioner
// as interfaces, shows every residual and may be interrupted. Here that would cost a wait for the host in every
// iteration, more than a pass over a small grid: coefficients and the decision to stop stay on the device, and an
// iteration is made of kernels for one kind of operator:
//
// graph     for the separable operator, a CUDA graph. Order 2: one kernel per iteration in the form of Chronopoulos and
//           Gear, 40 bytes a point from memory. Others: one kernel for p = S r + beta p and p.A p, one that finds A p
//           anew for x and r, behind each a kernel of one block that adds up its sums; 64 bytes a point.
// on_chip   the same operator, one cooperative kernel for the whole solution of a grid that fits into shared memory and
//           registers, a strip of rows per multiprocessor: one exchange per iteration (Chronopoulos and Gear's form).
// others    (blocks, csr, ell) a CUDA graph with separate kernels for p, for the product with p.A p (by
//           kernels/sbp_sat/block_operator.hpp, or a stored matrix), and for x and r.
// multigrid a CUDA graph with a kernel for every walk over a level (kernels/sbp_sat/device_level.cuh). The coarsest
//           system is solved by its dense inverse in place of sparse factors, whose substitution is one long chain:
//           that grid has to be smaller than on the CPU.
//
// Sums are taken in a fixed order: two runs give the same bits.
// Host vectors in and out; everything runs on the context's stream and is complete on return.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "core/context.hpp"
#include "core/matrix_forward.hpp"
#include "kernels/linear_algebra/sparse_matrix.hpp"
#include "kernels/sbp_sat/block_operator.hpp"
#include "kernels/sbp_sat/line_modes.hpp"
#include "kernels/sbp_sat/separable_operator.hpp"

namespace gwrm {

enum class DeviceCgStatus { converged, stalled, not_definite, not_finite };

struct DeviceCgOptions {
  bool jacobi = false;
  double residual = 0.0;  // ends when |r|_2 is no larger
  int max_iterations = 0;
  bool constants_in_kernel = false;  // A 1 = 0; for cg_multigrid, whose preconditioner sees them in r where A does not
};

struct DeviceCgResult {
  DeviceCgStatus status = DeviceCgStatus::stalled;
  int iterations = 0;
  std::vector<double> residuals;  // |r|_2 before the first iteration and after each
  double milliseconds = 0.0;      // on the device, transfers left out
};

// One level of multigrid; the last one is solved with `coarsest_inverse`.
struct DeviceLevel {
  std::variant<SeparableOperator, BlockOperator> a;
  double largest_eigenvalue = 0.0;  // of D^-1 A, with a margin; 0: found here by power iteration; not used on the last
};

namespace cuda {

// q = A u by the products that cg_csr and cg_ell take, for tests.
void csr_apply(const Context& context, const CsrMatrix& a, const double* u, double* q);
void ell_apply(const Context& context, const EllMatrix& a, const double* u, double* q);

// x starts at zero.
DeviceCgResult cg_graph(const Context& context, const SeparableOperator& a, const std::vector<double>& b,
                        std::vector<double>& x, const DeviceCgOptions& options);
DeviceCgResult cg_blocks(const Context& context, const BlockOperator& a, const std::vector<double>& b,
                         std::vector<double>& x, const DeviceCgOptions& options);
DeviceCgResult cg_csr(const Context& context, const CsrMatrix& a, const std::vector<double>& b, std::vector<double>& x,
                      const DeviceCgOptions& options);
DeviceCgResult cg_ell(const Context& context, const EllMatrix& a, const std::vector<double>& b, std::vector<double>& x,
                      const DeviceCgOptions& options);

// Whether cg_graph takes one kernel per iteration: order 2, at least 8 points a side.
bool one_pass_fits(const SeparableOperator& a);

// Whether the grid fits; order 2 only.
bool on_chip_fits(const Context& context, const SeparableOperator& a);
DeviceCgResult cg_on_chip(const Context& context, const SeparableOperator& a, const std::vector<double>& b,
                          std::vector<double>& x, const DeviceCgOptions& options);

// levels: finest first, at least two; coarsest_inverse: of the last level's matrix (at most kMaxCoarsestUnknowns
// rows).
// Four blocks of order 4, which cannot always be halved below 24 x 24 points; 54 MB that every cycle reads once.
inline constexpr Index kMaxCoarsestUnknowns = 2600;
DeviceCgResult cg_multigrid(const Context& context, const std::vector<DeviceLevel>& levels,
                            const Matrix& coarsest_inverse, const std::vector<double>& b, std::vector<double>& x,
                            const DeviceCgOptions& options);

// n_solves - 1 refinements; `iterations` counts the solves. `split`: whether symmetries are used.
DeviceCgResult solve_by_fast_diagonalisation(const Context& context, const SeparableOperator& a,
                                             const std::vector<double>& b, std::vector<double>& x, int n_solves,
                                             LineSplit split = LineSplit::automatic);

}  // namespace cuda
}  // namespace gwrm
