// Batches of pentadiagonal systems.
//
// Formula   second_lower_i x_{i-2} + lower_i x_{i-1} + diagonal_i x_i + upper_i x_{i+1} + second_upper_i x_{i+2} = y_i;
//           entries whose column lies outside the matrix are not looked at.
// Shapes    of kernels/banded/banded_batch.hpp, which has what holds of all banded solvers.
// Numbers   double, DoubleDouble, Complex.
// Shared    make_pentadiagonal_plan: A = L U without exchanges, L with unit diagonal, in double-double for double; then
//           two sweeps with two couplings each, on the chip (kernels/banded/substitution.hpp). Any n.
// Own       solve_pentadiagonal: a matrix per system, read with the right-hand side. Any n.
// Cost      shared: 9 flops a row, 16 bytes a row move (32 for n > 2048 on a device, and in the variant `thread`). Own:
//           about 60 flops a row and a division, 56 bytes (hybrid above its limit: 104, thread: 104); workspace of
//           pentadiagonal_workspace_bytes.
// Device    own matrices: two neighbouring rows are one row of a block tridiagonal matrix with blocks of 2 x 2, whose
//           pivots are blocks too (kernels/banded/pentadiagonal_steps.cuh). hybrid as for tridiagonal systems, n <=
//           1024 at once (double-double, complex 512), longer ones piece by piece; cyclic_reduction for n <= 512
//           (double-double, complex 64). Of a shared matrix the device has hybrid and thread.
// Accuracy  diagonally dominant or positive definite: that of elimination with exchanges, within a factor of ten.
//           Complex symmetric with a positive definite real and a definite imaginary part, as those of the ball are:
//           pivots grow by less than three (Higham, Math. Comp. 67 (1998) 1591).
// Source    Gauss; block cyclic reduction after Buneman and Heller; partition after Wang (1981).
#pragma once

#include <memory>

#include "kernels/banded/banded_batch.hpp"

namespace gwrm {

template <class Number>
struct Pentadiagonal {
  const Number* second_lower = nullptr;
  const Number* lower = nullptr;
  const Number* diagonal = nullptr;
  const Number* upper = nullptr;
  const Number* second_upper = nullptr;
};

// A matrix of n rows in host memory, shared by the systems of the batch.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_pentadiagonal_plan(const Context& context, const BandedShape& shape,
                                                            const Pentadiagonal<Number>& matrix,
                                                            BandedVariant variant = BandedVariant::automatic);

// A matrix per system. `status`: one per system, null if nobody asks.
template <class Number>
void solve_pentadiagonal(const Context& context, const BandedShape& shape, const Pentadiagonal<Number>& matrix,
                         const Number* y, Number* x, BandedStatus* status, void* workspace,
                         BandedVariant variant = BandedVariant::automatic);
template <class Number>
std::size_t pentadiagonal_workspace_bytes(const Context& context, const BandedShape& shape,
                                          BandedVariant variant = BandedVariant::automatic);

// The implementations below take arguments as checked and a chosen variant.
namespace cpu {
template <class Number>
void solve_pentadiagonal(const BandedShape& shape, const Pentadiagonal<Number>& matrix, const Number* y, Number* x,
                         BandedStatus* status, void* workspace);
}
namespace cuda {
template <class Number>
void solve_pentadiagonal(const Context& context, const BandedShape& shape, const Pentadiagonal<Number>& matrix,
                         const Number* y, Number* x, BandedStatus* status, void* workspace, BandedVariant variant);
template <class Number>
std::size_t pentadiagonal_workspace_bytes(const BandedShape& shape, BandedVariant variant);
}  // namespace cuda

}  // namespace gwrm
