// Solenoidal fields of a sphere of any radius on points, and their curls, from series of the unit ball.
//
// Formula   x = r / R:  curl(T Y r) + curl curl(P Y r) = curl_x(T Y x) + (1/R) curl_x curl_x(P Y x); its curl has the
//           scalars P -> T and T -> -Lapl_x P / R^2.
// Laplacian of a series by RadialFunctions, in a shell projected on its functions; of curls on the points, exactly.
#pragma once

#include <array>
#include <vector>

#include "problems/ball/ball_space.hpp"
#include "problems/ball/sphere_transform.hpp"

namespace gwrm::ball {

using Components = std::array<std::vector<double>, 3>;  // r, theta, phi

Components cross(const Components& a, const Components& b);

// Lapl_x of the series of a part, or of any with its layout: the blocks of `part` from those of `from`.
void laplacian_series(const RadialFunctions& radial, const Layout& series, std::size_t from, const double* e,
                      std::size_t part, double* result);

// Of the parts `toroidal` and `toroidal` + 1.
Components vector_values(const SphereTransform& transform, const Layout& series, std::size_t toroidal, double radius,
                         const double* e);
Components curl_values(const SphereTransform& transform, const Layout& series, std::size_t toroidal, double radius,
                       const double* e);

}  // namespace gwrm::ball
