// A form of the equations along an axis in which linear operators are banded matrices: rows are coefficients of the
// equation in functions of their own, which depend on the highest derivative m in it (of Chebyshev series:
// ultraspherical C^(m)). Along an axis without boundary conditions the form is the basis itself.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"

namespace gwrm {

// The entries (r, k) of a banded matrix, first_offset <= k - r <= last_offset(), row by row.
struct BandRows {
  Index first_offset = 0;
  Matrix entries;  // rows x offsets; what would lie outside the matrix is 0

  Index n_rows() const { return entries.rows(); }
  Index last_offset() const { return first_offset + entries.cols() - 1; }
  double operator()(Index r, Index k) const {
    const Index offset = k - r - first_offset;
    return offset < 0 || offset >= entries.cols() ? 0.0 : entries(r, offset);
  }
};

class BandedForm {
 public:
  virtual ~BandedForm() = default;

  // From values on grid(n_points) to the first n_rows[p] rows of every subdomain p.
  virtual BlockMatrix form_of_values(Index n_points, int m, const std::vector<Index>& n_rows) const = 0;
  // From the coefficients of u to those rows of its order-th derivative.
  virtual BlockMatrix form_of_derivative(int order, int m, const std::vector<Index>& n_rows) const = 0;
  // Functions that are given by their values on the grid of an undivided axis (functions x points) as series of at most
  // `max_degree`; no columns if one of them is none, to round-off.
  virtual Matrix coefficient_series(const Matrix& values, int max_degree) const = 0;
  // c(z) d^order u / dz^order for one such series on an undivided axis.
  virtual BandRows form_of_product(std::span<const double> c, int order, int m, Index n_rows) const = 0;
};

}  // namespace gwrm
