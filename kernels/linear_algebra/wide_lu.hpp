// LU factorisation of a complex matrix with at least as many columns as rows: all solutions of A x = b.
//
// Formula   D_r A D_c = (P L U)^T, the LU factorisation with partial pivoting of the transpose: it picks n_rows
//           independent columns of A. x = particular(b) + N c, where the particular solution is zero in the n_columns
//           - n_rows columns not picked, and N (n_columns x (n_columns - n_rows)) spans the null space. A square
//           matrix has no N: this is then its ordinary LU. D_r, D_c are powers of two that bring the largest entry of
//           every row and column near 1, but of columns below the rounding of single precision, relative to the
//           largest of their group of consecutive columns (the modes of one unknown), no more than that of the group
//           divided by it: they are nothing but round-off. Scaled to 1 they would be picked before columns that mean
//           something, and N would come out nearly linearly dependent.
// Precision single-precision complex factors: what most preconditioners need, at half the memory and twice the speed;
//           where a pivot falls to 1e-6 double precision takes its place. singular: a pivot below 1e-15. Both of
//           the largest entry of its column.
// Layout    A row-major n_rows x n_columns; vectors in double-precision complex.
// Cost      about 8 n_rows^2 (n_columns - n_rows/3) real operations to factor, 8 n_rows n_columns per solution.
// Source    LAPACK cgetrf on the transpose; the null space as in Golub and Van Loan, 5.4 with LU in place of QR.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/matrix.hpp"
#include "kernels/linear_algebra/block_substitution.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"

namespace gwrm {

using ComplexMatrix = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ComplexVector = Eigen::VectorXcd;

enum class Precision { single_complex, double_complex };

class WideLu {
 public:
  // group: columns of one unknown, a divisor of their number; 1: each column is scaled by itself. ShapeError if there
  // are more rows than columns.
  LuStatus factor(const ComplexMatrix& matrix, Precision precision = Precision::single_complex, Index group = 1);
  Index n_rows() const { return n_rows_; }
  Index n_columns() const { return n_columns_; }
  // The particular solution of A x = b; several threads may call it.
  void solve(std::span<const std::complex<double>> b, std::span<std::complex<double>> x) const;
  ComplexMatrix null_space() const;

 private:
  Index n_rows_ = 0, n_columns_ = 0;
  template <class Real>
  struct Factors {
    std::vector<std::complex<Real>> matrix;  // column-major n_columns x n_rows
    BlockSubstitution<Real> substitution;    // up to its kMaxRows rows
  };
  template <class Real>
  LuStatus factor_as(const ComplexMatrix& matrix, Index group, Factors<Real>& factors);
  template <class Real>
  void solve_as(const Factors<Real>& factors, std::span<const std::complex<double>> b,
                std::span<std::complex<double>> x) const;
  template <class Real>
  ComplexMatrix null_space_as(const Factors<Real>& factors) const;

  Precision precision_ = Precision::single_complex;
  Factors<float> single_;  // one of the two
  Factors<double> double_;
  std::vector<Index> order_;  // order_[i]: the column of A at position i
  std::vector<double> row_scale_, column_scale_;
};

}  // namespace gwrm
