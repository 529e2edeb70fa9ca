// Tangential fields on the sphere by their Cartesian components: coefficients of gradient and curl parts, and those of
// the three components.
//
// Formula   With r Y = [r Y]_(l+1) + [r Y]_(l-1), the parts of degree l + 1 and l - 1 of r Y_l^m, r the unit vector,
//             grad Y = (l+1) [r Y]_(l-1) - l [r Y]_(l+1)
//           (r^l Y and r^(-l-1) Y are harmonic, so the components of their gradients have one degree alone), and
//             curl(Y r) = -r x grad Y = -i (L_x, L_y, L_z) Y, L the operator of angular momentum.
//           Components are x + i y, x - i y and z, in which r and L raise, lower or keep the order m:
//             cos Y_l^m = e(l+1,m) Y_(l+1)^m + e(l,m) Y_(l-1)^m,  e(l,m) = sqrt((l^2 - m^2) / (4 l^2 - 1)),
//             sin e^(i phi) Y_l^m = a(l,m) Y_(l+1)^(m+1) - b(l,m) Y_(l-1)^(m+1),
//             sin e^(-i phi) Y_l^m = -a(l,-m) Y_(l+1)^(m-1) + b(l,-m) Y_(l-1)^(m-1),
//             a(l,m)^2 = (l+m+1) (l+m+2) / ((2l+1) (2l+3)),  b(l,m)^2 = (l-m) (l-m-1) / ((2l-1) (2l+1)),
//             L_(+-) Y_l^m = -c Y_l^(m+-1),  c^2 = (l -+ m) (l +- m + 1),  L_z Y_l^m = m Y_l^m   (without the phase).
// Layout    s, t: degree L; components: x, then y, then z, degree L + 1 each; all as in spherical_harmonics.hpp.
#pragma once

#include "kernels/transform/spherical_harmonics.hpp"

namespace gwrm::cpu {

void components_of(const VectorSphericalPlan& plan, const std::complex<double>* s, const std::complex<double>* t,
                   std::complex<double>* components, int n_threads);
// The adjoint, divided by l (l+1).
void parts_of(const VectorSphericalPlan& plan, const std::complex<double>* components, std::complex<double>* s,
              std::complex<double>* t, int n_threads);

}  // namespace gwrm::cpu
