// Associated Legendre transforms of one order m between coefficients and values on Chebyshev nodes, without matrices of
// functions: the part along theta of spherical harmonics where the grid is that of Chebyshev series. (Gauss nodes, all
// orders at once, by quadrature: associated_legendre.hpp.)
//
// Functions Pbar_l^m(x), l = m, m + 1, .., orthonormal in dx on [-1, 1], x = cos(theta), without the phase (-1)^m.
// Nodes     theta_k = pi (2k+1) / (2 N_x), k < N_x: from the north pole (x = 1) to the south pole, the same for all m.
// Formula   backward  f(theta_k) = sum_n c_n Pbar_(m+n)^m(cos theta_k), n < N
//           forward   c_n = int (I f)(x) Pbar_(m+n)^m(x) dx, I f the sum of cos(i theta), i < N_x (even m), or of
//                     sin(i theta), 1 <= i <= N_x (odd m), that takes the values f at the nodes.
//           Not sums over nodes: forward after backward gives the coefficients back.
// Transpose With the scalar products <c, d> = sum_n c_n d_n and (f, g) = int (I f) (I g) dx, to rounding,
//             <forward f, d> = (f, backward d).
//           No weights at the nodes make (f, g) a single sum: the rule of these nodes, Fejer's, is exact to degree
//           N_x - 1 only, half of what Gauss nodes do. The chain's two directions are plain transposes of each other;
//           the connections and the cosine transforms are inverses.
// Points    forward after backward takes N_x >= L + 1, L = m + N - 1 the degree; forward of a product of q functions of
//           degree L takes q L + 1 (legendre_rotation_points), because a coefficient of Chebyshev's on its way to
//           Legendre's enters all lower ones, so that none may be wrong: 2 L + 1, not 3/2 L, for a product of two.
// Method    even m  f = sum_i a_i cos(i theta) (cosine_transform.hpp, kinds II and III); a -> b, f = sum_j b_j P_j
//                   (chebyshev_legendre.hpp); b_j sqrt(2 / (2j+1)) are the coefficients of order 0
//           odd m   f = sum_i s_i sin(i theta) is minus the derivative in theta of sum_i s_i / i cos(i theta) =
//                   const + sum_j b_j P_j(cos theta), f = sum_j b_j sin(theta) P_j'; b_j sqrt(2j(j+1) / (2j+1)) are the
//                   coefficients of order 1
//           and from there m/2 rotations of every second coefficient (rotation_chain.hpp). Each loses the two highest.
// Shapes    f: outer x N_x x inner, c: outer x N x inner, row-major: columns contiguous with inner = 1, interleaved
//           with outer = 1. They must not overlap.
// Cost      a column: 3 (N + m/2) m operations of the chain, 2.5 N_x log2 N_x of the cosine transform; the connection's
//           are half the square of its length, N_x + 1 forward and L + 1 backward, or O(N log^2 N) from 2048 on.
// Memory    a grid about 20 N_x numbers for all m (and r N_x for each connection beyond 2048, r about 40); a plan none.
//           Scratch: legendre_rotations_workspace() doubles, about 256 N_x a thread.
// Errors    largest error over largest value below 2.5e-16 (1 + sqrt m) + 7.5e-16, the second term the connection's
//           (docs/spectral-transforms.md). ShapeError: degree below 0, fewer points than L + 1 (says how many), more
//           than kMostConnected - 1, m < 0, N < 1, a degree m + N - 1 beyond the grid's (says how many points it
//           takes), extents below 0; a batch of none is no work.
// Determinism  the same bits on every run and for any number of threads. From 2048 points on the connection's method,
//           and with it the bits, depends on the number of columns.
// Device    cuda::, up to 8191 points: the connections are direct (kDirectUpTo). The steps are those of the CPU, each
// over
//           all columns, with scalings between them in passes of their own; the same bits on every run. Memory: two
//           tensors of N_x + 1 rows, and the table of the chain.
// Source    the paper on polynomial transforms, section 2.3 (2.55 to 2.68, corrected: N_T = N + m), with rotations.
#pragma once

#include <memory>
#include <vector>

#include "kernels/transform/chebyshev_legendre.hpp"
#include "kernels/transform/cosine_transform.hpp"
#include "kernels/transform/rotation_chain.hpp"

namespace gwrm {

// Points that forward needs for the product of n_factors functions of a degree; 1: none is multiplied.
Index legendre_rotation_points(Index degree, Index n_factors = 1);

// The nodes, their cosine and sine transforms and the connections, shared by the plans of all m.
class LegendreRotationGrid {
 public:
  LegendreRotationGrid(Index degree, Index n_points);

  Index degree() const { return to_chebyshev_.length() - 1; }
  Index n_points() const { return cosine_2_.length(); }
  std::vector<double> theta() const;  // theta_k

  // Coefficients of cos(i theta) (even m) or sin(i theta), from values and to values.
  const CosinePlan& from_values(Index m) const { return m % 2 == 0 ? cosine_2_ : sine_2_; }
  const CosinePlan& to_values(Index m) const { return m % 2 == 0 ? cosine_3_ : sine_3_; }
  const ChebyshevLegendrePlan& to_legendre() const { return to_legendre_; }    // frequencies 0 to N_x
  const ChebyshevLegendrePlan& to_chebyshev() const { return to_chebyshev_; }  // degrees 0 to L

 private:
  CosinePlan cosine_2_, cosine_3_, sine_2_, sine_3_;
  ChebyshevLegendrePlan to_legendre_, to_chebyshev_;
};

class LegendreRotationPlan {
 public:
  // Coefficients l = m to m + n - 1.
  LegendreRotationPlan(std::shared_ptr<const LegendreRotationGrid> grid, Index m, Index n);

  const LegendreRotationGrid& grid() const { return *grid_; }
  Index m() const { return m_; }
  Index n() const { return n_; }
  RotationChain chain() const { return {RotationFamily::legendre, m_ % 2, m_ / 2}; }

 private:
  std::shared_ptr<const LegendreRotationGrid> grid_;
  Index m_, n_;
};

namespace cpu {

// Doubles of scratch space.
Index legendre_rotations_workspace(const LegendreRotationPlan& plan, int n_threads);

void legendre_rotations_forward(const LegendreRotationPlan& plan, const double* f, double* c, Index outer, Index inner,
                                double* workspace, int n_threads);
void legendre_rotations_backward(const LegendreRotationPlan& plan, const double* c, double* f, Index outer, Index inner,
                                 double* workspace, int n_threads);

}  // namespace cpu

namespace cuda {

// The cosine transforms and connections of a grid's columns outer x inner on the device, shared by the transforms of
// all m.
class LegendreRotationColumns;
std::shared_ptr<const LegendreRotationColumns> make_legendre_rotation_columns(
    const Context& context, std::shared_ptr<const LegendreRotationGrid> grid, Index outer, Index inner);

// f and c in device memory, not overlapping.
class LegendreRotationTransform {
 public:
  virtual ~LegendreRotationTransform() = default;
  virtual std::size_t workspace_bytes() const = 0;
  virtual void forward(const double* f, double* c, void* workspace) const = 0;
  virtual void backward(const double* c, double* f, void* workspace) const = 0;
};

// ShapeError for a plan of another grid.
std::unique_ptr<LegendreRotationTransform> make_legendre_rotation_transform(
    std::shared_ptr<const LegendreRotationColumns> columns, const LegendreRotationPlan& plan);

}  // namespace cuda
}  // namespace gwrm
