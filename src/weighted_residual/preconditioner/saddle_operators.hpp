// What preconditions a constraint and its multiplier (model/multipliers.hpp) in a box: the parts of a block
// factorisation.
//
// With w the other unknowns and p the multiplier, S(z) = [A G; D C] (spatial_factors.hpp), and
//   w* = A^-1 r,   p = (D A^-1 G - C)^-1 (D w* - c),   w = w* - A^-1 G p.
// A^-1      the tensor solver, which takes each of w by itself (tensor_factors.cpp).
// D, G      as they are, by axes (separable_terms.hpp).
// Schur complement   A ~ m + n L + W, m(z) its mean factor without derivatives, n(z) that of the second ones, W(z) the
//           first ones, averaged over the unknowns that c and the gradient of p have in common (the velocities), their
//           equations divided by the factors of the gradient. Rows
//           of c on the modes that the equations keep make E = D G, with the conditions in D, exactly separable: E =
//           E_x (x) I + I (x) E_y + .. Let d be its factor, E ~ d L. Then
//             (D A^-1 G - C)^-1 ~ (m + n C m/d' + W) d/d' (E - C m d/d')^-1 + n/d',   d' = d - C n,
//           exact for constant coefficients without walls. For C = 0 the sum of E^-1 and 1 is Cahouet and Chabard's,
//           the term with W that of the pressure convection-diffusion preconditioner (Kay, Loghin, Wathen), here with
//           the mean profiles of W alone. Where conditions hold p (outflow), E has their part too: D M G_c m beside D
//           G, M what the conditions make of their right-hand sides; what n and W add is left out where m outweighs
//           them by far, as they do not vanish at that end, where p is but n times the slope of a velocity.
// Constant  where nothing but a row in place of c's first fixes the mean of p, E has the constants as its kernel. The
//           right-hand side of that row is chosen so that the others can be solved, l^T r = 0 with the left null vector
//           l = l_x (x) l_y (x) .., E is shifted by a small part of its smallest eigenvalue, and the constant is set by
//           the row.
// Sources   Cahouet and Chabard, Int. J. Numer. Meth. Fluids 8 (1988) 869; Kay, Loghin and Wathen, SIAM J. Sci. Comput.
//           24 (2002) 237; Elman, Silvester and Wathen, Finite Elements and Fast Iterative Solvers (2014).
#pragma once

#include <complex>
#include <vector>

#include "weighted_residual/preconditioner/separable_functional.hpp"
#include "weighted_residual/preconditioner/separable_terms.hpp"
#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {

// One pair.
struct SaddlePair {
  int equation = -1, field = -1;
  std::vector<SeparableTerm> divergence, own;  // D and C: the rows of c
  std::vector<SeparableTerm> gradient;         // G: p in the rows of the others
  std::vector<SeparableTerm> degrees;          // the rows that set p's highest modes
  std::vector<std::size_t> driven;             // the tensor fields that G reaches
  TensorField laplacian;                       // E - C m d/d' on the modes of p; mass: - C m d/d'
  std::vector<Matrix> wind;                    // per axis, W on the modes of c and p (empty: none), of power wind_power
  int wind_power = 0;
  bool has_wind = false;
  std::vector<std::complex<double>> inverse, wind_factor, identity;  // per z: (m + n C m/d') d/d', d/d', n/d'
  bool has_kernel = false;
  std::vector<Vector> left_null, constant;  // per axis: l; the coefficients of 1
  SeparableFunctional gauge;
  double gauge_of_one = 1.0;
};

// velocities: the tensor operators of the other unknowns, for the same z. singular: the equations are not of this form.
LuStatus saddle_pairs(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                      const std::vector<std::complex<double>>& z, const std::vector<TensorField>& velocities,
                      std::vector<SaddlePair>& pairs);

}  // namespace gwrm
