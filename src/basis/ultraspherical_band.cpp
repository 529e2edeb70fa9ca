#include "basis/ultraspherical_band.hpp"

#include <algorithm>
#include <vector>

#include "core/errors.hpp"

namespace gwrm {
namespace {

// The diagonal of S_l; its second superdiagonal holds minus the same number, of the column.
double conversion(int l, Index k) {
  if (l == 0) return k == 0 ? 1.0 : 0.5;
  return l / (l + static_cast<double>(k));
}

// X b for the rows of a banded b, whose band it widens by one on both sides.
BandRows times_xi(const BandRows& b, int order) {
  BandRows result{b.first_offset - 1, Matrix::Zero(b.n_rows(), b.entries.cols() + 2)};
  const auto from_below = [&](Index k) {  // X_{k+1,k}
    return order == 0 ? (k == 0 ? 1.0 : 0.5)
                      : (static_cast<double>(k) + 1.0) / (2.0 * (static_cast<double>(k) + order));
  };
  const auto from_above = [&](Index k) {  // X_{k-1,k}
    return order == 0 ? 0.5 : (static_cast<double>(k) + 2.0 * order - 1.0) / (2.0 * (static_cast<double>(k) + order));
  };
  // In row r an entry of row r - 1 has an offset less by one, one of row r + 1 an offset greater by one.
  for (Index r = 0; r < b.n_rows(); ++r) {
    if (r > 0) result.entries.row(r).head(b.entries.cols()) += from_below(r - 1) * b.entries.row(r - 1);
    if (r + 1 < b.n_rows()) result.entries.row(r).tail(b.entries.cols()) += from_above(r + 1) * b.entries.row(r + 1);
  }
  return result;
}

// c(X) on series in C^(order), by Clenshaw: b_i = c_i + 2 X b_{i+1} - b_{i+2}, c(X) = c_0 + X b_1 - b_2. Columns so
// near to the last row that their products leave the matrix are wrong.
BandRows multiplication(std::span<const double> c, Index n_rows, int order) {
  const Index d = static_cast<Index>(c.size()) - 1;
  BandRows next{0, Matrix::Zero(n_rows, 0)}, now{0, Matrix::Constant(n_rows, 1, c.back())};
  for (Index i = d - 1; i >= 0; --i) {
    BandRows sum = times_xi(now, order);  // offsets -(d - i) .. d - i
    if (i > 0) sum.entries *= 2.0;
    if (next.entries.cols() > 0) sum.entries.middleCols(2, next.entries.cols()) -= next.entries;
    sum.entries.col(d - i).array() += c[static_cast<std::size_t>(i)];
    next = std::move(now);
    now = std::move(sum);
  }
  return now;
}

// Takes T_n, n > degree, out of a series in C^(order) that has entries in rows up to last_row: with a = S^{-1} b there
// (S is upper triangular: the rows below `degree` determine them alone), b - S a. Column k of the band.
void cut_in_chebyshev(BandRows& b, Index k, Index last_row, Index degree, int order) {
  const Index first = std::max<Index>(0, degree + 1 - 2 * order), n = last_row + 1 - first;
  std::vector<double> tail(static_cast<std::size_t>(n) + 2, 0.0);  // row first + i
  const auto entry = [&](Index r) -> double& { return tail[static_cast<std::size_t>(r - first)]; };
  for (Index r = degree + 1; r <= last_row; ++r) entry(r) = b(r, k);
  for (int l = order - 1; l >= 0; --l)
    for (Index r = last_row; r > degree; --r)
      entry(r) = (entry(r) + conversion(l, r + 2) * entry(r + 2)) / conversion(l, r);
  for (int l = 0; l < order; ++l)
    for (Index r = first; r <= last_row; ++r)
      entry(r) = conversion(l, r) * entry(r) - conversion(l, r + 2) * entry(r + 2);
  for (Index r = first; r <= degree; ++r) b.entries(r, k - r - b.first_offset) -= entry(r);
}

// S_l b: the band grows by two diagonals above.
BandRows converted(const BandRows& b, int l) {
  BandRows result{b.first_offset, Matrix::Zero(b.n_rows(), b.entries.cols() + 2)};
  for (Index r = 0; r < b.n_rows(); ++r) {
    result.entries.row(r).head(b.entries.cols()) = conversion(l, r) * b.entries.row(r);
    if (r + 2 < b.n_rows()) result.entries.row(r).tail(b.entries.cols()) -= conversion(l, r + 2) * b.entries.row(r + 2);
  }
  return result;
}

}  // namespace

BandRows ultraspherical_product(std::span<const double> coefficient, Index degree, int order, int basis, Index n_rows) {
  if (coefficient.empty() || order < 0 || basis < order || n_rows < 0 || n_rows > degree + 1)
    throw ShapeError("ultraspherical_product: order, basis or rows do not fit");
  const Index d = static_cast<Index>(coefficient.size()) - 1;
  BandRows band = multiplication(coefficient, degree + 1 + d, order);
  // D_j on the right: column k of the operator is column k - j of M, times 2^(j-1) (j-1)! k.
  band.first_offset += order;
  double factor = 1.0;
  for (int i = 1; i < order; ++i) factor *= 2.0 * i;
  for (Index r = 0; r < band.n_rows(); ++r)
    for (Index o = 0; o < band.entries.cols(); ++o) {
      const Index k = r + o + band.first_offset;
      const bool inside = k >= order && k <= degree;
      band.entries(r, o) = !inside      ? 0.0
                           : order == 0 ? band.entries(r, o)
                                        : factor * static_cast<double>(k) * band.entries(r, o);
    }
  if (order > 0)
    for (Index k = std::max<Index>(order, degree + order - d + 1); k <= degree; ++k)
      cut_in_chebyshev(band, k, k - order + d, degree, order);
  band.entries = Matrix(band.entries.topRows(degree + 1));
  for (int l = order; l < basis; ++l) band = converted(band, l);
  band.entries = Matrix(band.entries.topRows(n_rows));
  return band;
}

}  // namespace gwrm
