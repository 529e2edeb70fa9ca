// Coefficients of a series of Legendre polynomials to those of the same polynomial in Chebyshev polynomials, and back.
//
// Formula   sum_j x_j P_j = sum_i y_i T_i (legendre_to_chebyshev) and sum_j x_j T_j = sum_i y_i P_i, i, j < n, with the
//           usual polynomials, P_j(1) = T_j(1) = 1: y = R x, upper triangular, only entries of even i + j. With
//           Lambda of gamma_ratio.hpp
//             legendre_to_chebyshev  R_ij = 2/pi Lambda((j-i)/2) Lambda((j+i)/2), half of it for i = 0
//             chebyshev_to_legendre  R_ij = -j (i+1/2) Lambda((j-i-2)/2) Lambda((j+i-1)/2) / ((j+i+1) (j-i)), j > i,
//                                    R_ii = sqrt(pi) / (2 Lambda(i)), R_00 = 1.
//           Both are f_i T_(j-i) H_(i+j) g_j: a Toeplitz matrix times a Hankel matrix, entry by entry. `transposed`
//           takes y = R^T x.
// Methods   direct: the products as they stand, entries made from two tables for 64 columns at a time.
//           toeplitz_hankel: the Hankel matrix is positive definite and of numerical rank r = O(log n log 1/eps);
//             with H = sum_s l_s l_s^T by Cholesky's method with pivots, R x = sum_s f l_s o (T (l_s o g x)), Toeplitz
//             products by Fourier transforms, eight s side by side, even and odd rows as real and imaginary parts.
//             chebyshev_to_legendre loses digits that way, 1e-13 at n = 4096, unless it is i H_ij j that is factored,
//             and row 0 is left to the definition. Factored in long double.
//           automatic: direct below kToeplitzFrom coefficients, and up to kDirectUpTo for kDirectColumns columns and
//           more, which share the entries; else toeplitz_hankel. The plan then has what both take.
// Shapes    x, y: outer x n x inner, row-major (batches contiguous with inner = 1, interleaved with outer = 1); y may
// be
//           x.
// Cost      a column: direct n^2/2 operations (and n^2/2 in all for the entries of 64 columns); toeplitz_hankel about
//           r (8 n log2 n) operations, r as rank() says: 32 to 40 at n = 4096.
// Memory    the plan: direct 4 n numbers, toeplitz_hankel r n more. Scratch: connection_workspace() doubles.
// Errors    largest error over largest value, below 1e-15 direct and 2e-15 toeplitz_hankel up to n = 4096
//           (docs/spectral-transforms.md). ShapeError for n < 1 and beyond kMostConnected, extents below 0; a batch of
//           none is no work.
// Determinism  the same bits on every run and for any number of threads; with `automatic` they depend on
//           the number of columns.
// Device    cuda::make_connection: the direct method as a product in tiles (chebyshev_legendre_steps.cuh), terms added
// 32
//           at a time.
// Source    the paper on polynomial transforms, section 2.3.5 (its 2.66 to 2.69 corrected), after Townsend, Webb and
//           Olver (2018); the scaling is ours.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "core/context.hpp"
#include "kernels/transform/fourier_plan.hpp"

namespace gwrm {

enum class ConnectionKind { legendre_to_chebyshev, chebyshev_to_legendre };
enum class ConnectionMethod { automatic, direct, toeplitz_hankel };

constexpr Index kMostConnected = Index{1} << 20;
// Measured, docs/spectral-transforms.md.
constexpr Index kToeplitzFrom = 2048, kDirectUpTo = 8192, kDirectColumns = 4;

// One kind, length and method, made once.
class ChebyshevLegendrePlan {
 public:
  ChebyshevLegendrePlan(ConnectionKind kind, Index length, ConnectionMethod method = ConnectionMethod::automatic);

  ConnectionKind kind() const { return kind_; }
  Index length() const { return length_; }
  // direct or toeplitz_hankel, as a batch of so many columns is treated.
  ConnectionMethod method(Index n_columns) const;
  // Numbers of one parity: ceil(n/2) even ones, floor(n/2) odd ones.
  Index half(int parity) const { return (length_ + 1 - parity) / 2; }

  // R_ij = after_i T_((j-i)/2) H_((i+j)/2) before_j; row 0 of chebyshev_to_legendre stands in first_row, its even
  // columns, and is 0 here.
  const double* toeplitz() const { return toeplitz_.data() + kBlock - 1; }  // kBlock - 1 zeros on both sides
  const double* hankel() const { return hankel_.data(); }                   // to n + kBlock - 1
  const std::vector<double>& after() const { return after_; }
  const std::vector<double>& before() const { return before_; }
  const std::vector<double>& first_row() const { return first_row_; }

  // toeplitz_hankel: factors l_s of H of one parity, [row][s], rank() of them, a multiple of 8 (none: the plan is for
  // direct only); the Fourier transform of T over its length.
  Index rank() const { return rank_; }
  const double* factors(int parity) const { return factors_[parity].data(); }
  const FourierPlan& fourier() const { return fourier_; }
  const std::vector<std::complex<double>>& symbol() const { return symbol_; }

  static constexpr Index kBlock = 4;  // rows at once of the direct method

 private:
  void factor();

  ConnectionKind kind_;
  Index length_;
  ConnectionMethod method_;
  std::vector<double> toeplitz_, hankel_, after_, before_, first_row_;
  Index rank_ = 0;
  std::vector<double> factors_[2];
  FourierPlan fourier_;
  std::vector<std::complex<double>> symbol_;
};

namespace cpu {

// Doubles of scratch space.
Index connection_workspace(const ChebyshevLegendrePlan& plan, int n_threads);

// y = R x, or R^T x.
void chebyshev_legendre(const ChebyshevLegendrePlan& plan, bool transposed, const double* x, double* y, Index outer,
                        Index inner, double* workspace, int n_threads);

}  // namespace cpu

namespace cuda {

// A plan's tables on the device; x and y in device memory, not overlapping.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void run(bool transposed, const double* x, double* y, Index outer, Index inner) const = 0;
};

// The direct method, whatever the plan says. ShapeError beyond kDirectUpTo coefficients.
std::unique_ptr<Connection> make_connection(const Context& context, const ChebyshevLegendrePlan& plan);

}  // namespace cuda
}  // namespace gwrm
