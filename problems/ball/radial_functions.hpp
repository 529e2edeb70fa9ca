// Of which functions of the radius the series of fields are made: those of the full sphere, or those of a shell between
// two radii (shell_functions.hpp).
//
// Series     f = sum e_n E_n^l(r) Y_l^m, n = 0 .. highest; the E_n are orthonormal with r^2 dr between `inner` and 1,
// so
//            that e_n = <E_n, f>; E_0 .. E_n are the same whatever the highest is.
// Radii      in units of the (outer) radius.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problems/ball/radial_basis.hpp"
#include "problems/ball/radial_table.hpp"

namespace gwrm::ball {

class RadialFunctions {
 public:
  virtual ~RadialFunctions() = default;

  virtual double inner() const = 0;  // the radius of the inner wall; 0: the full sphere
  bool is_shell() const { return inner() > 0.0; }
  std::vector<double> walls() const {
    return is_shell() ? std::vector<double>{1.0, inner()} : std::vector<double>{1.0};
  }
  virtual std::string name() const = 0;     // one word
  virtual std::string formula() const = 0;  // of E_n^l and what they are orthonormal with

  virtual RadialTable table(Index l, Index highest, std::span<const double> radii) const = 0;
  // Degree in r of a series; of products the degrees add up.
  virtual Index degree(Index l, Index highest) const = 0;
  // Nodes for int f r^2 dr of products of fields and test functions with this degree: exact in the full sphere, to
  // rounding in a shell, where they come with powers of 1/r.
  virtual RadialNodes nodes(Index degree) const = 0;
  // E_n, E_n', E_n'' at a wall.
  virtual std::array<double, 3> wall_values(double wall, Index l, Index n) const = 0;
  // value u + slope u' + curvature u'' of a series of E_n, n <= highest, at the wall of the condition.
  double wall_value(const WallCondition& condition, Index l, Index highest, const double* e) const;
  // `equation`: where there are two conditions at a wall.
  virtual std::unique_ptr<const RadialBasis> basis(Index l, Index highest, std::vector<WallCondition> conditions,
                                                   const FourthOrder& equation) const = 0;
  // <E_j, Lapl f>, j < n, of `count` series f of n coefficients one after the other.
  virtual void laplacian(Index l, Index n, Index count, const double* e, double* result) const = 0;
  // <E_j, Lapl^2 f>, likewise.
  virtual void bilaplacian(Index l, Index n, Index count, const double* e, double* result) const = 0;
};

// Those of the full sphere for an inner radius of 0, else of a shell; of the unit of length that the radius is.
std::shared_ptr<const RadialFunctions> radial_functions(double inner);

}  // namespace gwrm::ball
