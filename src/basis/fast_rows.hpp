// The functions of a basis at very many points: in double precision and by vectors of points, where AxisBasis::rows_at
// takes extended precision and one point after the other. A basis that has them derives from FastRows; for another one
// fast_rows() goes through rows_at().
#pragma once

#include <span>

#include "core/array.hpp"

namespace gwrm {

class AxisBasis;

class FastRows {
 public:
  virtual ~FastRows() = default;

  // rows[k * stride + i] = phi_k^(order)(points[i]), all of one subdomain and within it, to k 1e-15 of the largest
  // value of phi_k^(order) there. False: not for this order, nothing is written.
  virtual bool fast_rows(Index subdomain, std::span<const double> points, int order, Index stride,
                         double* rows) const = 0;
};

// The same of any basis. Several threads may call it.
void fast_rows(const AxisBasis& basis, Index subdomain, std::span<const double> points, int order, Index stride,
               double* rows);

}  // namespace gwrm
