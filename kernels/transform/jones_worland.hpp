// Jones-Worland transforms: functions of the radius in a full sphere, r^l times an even polynomial, between values on
// Chebyshev points and coefficients of one degree l of the spherical harmonics.
//
// Formula   W_n^l(r) = r^l p_n(2r^2 - 1), n = 0, 1, ..: Jacobi polynomials of (-1/2, l - 1/2), scaled so that
//           int_0^1 W_i W_j dr / sqrt(1 - r^2) = delta_ij. W_n^0 = sqrt(4/pi) cos(n theta) (W_0^0 = sqrt(2/pi)) and
//           W_n^1 = sqrt(4/pi) cos((n + 1/2) theta) with r = cos(theta/2).
//             backward  f(r_k) = sum_n W_n^l(r_k) c_n
//             forward   c_n = pi/(2 N_r) sum_k W_n^l(r_k) f(r_k), its transpose but for the weight
// Points    r_k = cos(pi (2k+1) / (4 N_r)), k < N_r: from 1 down to 0, the same for all l.
// Dealiasing  N coefficients of degree l are N_T = N + floor(l/2) of degree 0 or 1; forward after backward is exact
//           from N_r = N_T on. A product of q such functions, of the parity of l, needs
//             N_r >= floor((q + 1) (2 N_T - 1) / 4) + 1
//           (q = 2: 3/2 N_T), because the transform looks at N_T of its N_r frequencies only: jones_worland_points().
// Variants  rotations   cosine transform II (even l) or IV (odd l), then l/2 rotations of neighbouring coefficients
//                       (rotation_chain.hpp): the default
//           pairs       the same with the connection matrices V and M^-1 of the paper (connection_pair.hpp), pair by
//                       pair; up to three times the error at small l
//           quadrature  a product with the matrix W, its entries computed in double-double and rounded once
//                       (jones_worland_functions.hpp)
// Shapes    f: outer x N_r x inner, c: outer x N x inner, row-major: columns contiguous with inner = 1, interleaved
//           with outer = 1. They must not overlap.
// Cost      a column: rotations 3 N_T l + 2.5 N_r log2 N_r operations, quadrature 2 N N_r in a matrix product. The
//           crossover is in docs/spectral-transforms.md.
// Memory    a grid about 10 N_r numbers for all l; quadrature N N_r in every plan, so L N N_r for all l. Scratch:
//           jones_worland_workspace() doubles.
// Errors    largest error over largest value: rotations below 2.5e-16 (1 + sqrt l), quadrature below 2e-15, pairs below
//           5e-15, up to N = 2048, l = 1000 (docs/spectral-transforms.md). ShapeError for N < 1, l < 0, l and N beyond
//           kHighestOrder, N_r < N_T (says how many), a matrix of more than kMostEntries, extents below 0; a batch of
//           none is no work.
// Determinism  the same bits on every run and for any number of threads.
// Device    cuda::make_jones_worland_transform: rotations as a cosine transform (cosine_transform.hpp) and a chain
//           (rotation_chain.hpp) on N_T rows in the workspace; quadrature as a product by cuBLAS; no pairs.
// Source    the paper on polynomial transforms, section 2.2 (its misprints corrected: 2.20, 2.36 to 2.40).
#pragma once

#include <memory>
#include <vector>

#include "kernels/transform/cosine_transform.hpp"
#include "kernels/transform/rotation_chain.hpp"

namespace gwrm {

enum class JonesWorlandVariant { rotations, pairs, quadrature };

constexpr Index kHighestOrder = Index{1} << 24;  // n + l < 2^25: the products under the roots of the chain are exact
constexpr Index kMostEntries = Index{1} << 28;   // of a quadrature's matrix, 2 GB

// Points that the product of n_factors functions of n coefficients and degree l needs; 1: none is multiplied.
Index jones_worland_points(Index l, Index n, Index n_factors = 1);

// The points and their cosine transforms, shared by the plans of all l.
class JonesWorlandGrid {
 public:
  explicit JonesWorlandGrid(Index n_points);

  Index n_points() const { return second_.length(); }
  std::vector<double> radii() const;  // r_k
  double weight() const;              // pi / (2 N_r)
  const CosinePlan& forward(Index l) const { return l % 2 == 0 ? second_ : fourth_; }
  const CosinePlan& backward(Index l) const { return l % 2 == 0 ? third_ : fourth_; }

 private:
  CosinePlan second_, third_, fourth_;
};

class JonesWorlandPlan {
 public:
  JonesWorlandPlan(std::shared_ptr<const JonesWorlandGrid> grid, Index l, Index n,
                   JonesWorlandVariant variant = JonesWorlandVariant::rotations);

  const JonesWorlandGrid& grid() const { return *grid_; }
  Index l() const { return l_; }
  Index n() const { return n_; }
  JonesWorlandVariant variant() const { return variant_; }
  RotationChain chain() const { return {RotationFamily::jones_worland, l_ % 2, l_ / 2}; }
  const std::vector<double>& matrix() const { return matrix_; }  // quadrature: N x N_r

 private:
  std::shared_ptr<const JonesWorlandGrid> grid_;
  Index l_, n_;
  JonesWorlandVariant variant_;
  std::vector<double> matrix_;
};

namespace cpu {

// Doubles of scratch space; none for quadrature.
Index jones_worland_workspace(const JonesWorlandPlan& plan, int n_threads);

// Quadrature takes the threads of the BLAS, whatever n_threads says.
void jones_worland_forward(const JonesWorlandPlan& plan, const double* f, double* c, Index outer, Index inner,
                           double* workspace, int n_threads);
void jones_worland_backward(const JonesWorlandPlan& plan, const double* c, double* f, Index outer, Index inner,
                            double* workspace, int n_threads);

}  // namespace cpu

namespace cuda {

// The cosine transforms of a grid's columns outer x inner on the device, shared by the transforms of all l.
class JonesWorlandColumns;
std::shared_ptr<const JonesWorlandColumns> make_jones_worland_columns(const Context& context,
                                                                      std::shared_ptr<const JonesWorlandGrid> grid,
                                                                      Index outer, Index inner);

// f and c in device memory.
class JonesWorlandTransform {
 public:
  virtual ~JonesWorlandTransform() = default;
  virtual std::size_t workspace_bytes() const = 0;
  virtual void forward(const double* f, double* c, void* workspace) const = 0;
  virtual void backward(const double* c, double* f, void* workspace) const = 0;
};

// The plan has the grid of the columns. ShapeError for pairs, and for more than 16384 points.
std::unique_ptr<JonesWorlandTransform> make_jones_worland_transform(std::shared_ptr<const JonesWorlandColumns> columns,
                                                                    const JonesWorlandPlan& plan);

}  // namespace cuda

// What the cosine transforms of a plan multiply by: sqrt(4/pi) pi/(2 N_r) on the way to coefficients, sqrt(4/pi) on the
// way back; cos(0) has sqrt(2/pi).
CosineScale jones_worland_scale(const JonesWorlandPlan& plan, bool forward);

}  // namespace gwrm
