// L D L^T of complex symmetric matrices of up to five diagonals without pivots, as plain numbers for the device.
//
// Formula   d_i = a_ii - l1_i^2 d_(i-1) - l2_i^2 d_(i-2),  l2_i = a_(i,i-2) / d_(i-2),
//           l1_i = (a_(i,i-1) - l2_i d_(i-2) l1_(i-1)) / d_(i-1).
// Solve     y_i = b_i - l1_i y_(i-1) - l2_i y_(i-2);  x_i = y_i / d_i - l1_(i+1) x_(i+1) - l2_(i+2) x_(i+2).
// Pivots    symmetric_bands.hpp: none are exchanged.
// Why not kernels/banded: there a launch solves all systems of one matrix; the window of a sphere has hundreds of
//           matrices (parts, degrees, time modes) with few systems each, which one launch is to solve.
#pragma once

#include <array>
#include <complex>
#include <vector>

namespace gwrm::ball {

struct SymmetricFactors {
  std::vector<std::complex<double>> inverse_pivots, first, second;  // 1 / d, l1, l2
  bool regular = true;                                              // no pivot is zero or not finite
};

// diagonals: entry (i, i + k) of diagonal k at i; empty ones are zero.
SymmetricFactors symmetric_factors(const std::array<std::vector<std::complex<double>>, 3>& diagonals);

// x <- A^{-1} x.
void solve(const SymmetricFactors& factors, std::complex<double>* x);

}  // namespace gwrm::ball
