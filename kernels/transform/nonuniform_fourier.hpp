// Fourier transforms between points that lie anywhere and equidistant modes, in one, two and three dimensions, to a
// given tolerance.
//
// Formula   type 1 (points -> modes)   F_n = sum_j c_j exp(s i n.x_j),   n_d = -N_d/2 .. ceil(N_d/2) - 1
//           type 2 (modes -> points)   c_j = sum_n F_n exp(s i n.x_j),   s = +1 or -1; nothing is scaled.
//           Each is the adjoint of the other with the opposite sign, to round-off: they use the same numbers.
// Method    The exponential-of-semicircle kernel phi(z) = exp(beta (sqrt(1 - z^2) - 1)), |z| <= 1, is w points of a
//           grid wide that is twice as fine as the modes (spreading_kernel.hpp): type 1 spreads the c_j on that grid,
//           transforms it and divides by the kernel's transform; type 2 goes the other way.
// Layout    F: N_1 x .. x N_d complex numbers, the last dimension fastest; modes ascend from -N/2. Points: one list for
//           each dimension, any real numbers (the period is 2 pi).
// Error     at most 10 tolerance, relative in the 2-norm; never below about 1e-16 (N + log N): the points' own rounding
//           moves the highest modes that much. 1e-14 is the least tolerance.
// Cost      w^d multiply-adds a point, a Fourier transform of (2N)^d, of which the parts that are zero or not wanted
//           are left out.
// Memory    nonuniform_workspace() complex numbers: about (2N)^d + 2^(d-1) N^d; the plan keeps 8 + 8 d bytes
//           a point.
// Determinism  two runs give the same bits, with any number of threads. Points are sorted into tiles of the grid, in
//           their own order within one; a tile is summed by one thread, and tiles meet in a fixed order
//           (nonuniform_spread.hpp). No floating-point atomics.
// Errors    ShapeError: no or more than three dimensions, an extent below 1, a tolerance outside [1e-14, 1e-1], lists
//           of different lengths, 2^31 points or more, a point that is not finite.
// Device    cuda::, all arrays in device memory (kernels/transform/nonuniform_spread.cuh), launched on the context's
//           stream. A radix sort puts points into bins of the grid; a warp sums a block of it in registers, on the
//           tensor cores, in the order of the points. cuFFT transforms the whole grid. Workspace: the grid and what
//           cuFFT wants, at least 8192 blocks of 32, 256 or 512 grid points; the plan about 24 + 12 d bytes a point, 4
//           a bin of 2^d grid points. The same numbers as the CPU's, but for the order of sums.
// Source    Barnett, Magland, af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479; paper on polynomial transforms,
//           section 4.2, whose type 1 is this one (its parenthesis names the types the other way round).
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "kernels/transform/nonuniform_geometry.hpp"

namespace gwrm {

class NonuniformPoints;
class FourierPlan;

// What depends on the modes and the tolerance, and on the points.
class NonuniformPlan {
 public:
  NonuniformPlan(std::span<const Index> modes, double tolerance);
  ~NonuniformPlan();
  NonuniformPlan(NonuniformPlan&&) noexcept;

  // coordinates[d][j]; replaces the points before. They are copied.
  void set_points(std::span<const std::span<const double>> coordinates, int n_threads);

  const NonuniformGeometry& geometry() const { return geometry_; }
  Index n_points() const;
  const NonuniformPoints& points() const { return *points_; }
  const FourierPlan& fourier(std::size_t axis) const { return *fourier_[axis]; }  // of NonuniformGeometry::axes

 private:
  NonuniformGeometry geometry_;
  std::unique_ptr<NonuniformPoints> points_;
  std::array<std::unique_ptr<FourierPlan>, 3> fourier_;
};

namespace cpu {

// Complex numbers of the workspace.
std::size_t nonuniform_workspace(const NonuniformPlan& plan, int n_threads);

// sign: +1 or -1. c: n_points(), F: the product of the modes.
void nonuniform_type1(const NonuniformPlan& plan, int sign, const std::complex<double>* c, std::complex<double>* F,
                      std::complex<double>* workspace, int n_threads);
void nonuniform_type2(const NonuniformPlan& plan, int sign, const std::complex<double>* F, std::complex<double>* c,
                      std::complex<double>* workspace, int n_threads);

}  // namespace cpu

namespace cuda {

// How a device sums in type 1: a warp for a block of grid points, or one for each of them, its lanes the points that
// reach it (the paper's section 4.4.1; for comparison).
enum class NonuniformSpreader { blocks, points };

class NonuniformPlan {
 public:
  NonuniformPlan(const Context& context, std::span<const Index> modes, double tolerance);
  ~NonuniformPlan();
  NonuniformPlan(NonuniformPlan&&) noexcept;

  // coordinates[d]: n_points numbers in device memory; replaces the points before. They are copied. Launches, but for
  // memory where there are more points than ever before.
  void set_points(std::span<const double* const> coordinates, Index n_points);
  // Waits for the stream. ShapeError if a point is not finite; transforms of such points are no numbers.
  void check_points() const;

  const NonuniformGeometry& geometry() const { return geometry_; }
  Index n_points() const;
  struct Device;
  const Device& device() const { return *device_; }

 private:
  Context context_;
  NonuniformGeometry geometry_;
  std::unique_ptr<Device> device_;
};

std::size_t nonuniform_workspace_bytes(const NonuniformPlan& plan);

void nonuniform_type1(const NonuniformPlan& plan, int sign, const std::complex<double>* c, std::complex<double>* F,
                      void* workspace, NonuniformSpreader spreader = NonuniformSpreader::blocks);
void nonuniform_type2(const NonuniformPlan& plan, int sign, const std::complex<double>* F, std::complex<double>* c,
                      void* workspace);

}  // namespace cuda
}  // namespace gwrm
