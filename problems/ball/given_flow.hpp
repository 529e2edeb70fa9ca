// The flow that a case gives: steady, solenoidal, as the literature on kinematic dynamos prints it.
//
// Formula   u = factor (curl(t Y e_r) + curl curl(s Y e_r)) with the unit vector e_r and Y = P_l^m(cos theta) cos(m
// phi)
//           (or sin), unnormalised:
//             u_r = l (l+1) s/r^2 Y,
//             u_theta = s'/r dY/dtheta + t/r /sin dY/dphi,
//             u_phi = s'/r /sin dY/dphi - t/r dY/dtheta.
//           Fields with the position vector have scalars r times smaller: T = t/r, P = s/r.
// Source    Dudley and James, Proc. R. Soc. A 425 (1989) 407.
#pragma once

#include <array>
#include <vector>

#include "problems/ball/ball_model.hpp"

namespace gwrm::ball {

class GivenFlow {
 public:
  // CaseError for a factor that does not vanish like r^(l+1) at the centre of the full sphere, or a flow through a
  // wall.
  explicit GivenFlow(const BallModel& model);

  bool is_there() const { return !parts_.empty(); }
  bool is_axisymmetric() const;
  std::vector<Index> orders() const;  // m of its harmonics
  // Degrees of an expansion that holds it to rounding: r is the degree of a polynomial in r.
  Degrees degrees() const { return degrees_; }
  // Components at points: [phi][theta][r].
  std::array<std::vector<double>, 3> values(const SpherePoints& points) const;
  std::array<std::vector<double>, 3> curl(const SpherePoints& points) const;
  double largest_speed() const;

 private:
  // Of T and P of the unit ball, without the factor 1/R of curl curl.
  Layout layout() const;
  std::vector<double> series(const Layout& layout) const;

  struct Part {
    Index l, m;
    bool poloidal;
    std::vector<double> series;  // of t/r or s/r in E_n^l, times the norm of Y
  };

  double factor_ = 1.0, radius_ = 1.0;
  std::shared_ptr<const RadialFunctions> radial_;
  std::vector<Part> parts_;
  Degrees degrees_;
};

}  // namespace gwrm::ball
