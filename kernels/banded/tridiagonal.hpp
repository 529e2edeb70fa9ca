// Batches of tridiagonal systems.
//
// Formula   lower_i x_{i-1} + diagonal_i x_i + upper_i x_{i+1} = y_i; lower_0 and upper_{n-1} are not looked at.
// Shapes    of kernels/banded/banded_batch.hpp, which has what holds of all banded solvers.
// Numbers   double, DoubleDouble, Complex.
// Shared    make_tridiagonal_plan: A = L U without exchanges, L with unit diagonal, in double-double for double; then
//           two bidiagonal solves on the chip. Any n. On a device with NVRTC a plan of 2^22 numbers and more tries the
//           kernels of kernels/banded/sweep_choices.hpp and takes the fastest (GWRM_TUNE=off: none are tried).
// Own       solve_tridiagonal: a matrix per system, read with the right-hand side. Any n.
// Cost      shared: 5 flops a row, 16 bytes a row move (32 for n > 4096 on a device, double-double and complex 2048,
//           and in the variant `thread`). Own: about 20 flops and 2 divisions a row, 40 bytes (hybrid above its limit
//           and thread: 72); workspace of tridiagonal_workspace_bytes.
// Device    own matrices, hybrid: a warp, or a team of warps where a warp's lanes would have more than 8 rows, takes a
//           system. Every lane takes its rows to one equation of the last of them, its neighbours' last ones beside it;
//           cyclic reduction on these; each lane then eliminates once more between values that are known. Above 2048
//           rows (double-double, complex: 1024) the team goes down the pieces of the system with the last equation of
//           the piece before, and up again with values. cyclic_reduction: ST 3, all rows in registers, n <= 512.
// Accuracy  diagonally dominant or with the signs of time integrals: as elimination with exchanges, condition number
//           times 1e-16. Ball matrices (M + h K): <= 2e-14 at n = 64, 3e-13 at 512, 6e-13 at 1024.
// Source    Thomas; partition after Wang (1981) with one equation a part; cyclic reduction after Hockney and Jesshope.
#pragma once

#include <memory>

#include "kernels/banded/banded_batch.hpp"

namespace gwrm {

template <class Number>
struct Tridiagonal {
  const Number* lower = nullptr;
  const Number* diagonal = nullptr;
  const Number* upper = nullptr;
};

// A matrix of n rows in host memory, shared by the systems of the batch.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_tridiagonal_plan(const Context& context, const BandedShape& shape,
                                                          const Tridiagonal<Number>& matrix,
                                                          BandedVariant variant = BandedVariant::automatic);

// A matrix per system. `status`: one per system, null if nobody asks.
template <class Number>
void solve_tridiagonal(const Context& context, const BandedShape& shape, const Tridiagonal<Number>& matrix,
                       const Number* y, Number* x, BandedStatus* status, void* workspace,
                       BandedVariant variant = BandedVariant::automatic);
template <class Number>
std::size_t tridiagonal_workspace_bytes(const Context& context, const BandedShape& shape,
                                        BandedVariant variant = BandedVariant::automatic);

// The implementations below take arguments as checked and a chosen variant.
namespace cpu {
template <class Number>
void solve_tridiagonal(const BandedShape& shape, const Tridiagonal<Number>& matrix, const Number* y, Number* x,
                       BandedStatus* status, void* workspace);
}
namespace cuda {
template <class Number>
void solve_tridiagonal(const Context& context, const BandedShape& shape, const Tridiagonal<Number>& matrix,
                       const Number* y, Number* x, BandedStatus* status, void* workspace, BandedVariant variant);
template <class Number>
std::size_t tridiagonal_workspace_bytes(const BandedShape& shape, BandedVariant variant);
}  // namespace cuda

}  // namespace gwrm
