// The functions of the radius in a shell between r = a and r = 1.
//
// Functions  E_n(r) = p_n(r)/r for every l, p_n(r) = sqrt((2n+1)/(1-a)) P_n(x), x = (2r - 1 - a)/(1 - a), P_n the
//            polynomials of Legendre: r times a field is a polynomial, int_a^1 E_n E_m r^2 dr = 1 or 0. (Chebyshev
//            polynomials span the same; these are orthogonal with the weight that energies have.)
// Formula    with v = r u, L = l(l+1):  u = v/r, u' = v'/r - v/r^2, (r u)'/r = v'/r, Lapl u = (v'' - L v/r^2)/r,
//            Lapl^2 u = (v'''' - 2 L v''/r^2 + 4 L v'/r^3 + L (L - 6) v/r^4)/r.
// Table      p_n and derivatives by p_(n+1)' = p_(n-1)' + (2n+1) p_n, in long double.
// Laplacian  <E_j, Lapl E_n> = int p_j p_n'' dr - l(l+1) int p_j p_n / r^2 dr; matrices are made once per number of
//            functions.
// Nodes      of Gauss and Legendre on (a, 1). Powers of 1/r are no polynomials: their coefficients fall like rho^-k,
//            log rho = arcosh((1+a)/(1-a)), so that 20/log(rho) nodes more leave e^-40.
#pragma once

#include <map>
#include <mutex>

#include "core/matrix.hpp"
#include "problems/ball/radial_functions.hpp"

namespace gwrm::ball {

class ShellFunctions : public RadialFunctions {
 public:
  explicit ShellFunctions(double inner) : inner_(inner) {}  // 0 < inner < 1

  double inner() const override { return inner_; }
  std::string name() const override { return "legendre"; }
  std::string formula() const override;
  RadialTable table(Index l, Index highest, std::span<const double> radii) const override;
  Index degree(Index, Index highest) const override { return highest; }
  RadialNodes nodes(Index degree) const override;
  std::array<double, 3> wall_values(double wall, Index l, Index n) const override;
  std::unique_ptr<const RadialBasis> basis(Index l, Index highest, std::vector<WallCondition> conditions,
                                           const FourthOrder& equation) const override;
  void laplacian(Index l, Index n, Index count, const double* e, double* result) const override;
  void bilaplacian(Index l, Index n, Index count, const double* e, double* result) const override;

  // <E_j, r^power E_n>, j, n <= highest.
  Matrix moments_of_power(int power, Index highest) const;

 private:
  struct Matrices {
    Matrix second, over_square;  // int p_j p_n'' dr, int p_j p_n / r^2 dr
  };
  std::shared_ptr<const Matrices> matrices(Index n) const;

  double inner_;
  mutable std::mutex mutex_;
  mutable std::map<Index, std::shared_ptr<const Matrices>> known_;
};

// p_n and its derivatives up to the fourth at radii: (highest + 1) x radii.
struct LegendreOfShell {
  using Table = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Table value, slope, curvature, third, fourth;

  LegendreOfShell(double inner, Index highest, std::span<const double> radii);
};

}  // namespace gwrm::ball
