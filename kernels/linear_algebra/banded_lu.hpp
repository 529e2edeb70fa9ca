// LU factorisation with partial pivoting of a banded matrix, and its solutions.
//
// Formula   P R A C = L U with powers of two R, C that bring the largest entry of every row and column near 1 (as
//           DenseLu does); A x = b. Row exchanges widen U to lower + upper superdiagonals.
//
// Numbers   double (BandedMatrix, BandedLu) and complex double (ComplexBandedMatrix, ComplexBandedLu).
//
// Layout    the band goes in by entries (BandedMatrix, LAPACK's storage with room for the exchanges); b and x are
//           vectors of n, several of them one after the other.
//
// Cost      2 n lower (lower + upper) flops to factor, 2 n (2 lower + upper) per solve; 8 n (2 lower + upper + 1)
//           bytes. Complex: four times the flops, twice the bytes.
//
// Result    a zero or relatively tiny pivot never throws: the status says singular.
//
// Source    LAPACK gbtrf / gbtrs; the condition by lacn2 (Higham 1988) with gbtrs. (gbcon takes n^2 operations.)
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/array.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"

namespace gwrm {

// An n x n matrix whose entries (i, j) vanish outside -upper <= i - j <= lower. Starts as zero.
template <class Number>
class BasicBandedMatrix {
 public:
  // ShapeError for a negative size or width, or if the band does not fit into the indices of LAPACK.
  BasicBandedMatrix(Index n, Index lower, Index upper);

  Index size() const { return n_; }
  Index lower() const { return lower_; }
  Index upper() const { return upper_; }
  bool contains(Index i, Index j) const { return i - j <= lower_ && j - i <= upper_; }
  // Only for entries of the band.
  Number& operator()(Index i, Index j) { return band_[position(i, j)]; }
  Number operator()(Index i, Index j) const { return band_[position(i, j)]; }

 private:
  template <class>
  friend class BasicBandedLu;
  // Column j of the band begins `lower` entries further down: gbtrf needs them above.
  std::size_t position(Index i, Index j) const {
    return static_cast<std::size_t>(lower_ + upper_ + i - j + j * (2 * lower_ + upper_ + 1));
  }

  Index n_, lower_, upper_;
  std::vector<Number> band_;
};

using BandedMatrix = BasicBandedMatrix<double>;
using ComplexBandedMatrix = BasicBandedMatrix<std::complex<double>>;

template <class Number>
class BasicBandedLu {
 public:
  // Takes the matrix over. not_finite if it holds a NaN or Inf; n = 0 is regular.
  LuStatus factor(BasicBandedMatrix<Number> matrix);
  // Overwrites right-hand sides, n values each, with solutions. Only after factor() returned regular; several threads
  // may call it.
  void solve(std::span<Number> right_hand_sides) const;
  Index size() const { return matrix_.size(); }
  // Estimate of 1 / cond_1 of the scaled matrix.
  double reciprocal_condition() const { return reciprocal_condition_; }

 private:
  bool equilibrate();
  void solve_scaled(char transposed, Index count, Number* right_hand_sides) const;
  double one_norm() const;
  double inverse_one_norm() const;  // estimated

  BasicBandedMatrix<Number> matrix_{0, 0, 0};  // the factors
  std::vector<double> row_scale_, column_scale_;
  std::vector<int> pivots_;
  LuStatus status_ = LuStatus::not_finite;
  double reciprocal_condition_ = 0.0;
};

using BandedLu = BasicBandedLu<double>;
using ComplexBandedLu = BasicBandedLu<std::complex<double>>;

// Bytes of the factors of n real unknowns.
std::size_t banded_lu_bytes(Index n, Index lower, Index upper);

}  // namespace gwrm
