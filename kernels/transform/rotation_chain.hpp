// Chains of Givens rotations between orthonormal bases of neighbouring order: the step in the middle of Jones-Worland,
// energy-basis and associated Legendre transforms.
//
// Families  what a pair W^l -> W^(l+2) takes coefficients between, all orthonormal; distance d of the coupled numbers
//   jones_worland  r^l P_n^(-1/2, l-1/2)(2r^2-1)          in dr / sqrt(1-r^2), l = p, p+2, ..       d = 1
//   energy         r^l P_n^(0, l+1/2)(2r^2-1)             in r^2 dr, l = p, p+2, ..                 d = 1
//   legendre       P_(m+n)^m(x), m in place of l          in dx, m = p, p+2, ..                     d = 2
// Formula   one pair, s_n and c_n those of the order it begins with, s_n^2 + c_n^2 = 1:
//   jones_worland  s_n = -sqrt((n+1)(n+1/2) / ((n+l+3/2)(n+l+1))),   c_n = sqrt((l+1/2)(2n+l+2) / ((n+l+3/2)(n+l+1)))
//   energy         s_n = -(n+1) / (n+l+5/2),                         c_n = sqrt((l+3/2)(2n+l+7/2)) / (n+l+5/2)
//   legendre       s_n = sqrt((n+1)(n+2) / ((n+2m+3)(n+2m+4))),      c_n = sqrt((2m+2)(2n+2m+5) / ((n+2m+3)(n+2m+4)))
//           forward, k = 0, 1, ..:   (x_k, x_(k+d)) <- (c_k x_k - s_k x_(k+d), s_k x_k + c_k x_(k+d)), the last d are
//           dropped; backward, k = n-1, .. 0: (x_k, x_(k+d)) <- (c_k x_(k) + s_k x_(k+d), -s_k x_k + c_k x_(k+d)), d
//           zeros before it. Each pair is M^-1 V of the connection coefficients, which taken apart lose a factor of ten
//           (the report's form), and taken as all V before all M^-1 everything. Backward is the exact transpose of
//           forward.
// Shapes    x: (n + d n_pairs) x width, row-major, in place; the n rows of the result are the first. All columns go
//           through the same chain. Forward reads all rows, backward the first n and writes all.
// Cost      6 operations an entry and pair; the coefficients once a piece of 64 columns.
// Errors    largest error over largest value below 2.5e-16 (1 + sqrt l). ShapeError for n < 1, width < 1, a first order
// or
//           number of pairs below 0.
// Threads   those of the calling thread's loops, over columns; the same bits for any number of them.
// Device    cuda::, x in device memory. Columns stay in registers through all pairs
// (kernels/transform/rotation_steps.cuh);
//           the coefficients are made first, in a workspace of rotation_workspace_bytes. Up to 16384 rows.
// Source    Slevinsky (2019) for the idea; the coefficients are those of the products M^-1 V of Kasprzyk et al.
#pragma once

#include <cstddef>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/transform/rotation_family.hpp"

namespace gwrm {

struct RotationChain {
  RotationFamily family;
  Index first_order;  // l or m of the first pair: 0 or 1, or any where a chain is entered later
  Index n_pairs;
  Index distance() const { return family == RotationFamily::legendre ? 2 : 1; }
  // Rows of coefficients of first_order that n of the last order take.
  Index n_rows(Index n) const { return n + distance() * n_pairs; }
};

namespace cpu {
void rotate_forward(const RotationChain& chain, Index n, Index width, double* x);
void rotate_backward(const RotationChain& chain, Index n, Index width, double* x);
}  // namespace cpu
namespace cuda {
std::size_t rotation_workspace_bytes(const RotationChain& chain, Index n);
void rotate_forward(const Context& context, const RotationChain& chain, Index n, Index width, double* x,
                    void* workspace);
void rotate_backward(const Context& context, const RotationChain& chain, Index n, Index width, double* x,
                     void* workspace);
// From one tensor to another: x outer x n_rows x inner, y outer x n x inner; n_pairs at least 1.
void rotate_forward_to(const Context& context, const RotationChain& chain, Index n, Index outer, Index inner,
                       const double* x, double* y, void* workspace);
void rotate_backward_to(const Context& context, const RotationChain& chain, Index n, Index outer, Index inner,
                        const double* y, double* x, void* workspace);
}  // namespace cuda

// ShapeError for what is no chain.
void check_rotations(const RotationChain& chain, Index n, Index width);

}  // namespace gwrm
