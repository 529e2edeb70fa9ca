// Diffusion over one window on the device: the direct solution that preconditions GMRES, and the part of a window's
// equations that is not terms.
//
// Contract: problems/ball/diffusion_solver.hpp, problems/ball/window_equations.hpp; assemble()
//
// solve     one launch for all parts, degrees and orders: a block of threads takes some systems of one matrix, forms
// their
//           time modes in shared memory (in global memory where they do not fit), and goes from the last mode to the
//           first: right-hand sides by all threads, substitution with L D L^T (problems/ball/symmetric_factors.hpp) by
//           one thread a system.
// assemble  one thread an unknown for all nodes.
// Everything goes to the stream; nothing waits. At most kMaxNodes nodes.
#pragma once

#include "weighted_residual/device/device_atoms.cuh"
//
#include <complex>
#include <vector>

#include "core/matrix.hpp"
#include "problems/ball/ball_space.hpp"

namespace gwrm::cuda {

class DeviceDiffusion {
 public:
  static constexpr int kMaxNodes = 32;

  // Tables that do not depend on the window are there after matrices.send().
  DeviceDiffusion(DeviceTools& tools, DeviceMatrices& matrices, const ball::BallSpace& space);

  // Factors for windows of this length; Error where a matrix is singular.
  void set_length(double window_length);
  double window_length() const { return length_; }
  // d may be r.
  void solve(const double* r, double* d);
  // y = mass (v - state) + (h/2) Q (diffusion v - rates); v, rates, y: nodes x unknowns. state: unknowns, or null: 0.
  // rates: null: 0.
  void assemble(const double* v, const double* state, const double* rates, double* y) const;

  // A matrix and its systems.
  struct Block {
    std::int32_t n = 0, n_systems = 0;
    std::int64_t place = 0;    // of the unknowns
    std::int64_t bands = 0;    // mass diagonals 0, 1, 2 and diffusion diagonals 0, 1: n numbers each
    std::int64_t factors = 0;  // by mode: 1/d, l1, l2: n complex numbers each
  };
  struct Tile {
    std::int32_t block, first, count;  // systems
  };

 private:
  DeviceTools& tools_;
  const ball::BallSpace& space_;
  Index n_nodes_, n_unknowns_;
  double length_ = 0.0;
  Matrix integrals_;
  Eigen::MatrixXcd unitary_, triangle_;
  std::vector<Block> blocks_;
  std::int32_t largest_ = 0;  // unknowns of a block
  std::int64_t n_factors_ = 0;
  const Block* device_blocks_ = nullptr;
  const double *bands_ = nullptr, *integrals_on_device_ = nullptr;
  const std::complex<double>*unitary_on_device_ = nullptr, *triangle_on_device_ = nullptr;
  const Tile* tiles_ = nullptr;
  unsigned n_tiles_ = 0;
  std::size_t shared_bytes_ = 0;      // 0: the modes are in `scratch_`
  std::int64_t scratch_of_tile_ = 0;  // complex numbers
  DeviceArray factors_, scratch_;
};

}  // namespace gwrm::cuda
