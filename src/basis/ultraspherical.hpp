// Coefficient operators of the ultraspherical method: derivatives and conversions between Gegenbauer bases, all banded.
//
// A series sum a_k T_k has the m-th derivative sum b_k C^(m)_k with b = D_m a; a series in C^(l) is one in C^(l+1) with
// the coefficients S_l c (C^(0) stands for T). Residuals written in C^(m), m the order of the equation, keep the
// condition of the system independent of the degree up to a diagonal scaling; written in T it grows like degree^(2m).
// Formulas  (D_m)_{k-m,k} = 2^(m-1) (m-1)! k;  S_0: diagonal 1, 1/2, 1/2, .., second superdiagonal -1/2;
//           S_l: diagonal l/(l+k), second superdiagonal -l/(l+k), k the column.
// Source    Olver and Townsend, SIAM Rev. 55 (2013) 462; docs/numerics.md 3.2.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

// D_m in xi on [-1, 1], (degree + 1) x (degree + 1); order 0: the identity.
Matrix ultraspherical_derivative(Index degree, int order);

// S_{to-1} .. S_from applied to the columns of a matrix. Cost: 2 operations per entry and step.
Matrix ultraspherical_conversion(Matrix columns, int from, int to);

}  // namespace gwrm
