// The Radau integration matrix Q in diagonal or triangular form: time unknowns that decouple.
//
// Q = V diag(lambda) V^{-1} for K <= 16: the eigenvalues come in conjugate pairs (and a real one if K is odd); one of
// each pair is kept, and x = sum over those kept of m Re(V_k y_k), y = V^{-1} x, m = 2 for a pair, 1 for the real one.
// cond(V) grows like 10^(0.58 K - 0.8), which a preconditioner bears up to K = 16. Above: Q = U T U^H with T upper
// triangular, U unitary (complex Schur form), all K rows kept. Source: docs/numerics.md 2.3.
// Eigenvectors are computed in long double; where that has no more digits than double, every K takes the Schur form.
#pragma once

#include <complex>
#include <vector>

#include "core/matrix.hpp"

namespace gwrm {

struct TimeModes {
  std::vector<std::complex<double>> eigenvalues;  // of Q, those kept
  Matrix forward;   // 2 q x K: rows 2k, 2k+1 the real and imaginary part of row k of V^{-1}
  Matrix backward;  // K x 2 q: x = backward . (Re y_0, Im y_0, Re y_1, ..)
  // Schur form only: T (strictly upper part couples mode k to the modes above it). Empty if diagonal.
  Eigen::MatrixXcd triangle;
};

inline constexpr Index kMaxDiagonal = 16;

// Whether K = n_nodes has the diagonal form.
bool has_diagonal_modes(Index n_nodes);

// Computed once per K and kept; several threads may call it.
const TimeModes& time_modes(Index n_nodes);

}  // namespace gwrm
