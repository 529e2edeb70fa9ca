// Matrices of the spectral methods, from their closed forms in quadruple precision.
#pragma once

#include "kernels/banded/banded_batch.hpp"
#include "kernels/quadruple.hpp"

namespace gwrm::test {

template <class Number>
Number from_quadruple(Quadruple a) {
  const double high = static_cast<double>(a);
  if constexpr (std::is_same_v<Number, DoubleDouble>) return {high, static_cast<double>(a - high)};
  return number<Number>(high);
}

// The connection of Jacobi polynomials with alpha = -1/2: g_n and z_n of the matrices V (upper) and M = V^T (lower).
struct JacobiConnection {
  Quadruple alpha, beta;
  Quadruple g(Index n) const {
    const Quadruple m = n;
    if (n == 0) return square_root(2 * (beta + 1) / (alpha + beta + 2));
    return square_root(2 * (m + beta + 1) * (m + alpha + beta + 1) /
                       ((2 * m + alpha + beta + 1) * (2 * m + alpha + beta + 2)));
  }
  Quadruple z(Index n) const {
    const Quadruple m = n;
    return square_root(2 * m * (m + alpha) / ((2 * m + alpha + beta) * (2 * m + alpha + beta + 1)));
  }
};

// Diffusion in the ball, Dirichlet, energy basis: mass M and stiffness K (diagonal) of functions 1, 2, .., K scaled to
// one.
struct BallDiffusion {
  int l;
  Quadruple stiffness(Index n) const {
    return 4 * static_cast<Quadruple>(n) + 2 * l + 1;
  }  // -k_n (4n + 2l + 1), k_n = -1
  Quadruple mass(Index n) const {
    return 1 / (4 * static_cast<Quadruple>(n) + 2 * l + 3) + 1 / (4 * static_cast<Quadruple>(n) + 2 * l - 1);
  }
  Quadruple coupling(Index n) const { return -1 / (4 * static_cast<Quadruple>(n) + 2 * l + 3); }  // M_{n,n+1}
  // Of row i = n - 1: entries of the scaled M + h, real part.
  Quadruple diagonal(Index i) const { return mass(i + 1) / stiffness(i + 1); }
  Quadruple next(Index i) const { return coupling(i + 1) / square_root(stiffness(i + 1) * stiffness(i + 2)); }
};

// Hyperdiffusion in the ball, no-slip: phi_n = (1-r^2)^2 r^l p_n^(2, l+1/2) scaled so that their Laplacians are
// orthonormal; the mass <phi, phi> = H H^T is pentadiagonal. (1-x)^2 p_n^(2) = sum_j G_nj p_(n+j), H = G / (4 c).
struct BallHyperdiffusion {
  int l;
  Quadruple h(Index n, int j) const {
    const Quadruple b = l + static_cast<Quadruple>(0.5), m = n;
    const JacobiConnection one{b, 1}, zero{b, 0};
    const auto last = [&](Index k) { return one.z(k + 1) * zero.z(k + 2); };
    const Quadruple k = m + 2, d = 2 * k + b;
    const Quadruple recurrence = square_root(4 * k * k * (k + b) * (k + b) / (d * d * (d * d - 1)));
    const Quadruple c = (m + 2) * (8 * (m + 1) + 4 * (2 * l + 3)) * last(n) / (4 * recurrence);
    const Quadruple g = j == 0   ? one.g(n) * zero.g(n)
                        : j == 1 ? -one.g(n) * zero.z(n + 1) - one.z(n + 1) * zero.g(n + 1)
                                 : last(n);
    return g / (4 * c);
  }
  // Entry (i, i + offset), offset 0, 1, 2.
  Quadruple mass(Index i, int offset) const {
    Quadruple sum = 0;
    for (int j = offset; j <= 2; ++j) sum += h(i, j) * h(i + offset, j - offset);
    return sum;
  }
};

}  // namespace gwrm::test
