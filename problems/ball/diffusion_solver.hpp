// Diffusion over one window of time, directly: the K Radau nodes decoupled by the Schur form of their integration
// matrix, tridiagonal systems (pentadiagonal ones of hyperdiffusion) for each time mode, part and degree l.
//
// Formula   mass D + (h/2) Q diffusion D = R for the rows D_1 .. D_K (values at the nodes less those at the
//           start), Q = U T U^H the integrals of basis/time_basis.hpp on [-1, 1]. With W = U^H D, from the last mode k
//           to the first,
//             (mass + (h/2) T_kk diffusion) W_k = (U^H R)_k - (h/2) diffusion sum_(j>k) T_kj W_j.
// Why Schur The eigenvectors of Q have condition 4e3, 7e5, 1e7 at K = 8, 12, 16: good for a preconditioner, not for a
//           direct solve. U is unitary.
// Shapes    R, D: K x unknowns, row-major; one may be the other.
// Cost      K^2/2 + 5 K operations and complex banded solves an unknown; no pivots: Re T_kk > 0
//           (symmetric_bands.hpp; method/ball, section 3).
// Determinism the same bits on every run.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "kernels/banded/banded_batch.hpp"
#include "problems/ball/ball_space.hpp"

namespace gwrm::ball {

class DiffusionSolver {
 public:
  DiffusionSolver(const BallSpace& space, double window_length);

  double window_length() const { return length_; }
  void solve(const double* r, double* d) const;

 private:
  struct Block {
    Index place, size;
    SymmetricBands diffusion;
    std::vector<std::unique_ptr<BandedPlan<Complex>>> plans;  // by time mode
  };

  const BallSpace& space_;
  double length_;
  Context context_;
  Eigen::MatrixXcd unitary_, triangle_;
  std::vector<Block> blocks_;
};

}  // namespace gwrm::ball
