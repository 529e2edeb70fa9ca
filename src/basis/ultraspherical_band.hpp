// Coefficient operators of the ultraspherical method in banded storage, polynomial coefficients included.
//
// c(xi) d^j/dxi^j applied to a series in T_k of degree L and written in C^(m), m >= j, is S_{m-1} .. S_j M D_j: D_j and
// S_l as in ultraspherical.hpp, M = c(X) by Clenshaw's recurrence in the matrix X of the multiplication by xi,
//   X_{k+1,k} = (k+1)/(2(k+j)), X_{k-1,k} = (k+2j-1)/(2(k+j))  (T: 1/2, and X_{1,0} = 1).
// A coefficient of degree d gives the diagonals j - d .. 2m - j + d.
// Projection  as the equations of a window are formed: the product is cut to degree L in T before it is written in
//             C^(m).
// Source      Olver and Townsend, SIAM Rev. 55 (2013) 462; docs/numerics.md 3.2.
#pragma once

#include <span>

#include "basis/banded_form.hpp"
#include "core/matrix.hpp"

namespace gwrm {

// The rows 0 .. n_rows - 1 of the operator above in xi on [-1, 1], coefficient: c's Chebyshev series, at least one.
// ShapeError unless 0 <= order <= basis and n_rows <= degree + 1. Cost: O(n_rows d^2).
BandRows ultraspherical_product(std::span<const double> coefficient, Index degree, int order, int basis, Index n_rows);

}  // namespace gwrm
