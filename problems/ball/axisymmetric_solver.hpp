// A window of time with terms that do not change under rotations about the axis, directly: for every order m and time
// mode one complex matrix, block-banded in l.
//
// Formula   mass D + (h/2) Q (diffusion - terms) D = R, as in diffusion_solver.hpp, with z = D_cos - i D_sin, the terms
//           as the matrices A of axisymmetric_terms.hpp and W = U^H z, from the last time mode k to the first:
//             (mass + (h/2) T_kk (diffusion - A)) W_k = (U^H R)_k - (h/2) (diffusion - A) sum_(j>k) T_kj W_j.
// Method    LU with exchanges within the band (kernels/linear_algebra/banded_lu.hpp): blocks of all parts of one l,
// `reach`
//           of them to either side. Factors are made when a window's right-hand side first needs them: orders that
//           begin with nothing, and nothing drives, cost nothing.
// Cost      of a family of n unknowns and width b, with K nodes: 16 K n b^2 flops to factor, 24 K n b + 8 K^2 n b to
//           solve, 48 K n b bytes.
// Shapes    R, D: K x unknowns, row-major.
// Determinism the same bits on every run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/linear_algebra/banded_lu.hpp"
#include "problems/ball/axisymmetric_terms.hpp"

namespace gwrm::ball {

class AxisymmetricSolver {
 public:
  AxisymmetricSolver(const BallSpace& space, const std::vector<AxisymmetricFamily>& families, double window_length);

  double window_length() const { return length_; }
  // d is the change over the window. False where a matrix is singular to rounding.
  bool solve(const double* r, double* d);

 private:
  struct Factors {
    std::vector<ComplexBandedLu> of_mode;  // none yet: nothing drove the family
    std::vector<LuStatus> status;
  };
  ComplexBandedMatrix matrix(const AxisymmetricFamily& family, Index mode) const;
  void add_generator(const AxisymmetricFamily& family, std::complex<double> factor, const Eigen::VectorXcd& x,
                     std::complex<double>* y) const;
  // Those of the families in `driven` that are not there yet; whether all of them are regular.
  bool make_factors(const std::vector<std::size_t>& driven);

  const BallSpace& space_;
  const std::vector<AxisymmetricFamily>& families_;
  double length_;
  Eigen::MatrixXcd unitary_, triangle_;
  std::vector<Factors> factors_;
};

}  // namespace gwrm::ball
