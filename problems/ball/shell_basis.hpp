// Radial functions of a shell that meet conditions at both walls and in which diffusion is diagonal, one degree l.
//
// Span       chi_k = sum_(j=0..c) f_kj E_(k+j), the one combination of c + 1 neighbours that meets the c
//            conditions: one at each wall, or two. As Shen's for Legendre polynomials they are well conditioned once
//            scaled.
// Forms      with v = r u, w = r phi, by parts:
//              <u, phi>          = int v w dr
//              <-Lapl u, phi>    = int (v' w' + l(l+1) v w/r^2) dr - [v' w],   w = 0 at a wall with u = 0,
//                                  v' = v/r - (value/slope) v at one with value u + slope u' = 0
//              <Lapl u, Lapl phi> = int (v'' - l(l+1) v/r^2)(w'' - l(l+1) w/r^2) dr - [2 v' w'/r] where u = u'' = 0,
//                                  without the last at walls with u = u' = 0
//            [f] = f(1) - f(a). Symmetric; integrals by Gauss nodes that are right to rounding.
// Functions  phi_k of M phi = mu (K + M) phi, by the number of conditions at a wall:
//              one                             M = <u, phi>,        K = <-Lapl u, phi>
//              two, the curl of a flow         M = <-Lapl u, phi>,  K = <Lapl u, Lapl phi>
//              two, a scalar with              M = <u, phi>,        K = <Lapl u, Lapl phi>
//                hyperdiffusion kappa_4                                 + (kappa/kappa_4) <-Lapl u, phi>
//            They diagonalise both: M is 1, K the rates lambda_k = 1/mu_k - 1, slowest first. The inverse problem, with
//            the matrix that is close to diagonal as the weight, has the slow rates to rounding (a rigid rotation's,
//            and a constant's, 0); the fastest are those of the polynomials, as in any Galerkin method.
// Bands      mass 1, gradients K, stiffness K; for the curl of a flow gradients 1, stiffness K, and no mass; for a
//            scalar with hyperdiffusion mass 1, stiffness K, which holds the diffusion, and gradients 0.
// Cost       O(N^3) once; N^2 operations for to_series, as a transform along r.
// Source     Shen, SIAM J. Sci. Comput. 15 (1994) 1489, for the combinations.
#pragma once

#include "core/matrix.hpp"
#include "problems/ball/radial_basis.hpp"

namespace gwrm::ball {

class ShellFunctions;

class ShellBasis : public RadialBasis {
 public:
  // ShapeError for other than one or two conditions at each of the two walls.
  ShellBasis(const ShellFunctions& functions, Index l, Index highest, std::vector<WallCondition> conditions,
             const FourthOrder& equation = {});

  void to_series(const double* c, double* e) const override;
  void test(const double* e, double* c) const override;
  void nearest(double* c, Index count) const override;

 private:
  Matrix series_;            // (highest + 1) x functions: phi_k = sum_n series_(n, k) E_n
  Eigen::MatrixXd inverse_;  // of <phi_j, phi_k>; empty where that is 1
};

}  // namespace gwrm::ball
