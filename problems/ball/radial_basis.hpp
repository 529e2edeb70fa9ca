// Radial functions of one degree l that meet conditions at the walls (RadialBasis); those of the full sphere
// (EnergyBasis; of a shell: shell_basis.hpp), which meet conditions on its surface r = 1: combinations of two or three
// neighbouring functions of the energy basis, in which diffusion is a few diagonals.
//
// Energy basis   Q_n(r) = r^l P_n^(0,l+1/2)(2 r^2 - 1), n = 0, 1, ..: regular at the centre, Q_n(1) = 1,
//                int_0^1 Q_n^2 r^2 dr = nu_n = 1 / (4n + 2l + 3);   E_n = Q_n / sqrt(nu_n) is orthonormal.
// Slopes         s_n = Q_n'(1) = l + 2n (n + l + 3/2). Green's formula gives Lapl Q_n = sum_(j<n) (s_n - s_j)/nu_j Q_j.
// One condition  b(u) = value u(1) + slope u'(1) = 0:
//                phi_n = b_(n-1) Q_n - b_n Q_(n-1), n = 1, 2, ..;
//                mass <phi, phi> tridiagonal, stiffness <-Lapl phi, phi> = b_n b_(n-1) (4n + 2l + 1) diagonal.
// Two conditions psi_n in the span of Q_n, Q_(n-1), Q_(n-2), n = 2, 3, ..; for pairs of conditions that make Lapl^2
//                self-adjoint (clamped: u = u' = 0; free of stress: u = u'' = 0):
//                stiffness <Lapl^2 psi, psi> diagonal, gradients <-Lapl psi, psi> tridiagonal, mass pentadiagonal.
// Scale          the stiffness is 1; where it vanishes (a constant, a rigid rotation) the mass is.
// Why diagonal   Lapl phi_j has a degree below all of phi_n's functions for j < n, and the operator is self-adjoint.
// Source         method/spectral-transforms, section 6.1 (ST); the functions of two conditions: the same argument.
#pragma once

#include <array>
#include <vector>

#include "core/array.hpp"

namespace gwrm::ball {

// value u + slope u' + curvature u'' = 0 at r = wall, 1 or the inner radius of a shell.
struct WallCondition {
  double value = 0.0, slope = 0.0, curvature = 0.0;
  double wall = 1.0;
};

// The equation of fourth order that functions with two conditions at a wall are for: Lapl u_t = Lapl^2 u, of the curl
// of a flow, or u_t = diffusion Lapl u - Lapl^2 u.
struct FourthOrder {
  bool of_curl = true;
  double diffusion = 0.0;
};

// Q_n, Q_n', Q_n'' at r = 1.
std::array<double, 3> energy_wall_values(Index l, Index n);
double energy_norm(Index l, Index n);  // nu_n

class RadialBasis {
 public:
  virtual ~RadialBasis() = default;

  Index l() const { return l_; }
  Index highest() const { return highest_; }
  Index n_conditions() const { return static_cast<Index>(conditions_.size()); }
  Index n_functions() const { return highest_ + 1 - n_conditions(); }

  // u = sum_k c_k phi_k = sum_n e_n E_n: e from c, and the scalar products <E_n, f> summed to those <phi_k, f>.
  virtual void to_series(const double* c, double* e) const = 0;
  virtual void test(const double* e, double* c) const = 0;
  // From <phi_k, f> the coefficients of the nearest function in L2, for `count` functions f one after the other.
  virtual void nearest(double* c, Index count) const = 0;

  // Diagonals d = 0, 1, 2 of the symmetric matrices: entry (k, k + d) at k.
  const std::vector<double>& stiffness() const { return stiffness_; }
  const std::vector<double>& mass(int d) const { return mass_[static_cast<std::size_t>(d)]; }
  const std::vector<double>& gradients(int d) const { return gradients_[static_cast<std::size_t>(d)]; }
  std::size_t n_mass_diagonals() const { return n_mass_diagonals_; }

 protected:
  RadialBasis(Index l, Index highest, std::vector<WallCondition> conditions);

  Index l_, highest_;
  std::vector<WallCondition> conditions_;
  std::vector<double> stiffness_;
  std::array<std::vector<double>, 3> mass_, gradients_;
  std::size_t n_mass_diagonals_ = 2;
};

class EnergyBasis : public RadialBasis {
 public:
  // Of the functions E_0 .. E_highest, combined to n_functions() = highest + 1 - (number of conditions). ShapeError
  // for other than one or two conditions, or fewer than one function.
  EnergyBasis(Index l, Index highest, std::vector<WallCondition> conditions);

  void to_series(const double* c, double* e) const override;
  void test(const double* e, double* c) const override;
  void nearest(double* c, Index count) const override;

 private:
  void combine();
  void scale(std::size_t k);

  // Of function k: factors of E_(k+d) for d = 0 .. n_conditions().
  std::array<std::vector<double>, 3> factors_;
};

}  // namespace gwrm::ball
