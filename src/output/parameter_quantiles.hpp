// Quantiles of an expression over its parameters: the values that it stays below with given probabilities.
//
// Method    The polynomial through the values at the points of the quadrature is sampled and the samples are sorted.
//           One parameter: 4096 values in the middle of equal parts of its probability, cubics between the sorted ones;
//           where the expression is monotone the quantile is right to some 1e-8 of the standard deviation, else to
//           1/4096 in probability. Several: 256 to 4096 points of an additive recurrence, whose error in probability
//           is about the logarithm of their number over it.
// Source    M. Roberts, "The unreasonable effectiveness of quasirandom sequences" (2018): alpha_j = g^-j, with
//           g^(d+1) = g + 1; H. Niederreiter, Random Number Generation and Quasi-Monte Carlo Methods (1992), 3.1.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "basis/axis_description.hpp"
#include "core/matrix.hpp"

namespace gwrm {

// Where a case names none.
inline constexpr std::array kQuantiles = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

class QuantileSamples {
 public:
  // The parameters of the expression, undivided, and how many points each has in the quadrature. No samples if the
  // grid is too large for 256 of them.
  QuantileSamples(const std::vector<AxisDescription>& axes, const std::vector<Index>& n_points);

  // values: points of the quadrature (last axis fastest) x cases. Of each case the quantiles: probabilities x cases;
  // NaN where a value is not finite, or without samples.
  Matrix quantiles(const Matrix& values, std::span<const double> probabilities) const;

 private:
  bool one_parameter_;
  Matrix weights_;  // samples x points of the quadrature
};

}  // namespace gwrm
