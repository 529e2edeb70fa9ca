// The averaged operators S(z) = sum_p z^p B_p of a system with Fourier axes, wavenumber by wavenumber: what
// wavenumber_factors.cpp factors.
//
// With every coefficient averaged along the Fourier axes S(z) is block diagonal in the exponentials exp(i k . theta),
// theta_a = 2 pi (x_a - lower_a) / l_a: a derivative of order m along axis a is a factor (2 pi i k_a / l_a)^m, an
// integral over the axis l_a for k_a = 0 and nothing else. A block couples all fields, with all terms of the linearised
// rows, their own and those between fields, mixed and odd derivatives, and every condition. Where one axis is not
// Fourier's (the bounded axis) the block holds the unknowns of all fields along it, the coefficients keep their profile
// along it, and the rows are the interior modes, conditions and continuity rows of the equations there.
//
// Order     of a block: rows as in the system, row block by row block, each with its rows along the bounded axis;
//           unknowns field by field, likewise. A field (an equation) without one of the Fourier axes takes part where
//           the wavenumber along that axis is 0.
// Memory of the system: along a Fourier axis 1, sin theta, cos theta, sin 2 theta, .. (basis/fourier_basis.hpp). With
//           s, c the numbers of sin k theta and cos k theta, those of exp(+i k theta) and exp(-i k theta) are, twice as
//           large as in a series of exponentials, c - i s and c + i s; here they take the places of s and c.
// Source    docs/method.md (solvers); textbook (Boyd, Chebyshev and Fourier Spectral Methods).
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {

// The least number of values in a part of the wavenumbers: below, handing it to a thread costs more than the work.
inline constexpr Index kPartSize = 4096;

inline constexpr std::size_t kMaxWavenumberAxes = 3;
// k along each Fourier axis, 0 for those that are not there.
using Wavenumbers = std::array<Index, kMaxWavenumberAxes>;

struct WavenumberAxis {
  int axis = -1;
  Index n = 1;         // 2 M + 1
  double slope = 1.0;  // 2 pi / l
  bool even = true;    // no odd derivative occurs: sines and cosines do not couple, and no exponentials are needed
  Index first = 0;     // place of the first number, where n are a share of the axis: that of 1 or of a sine
};

// Where the numbers of a field, or of a block of rows, lie in a vector of SpatialLayout::size numbers, and in a block.
struct WavenumberPlace {
  Index offset = 0;                                 // of the first
  Index first = 0, count = 1;                       // in the block: along the bounded axis
  Index stride = 1;                                 // in memory along the bounded axis
  std::array<Index, kMaxWavenumberAxes> strides{};  // along the Fourier axes; 0: it lacks the axis
  std::uint32_t lacks = 0;                          // bit a: it lacks Fourier axis a
};

// What one term adds to the blocks: z^power prod_a (i slope_a k_a)^orders_a values.
struct WavenumberTerm {
  Index row = 0, column = 0;
  Matrix values;
  int power = 0;
  std::array<int, kMaxWavenumberAxes> orders{};
  std::uint32_t zero = 0;      // bit a: only where k_a = 0
  std::uint32_t replaced = 0;  // not where k_a = 0 for all these axes: a condition on a mean stands there
};

struct WavenumberOperators {
  std::vector<WavenumberAxis> axes;  // ascending; at most kMaxWavenumberAxes
  bool bounded = false;              // there is an axis besides
  Index size = 0;                    // of a block that every field takes part in
  int n_powers = 1;
  std::vector<WavenumberPlace> rows, fields;
  std::vector<WavenumberTerm> terms;
  Index pairs_per_part = 0;  // wavenumbers along the first axis that a part of a solve has; 0: as many as are worth it

  Index n_vectors() const;  // of wavenumbers; the last axis runs fastest
  // Of the place of a coefficient: its wavenumber, with the sign of the exponential.
  static Index wavenumber_at(Index place) { return place % 2 == 1 ? (place + 1) / 2 : -place / 2; }
  Wavenumbers wavenumbers(Index vector) const;
  // The factor of a term without its z^power; 0 where it does not count.
  std::complex<double> symbol(const WavenumberTerm& term, const Wavenumbers& k) const;
  // S(z) at these wavenumbers, size x size, with zero rows and columns for what does not take part: those of
  // active() are the block.
  ComplexMatrix block(std::complex<double> z, const Wavenumbers& k) const;
  std::vector<Index> active(const std::vector<WavenumberPlace>& places, const Wavenumbers& k) const;
};

// Of a system without a wavenumber_unsupported_reason(). means: over the window and the Fourier axes.
LuStatus wavenumber_operators(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                              WavenumberOperators& operators);

// S(z) factored for all these z. singular: a block is.
FactorResult factor_wavenumbers(WavenumberOperators operators, const std::vector<std::complex<double>>& z,
                                int n_threads, Precision precision);

// Without a bounded axis: the inverses of all blocks, [z][unknown][row][vector], zero where a field does not take part.
// singular: one of them is, to round-off.
LuStatus wavenumber_inverses(const WavenumberOperators& operators, const std::vector<std::complex<double>>& z,
                             int n_threads, std::vector<std::complex<double>>& inverses);

}  // namespace gwrm
