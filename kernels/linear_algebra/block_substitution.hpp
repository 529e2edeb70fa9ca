// Forward and backward substitution with the LU factors of a small complex matrix, many times over.
//
// Formula   U^T L^T x = y, solved in place. L (unit diagonal) and U are taken in blocks of kBlock rows. The diagonal
//           blocks are inverted once, so that a solution consists of sums of rows,
//             z = y_k inv(U_kk),   y_j -= z U_kj  (j > k);     and likewise back through L,
//           in place of a chain of short scalar products, whose latency costs a BLAS trsv most of its time below some
//           hundred rows. Only blocks of kBlock rows are inverted: their condition is mild even where that of U is not.
// Layout    factors column-major, leading dimension ld, as cgetrf leaves them. Here row-major, real and imaginary parts
//           apart, the number of rows filled up to whole blocks with those of the identity.
// Cost      8 n^2 real operations per solution; twice the memory of the factors, which the caller may drop.
// Source    Higham, Accuracy and Stability of Numerical Algorithms, 8.3 and 14.2 (partitioned inverses).
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

template <class Real>
class BlockSubstitution {
 public:
  static constexpr Index kBlock = 16;
  // Beyond, BLAS is as fast and needs no second copy.
  static constexpr Index kMaxRows = sizeof(Real) == sizeof(float) ? 256 : 128;

  BlockSubstitution() = default;
  BlockSubstitution(const std::complex<Real>* factors, Index n, Index ld);
  // y has n entries; several threads may call it.
  void solve(std::span<std::complex<Real>> y) const;

 private:
  Index n_ = 0, padded_ = 0;
  std::vector<Real> rows_;   // padded x padded: real parts, then imaginary parts
  std::vector<Real> upper_;  // padded x kBlock: rows of the inverses of U's diagonal blocks; real, then imaginary parts
  std::vector<Real> lower_;  // the same for L
};

extern template class BlockSubstitution<float>;
extern template class BlockSubstitution<double>;

}  // namespace gwrm
