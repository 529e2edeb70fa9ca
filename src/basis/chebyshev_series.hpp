// Bases whose functions are T_0 .. T_L of the mapped coordinate on each subdomain, and derivatives of their series as
// such series: for whoever has the recurrence of T_k at hand, and no other functions (the device:
// kernels/transform/scattered_series.hpp). A basis that is one derives from ChebyshevSeries.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

class AxisBasis;

class ChebyshevSeries {
 public:
  virtual ~ChebyshevSeries() = default;

  // n_per_subdomain() x n_per_subdomain(): from the coefficients a of a subdomain those of the order-th derivative with
  // respect to z; on a log map of z^order times it. On a linear map no entry is negative: the sum of the |b_j| is at
  // most the derivative of sum |a_k| T_k at the end of the interval, and loses no more digits than that.
  virtual Matrix derivative_of_series(Index subdomain, int order) const = 0;
};

// Null if the basis is none. It lives as long as the basis.
const ChebyshevSeries* chebyshev_series(const AxisBasis& basis);

}  // namespace gwrm
