// How far two piecewise polynomials are apart.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/left_out.hpp"
#include "output/solution.hpp"

namespace gwrm {

struct FieldDifference {
  std::string field;
  double absolute = 0.0;  // largest
  double maximum = 0.0;   // the same, relative to the largest magnitude of the finer one
  double l2 = 0.0;        // in the L2 norm, relative
};

// Sums up differences at points; weights are those of a quadrature, or 1.
class DifferenceSums {
 public:
  void add(double value, double fine, double weight);
  FieldDifference result(const std::string& field) const;

 private:
  double worst_ = 0.0, largest_ = 0.0, squares_ = 0.0, fine_squares_ = 0.0;
};

// Of every field that both have, at Gauss points in every window and subdomain of the finer one, within a budget of
// points per dimension; only where both are defined (an unfinished run ends early) and outside `left_out`. ShapeError
// unless both have the same axes.
std::vector<FieldDifference> solution_differences(const Solution& run, const Solution& finer,
                                                  std::span<const LeftOut> left_out = {});

}  // namespace gwrm
