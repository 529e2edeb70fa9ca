#include "basis/levels.hpp"

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

// The largest norm of a column of the n_rows x n_columns numbers. NaN counts as nothing, as with std::max.
double largest_norm(const double* rows, Index n_rows, Index n_columns) {
  constexpr double kSafe = 1e140;  // its square, and that of its inverse, are numbers with all digits
  double largest = 0.0;
  if (n_rows == 1) {
    for (Index i = 0; i < n_columns; ++i) largest = std::max(largest, std::abs(rows[i]));
    return largest;
  }
  for (Index i = 0; i < n_columns; ++i) {
    double square = 0.0;
    for (Index k = 0; k < n_rows; ++k) square += rows[k * n_columns + i] * rows[k * n_columns + i];
    largest = std::max(largest, square);
  }
  largest = std::sqrt(largest);
  if (largest < kSafe && largest > 1.0 / kSafe) return largest;
  largest = 0.0;
  for (Index i = 0; i < n_columns; ++i) {
    double size = 0.0;
    for (Index k = 0; k < n_rows; ++k) size = std::hypot(size, rows[k * n_columns + i]);
    largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace

std::vector<double> largest_levels(const Array& coefficients, std::size_t dimension, const AxisBasis& basis, int first,
                                   int end) {
  Index outer = 1, inner = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= coefficients.shape[d];
  for (std::size_t d = dimension + 1; d < coefficients.shape.size(); ++d) inner *= coefficients.shape[d];
  const Index n = basis.n_per_subdomain();
  std::vector<double> largest(static_cast<std::size_t>(basis.n_subdomains()), 0.0);
  for (Index o = 0; o < outer; ++o)
    for (Index p = 0; p < basis.n_subdomains(); ++p) {
      const double* const block = coefficients.data.data() + (o * basis.n_subdomains() + p) * n * inner;
      double& here = largest[static_cast<std::size_t>(p)];
      for (int level = std::max(0, first); level < end; ++level) {
        const Index begin = basis.n_below(level), behind = basis.n_below(level + 1);
        here = std::max(here, largest_norm(block + begin * inner, behind - begin, inner));
      }
    }
  return largest;
}

std::vector<double> largest_tails(const Array& coefficients, std::size_t dimension, const AxisBasis& basis, int n) {
  return largest_levels(coefficients, dimension, basis, basis.degree() + 1 - n, basis.degree() + 1);
}

ShorterSeries::ShorterSeries(const Array& coefficients, std::size_t dimension, const AxisDescription& description,
                             int n)
    : all_(n == 0 ? &coefficients : nullptr), description_(description) {
  if (n == 0) return;
  description_.degree -= n;
  const Index all = make_basis(description)->n_per_subdomain(), kept = all - n;
  Index inner = 1;
  for (std::size_t d = dimension + 1; d < coefficients.shape.size(); ++d) inner *= coefficients.shape[d];
  Shape shape = coefficients.shape;
  shape[dimension] = shape[dimension] / all * kept;
  shorter_ = Array(std::move(shape));
  const Index n_blocks = coefficients.size() / (all * inner);  // a line of a subdomain each
  for (Index block = 0; block < n_blocks; ++block)
    std::copy_n(coefficients.data.begin() + block * all * inner, kept * inner,
                shorter_.data.begin() + block * kept * inner);
}

}  // namespace gwrm
