// Batches of bidiagonal systems: triangular matrices with one more diagonal, the next or the one after it.
//
// Formula   lower  diagonal_i x_i + off_i x_{i-d} = y_i,   upper  diagonal_i x_i + off_i x_{i+d} = y_i,   d = 1 or 2;
//           entries of `off` whose column lies outside the matrix are not looked at. Without diagonal it is one.
// Shapes    of kernels/banded/banded_batch.hpp, which has what holds of all banded solvers.
// Numbers   double, DoubleDouble.
// Shared    make_bidiagonal_plan: x_i = y_i/diagonal_i - (off_i/diagonal_i) x_{i-d}, both quotients made once (the
// solve
//           then does not divide, for half a unit in the last place more). Any n.
// Own       solve_bidiagonal: a matrix per system, read with the right-hand side. Any n.
// Cost      2 flops a row (own: 3 and a division with a given diagonal); 16 bytes a row move with a shared matrix, 24
//           with one per system, 32 with its diagonal.
// Device    hybrid: rows in registers, up to 64 a lane, n <= 2048 at once (double-double 1024, own matrices half of
// these);
//           above, the warp takes one piece of the system after the other and carries the last d values over.
// Accuracy  |off| <= |diagonal|: backward stable, n = 1000 in the maximum norm 3e-16 to 3e-14 as the condition has it;
//           sequential, hybrid and cyclic reduction alike.
// Variants  with a matrix per system cyclic_reduction is solved as hybrid.
// Source    back substitution; parallel cyclic reduction after Hockney and Jesshope (1981), a warp a system after the
// poster
//           of Tolmachev et al. on the solvers of QuICC.
#pragma once

#include <memory>

#include "kernels/banded/banded_batch.hpp"

namespace gwrm {

template <class Number>
struct Bidiagonal {
  const Number* off = nullptr;
  const Number* diagonal = nullptr;  // null: ones
  Side side = Side::lower;
  int distance = 1;
};

// A matrix of n rows in host memory, shared by the systems of the batch.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_bidiagonal_plan(const Context& context, const BandedShape& shape,
                                                         const Bidiagonal<Number>& matrix,
                                                         BandedVariant variant = BandedVariant::automatic);

// A matrix per system. `status`: one per system, null if nobody asks.
template <class Number>
void solve_bidiagonal(const Context& context, const BandedShape& shape, const Bidiagonal<Number>& matrix,
                      const Number* y, Number* x, BandedStatus* status,
                      BandedVariant variant = BandedVariant::automatic);

// The implementations below take arguments as checked and a chosen variant.
namespace cpu {
template <class Number>
void solve_bidiagonal(const BandedShape& shape, const Bidiagonal<Number>& matrix, const Number* y, Number* x,
                      BandedStatus* status);
}
namespace cuda {
template <class Number>
void solve_bidiagonal(const Context& context, const BandedShape& shape, const Bidiagonal<Number>& matrix,
                      const Number* y, Number* x, BandedStatus* status, BandedVariant variant);
}

}  // namespace gwrm
