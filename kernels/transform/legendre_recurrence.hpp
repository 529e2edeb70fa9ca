// The recurrence of associated Legendre functions in steps of two degrees, scaled so that its last term is p_(k-1).
//
// Formula   With e_l = sqrt((l^2 - m^2) / (4 l^2 - 1)), l = m + 2k (even) or m + 2k + 1 (odd), P = Pbar or Pbar / x:
//             x^2 P_l = E_k P_(l+2) + D_k P_l + E_(k-1) P_(l-2),   E_k = e_(l+1) e_(l+2),
//             D_k = (2 l (l+1) - 2 m^2 - 1) / ((2l-1) (2l+3)).
//           P_l = s_k p_k with s_(k+1) E_k = s_(k-1) E_(k-1) makes it p_(k+1) = t_k p_k - p_(k-1),
//             t_k = B_k (x^2 - D_k),  B_k B_(k-1) = 1 / E_(k-1)^2,  s_(k+1) = s_k / (B_k E_k),  s_0 = 1.
//           One B is free: the last is taken so that B does not alternate. slope = -B_k, and
//             t_k - 2 = slope sin^2 + polar,  -t_k - 2 = slope x^2 + equatorial.
//           p_(-1) counts nothing; with p_(-1) = p_0 in the first form and -p_0 in the second it is 1 in place of 2 for
//           k = 0, and the first difference or sum, small where functions vary slowly, has no rounding of p_0.
// Errors    in double-double, rounded once: t_k - 2 is small where functions oscillate slowly.
#pragma once

#include "core/array.hpp"

namespace gwrm {

// n numbers each; slope + slope_rest and polar + polar_rest have twice the digits.
struct LegendreTables {
  double *slope, *polar, *equatorial, *scale;
  float *slope_rest, *polar_rest;
};
struct ConstLegendreTables {
  const double *slope, *polar, *equatorial, *scale;
  const float *slope_rest, *polar_rest;

  // slope times a number of at most 28 bits in two parts, the first of them exact: what is summed with it cancels most.
  double high(Index k, double z) const { return static_cast<double>(static_cast<float>(slope[k])) * z; }
  double low(Index k, double z) const {
    return ((slope[k] - static_cast<double>(static_cast<float>(slope[k]))) + static_cast<double>(slope_rest[k])) * z;
  }
  // t_k - 2 where sin^2 is origin.
  double difference_constant(Index k, double origin) const {
    return (polar[k] + high(k, origin)) + (low(k, origin) + static_cast<double>(polar_rest[k]));
  }
};

// The n functions that begin with l = first_degree (m or m + 1), first_degree + 2 n <= 2^12 + 8.
void legendre_recurrence(Index m, Index first_degree, Index n, LegendreTables tables);

}  // namespace gwrm
