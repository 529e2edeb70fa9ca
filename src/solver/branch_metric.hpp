// Lengths along a branch of solutions x(s) = (u(s), p(s)), and the curve between two of its points.
//
// Norm      |v|^2 = sum_i metric_i v_i^2: of every field the mean square over its domain, relative to the field's size,
//           plus (v_p / range)^2 of the parameter. It does not depend on the number of unknowns, so that steps and arc
//           lengths mean the same at every resolution.
// Sizes     of field g: max(|u|_g, range |du/dp|_g) at the first point: what it is, or what it would change over the
//           whole range of the parameter. A field that is and stays zero gets the size of the largest one, or 1.
// Curve     the cubic with the points' values and tangents, over its own arc length (fourth order in the distance).
#pragma once

#include <span>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

// What the unknowns are to the norm. The parameter's entries are not looked at.
struct BranchUnknowns {
  Index parameter = 0;         // which unknown is the parameter
  std::vector<double> shares;  // per unknown: the mean square of a field is the sum of shares_i x_i^2 over its unknowns
  std::vector<int> fields;     // per unknown: the number of its field, from 0
};

class BranchMetric {
 public:
  // x: the first point, slope: dx/dp there, range: of the parameter, positive.
  BranchMetric(const BranchUnknowns& unknowns, std::span<const double> x, std::span<const double> slope, double range);

  double dot(std::span<const double> a, std::span<const double> b) const;
  double norm(std::span<const double> v) const;
  std::vector<double> applied(std::span<const double> v) const;  // metric_i v_i
  const std::vector<double>& sizes() const { return sizes_; }    // per unknown; the parameter: its range

 private:
  std::vector<double> metric_, sizes_;
};

struct BranchPoint {
  std::vector<double> x;
  std::vector<double> tangent;  // dx/ds, of norm 1
  double s = 0.0;               // arc length from the first point
  bool fold = false;            // dp/ds = 0: located, not merely passed
};

// x at the fraction theta in [0, 1] of the arc of given length from a to b.
std::vector<double> between(const BranchPoint& a, const BranchPoint& b, double length, double theta);

// The arc length of the cubic from a to b.
double arc_length(const BranchMetric& metric, const BranchPoint& a, const BranchPoint& b);

}  // namespace gwrm
