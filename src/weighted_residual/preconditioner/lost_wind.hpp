// What steady flow gets in place of the wind that tensor products lose.
//
// Why       these hold coefficients averaged over all directions but one. The wind c of a vortex, c . grad u, has no
// such
//           average: what is left of A = -nu L + c . grad is -nu L, and A (-nu L)^-1 has eigenvalues 1 + i w/(nu k^2)
//           as large as the Reynolds number, which then is about the number of iterations.
// Formula   s - nu L in place of -nu L: eigenvalues (nu k^2 + i w)/(s + nu k^2), of size 1 at most for w <= s, whatever
// the
//           Reynolds number. s = sqrt(sum_d (pi/l_d)^2 var_d), the lost wind on the longest wave; l_d the length of the
//           box, var_d the mean square of c_d less that of its profile along d, which the products hold. With a time
//           derivative 1/z takes this part.
#pragma once

#include "weighted_residual/preconditioner/saddle_laplacian.hpp"

namespace gwrm {

// Adds s to the factors without derivatives (TensorField::mass) of the unknowns' own equations, with the sign that the
// negative second derivatives have there. averages: of the linearised rows' coefficients, over time.
void add_lost_wind(const SaddleRows& rows, const std::vector<Array>& averages, std::vector<TensorField>& fields);

}  // namespace gwrm
