// Fields at points from their series; where the points are is the implementation's: a tensor grid
// (sphere_transform.hpp), or scattered (scattered_fields.hpp).
//
// Series     a part's coefficients in the order of BallSpace::series().
// Scalar     f = sum e_n E_n(r) Y_l^m.
// Vector     curl(T Y r) + curl curl(P Y r) in the unit ball:
//              B_r = l (l+1) P/r Y,  B_theta = (r P)'/r dY/dtheta + T/sin dY/dphi,  B_phi = (r P)'/r /sin dY/dphi - T
//              dY/dtheta.
#pragma once

#include <array>
#include <vector>

#include "problems/ball/ball_space.hpp"

namespace gwrm::ball {

class FieldValues {
 public:
  virtual ~FieldValues() = default;

  virtual std::vector<double> scalar(const Layout& series, std::size_t part, const double* e) const = 0;
  // Components r, theta, phi. Either part may be -1: none.
  virtual std::array<std::vector<double>, 3> vector(const Layout& series, int toroidal, int poloidal,
                                                    const double* e) const = 0;
};

}  // namespace gwrm::ball
