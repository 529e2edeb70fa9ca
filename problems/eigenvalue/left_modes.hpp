// Left modes as functions: one for each equation, by which its residual is weighted.
//
// Functional   y^H P(l) = 0 gives each row a weight. Those of one equation's rows are a functional of its residual r,
//              sum conj(y_i) (T r)_i, T the row's test matrices. Its function w in the span of the equation's own modes
//              phi_k (those that conditions leave it) has the same values of all r in this span,
//                  int conj(w) r dx = sum conj(y_i) (T r)_i,     G w = H^T y,     G_jk = int phi_j phi_k dx, H = T phi,
//              axis by axis. Of other r it differs by the highest modes of r, which are as small as the tail.
// Sign         r is the side of the equation with the eigenvalue minus the other one (the left side minus the right
//              side where both or neither hold it), so that lam*u = A u and A u = lam*u have the same left mode.
// Scale        y^H P'(l) v = 1 with the mode v, over equations and conditions: <w, B v> = 1 of lam B v = A v. Modes of
//              equal eigenvalues are made biorthogonal, y_i^H P'(l) v_k = 0.
// Then         d lam/dp = - y^H (dP/dp) v, for what stands in the equations - sum of int conj(w) (dr/dp) dx.
// Source       Luchini and Bottaro, Annual Review of Fluid Mechanics 46, 2014; Kato, Perturbation Theory, II.1-2.
#pragma once

#include <vector>

#include "problems/eigenvalue/modes.hpp"

namespace gwrm {

// The number of candidates that may be rejected before the search for modes ends.
inline constexpr int kMostPassedOver = 60;

// "u" -> "u_left": of the equation that the program solves for u (EquationModel::field).
std::string left_name(const std::string& unknown);

// Where all modes have a left one, scales Mode::left as above and sets Mode::left_functions; else, or where a mode and
// its left mode are orthogonal (no simple eigenvalue), leaves these empty. Modes as they are to be delivered.
void set_left_functions(const Pencil& pencil, std::vector<Mode>& modes);

// Whether all have them.
bool have_left_functions(const std::vector<Mode>& modes);

}  // namespace gwrm
