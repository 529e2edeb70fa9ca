// How large the coefficients of each level are: what tails are made of.
#pragma once

#include <vector>

#include "basis/axis_basis.hpp"

namespace gwrm {

// Of the levels first .. end - 1 along one dimension of a tensor of coefficients, per subdomain: the largest, over all
// other indices, of the root of the sum of squares of a level's coefficients. Levels below 0 are left out.
std::vector<double> largest_levels(const Array& coefficients, std::size_t dimension, const AxisBasis& basis, int first,
                                   int end);

// The same of the last n levels.
std::vector<double> largest_tails(const Array& coefficients, std::size_t dimension, const AxisBasis& basis, int n);

// A series along one dimension without the last n coefficients of each subdomain, and its description: what an unknown
// is whose degree is lower than that of the axis.
// Without any less (n = 0) it is the series itself, which outlives this.
class ShorterSeries {
 public:
  ShorterSeries(const Array& coefficients, std::size_t dimension, const AxisDescription& description, int n);
  const Array& coefficients() const { return all_ != nullptr ? *all_ : shorter_; }
  const AxisDescription& description() const { return description_; }

 private:
  const Array* all_;  // null: shorter_ counts
  Array shorter_;
  AxisDescription description_;
};

}  // namespace gwrm
