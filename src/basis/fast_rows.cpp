#include "basis/fast_rows.hpp"

#include "basis/axis_basis.hpp"

namespace gwrm {

void fast_rows(const AxisBasis& basis, Index subdomain, std::span<const double> points, int order, Index stride,
               double* rows) {
  const auto* fast = dynamic_cast<const FastRows*>(&basis);
  if (fast != nullptr && fast->fast_rows(subdomain, points, order, stride, rows)) return;
  const Matrix values = basis.rows_at(subdomain, points, order);
  for (Index k = 0; k < values.cols(); ++k)
    for (Index i = 0; i < values.rows(); ++i) rows[k * stride + i] = values(i, k);
}

}  // namespace gwrm
