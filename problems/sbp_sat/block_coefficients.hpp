// The coefficient matrix C at the points of a block, on curvilinear grids transformed to the grid's coordinates.
//
//   c_ab = |J| (grad a).C(grad b) for the grid's coordinates a, b, with J = x_b y_a - x_a y_b (b: fast, a: slow)
#pragma once

#include <vector>

#include "case/case.hpp"
#include "problems/sbp_sat/grid.hpp"
#include "problems/sbp_sat/point_expressions.hpp"

namespace gwrm::sbp {

struct BlockCoefficients {
  Coefficients c;
  std::vector<double> jacobian;                  // |J|; empty on rectangles: 1
  std::vector<double> slow_length, fast_length;  // |d(x,y)/da|, |d(x,y)/db|: lengths along the sides; empty: 1
};

// CaseError where C is not positive definite or the mapping degenerates or folds.
BlockCoefficients block_coefficients(const Case& the_case, const PointExpressions& expressions, const Points& points);

}  // namespace gwrm::sbp
