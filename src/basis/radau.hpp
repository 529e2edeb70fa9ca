// Radau IIA collocation on [-1, 1] (right end included): nodes, weights, the integration matrix.
//
// Nodes     tau_j, j = 1..K: roots of P_K - P_{K-1} (Legendre), ascending, tau_K = +1 exactly.
// Formula   int_{-1}^{tau_j} f ~ sum_i Q[j,i] f(tau_i), exact for polynomials of degree < K (Q = 2 x Radau IIA's A);
//           weights w = last row of Q, exact to degree 2K - 2.
// Source    Hairer and Wanner, Solving ODE II, IV.5; docs/numerics.md 2.1. Built through Legendre polynomials in long
//           double.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

struct Radau {
  Vector nodes;        // K
  Vector weights;      // K, sum 2
  Matrix integration;  // Q, K x K
  // Chebyshev coefficients (K x K) of the polynomial of degree K-1 through values at the nodes, in T_0..T_{K-1}.
  Matrix coefficients;
};

// n_nodes >= 1. Computed once per n_nodes and kept; several threads may call it.
const Radau& radau(Index n_nodes);

}  // namespace gwrm
