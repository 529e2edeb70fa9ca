// Any expression of the solution at scattered points: `gwrm eval --points`. On a grid: evaluate.hpp.
//
// The points are sorted by window and subdomains. Blocks of at most kScatteredBlock points of one cell share its
// coefficients and tabulate the functions of each axis once for all unknowns and derivatives
// (kernels/transform/scattered_sum.hpp, basis/fast_rows.hpp); threads take a block each.
//
// Cost     linear in the points: for each of them and each atom 2 x (the coefficients of one cell) operations; of an
//          integral as much for every point of its quadrature.
// Memory   8 bytes a point for the order and 8 for each expression beside what the caller holds; little a thread.
// Result   that of evaluate() to round-off; the same bits with any number of threads.
#pragma once

#include <span>
#include <vector>

#include "expression/expression.hpp"
#include "output/solution.hpp"

namespace gwrm {

struct ScatteredPoints {
  std::size_t count = 0;
  // Per axis of the solution: `count` physical coordinates, or one for all points.
  std::vector<std::span<const double>> axes;
};

// values[e][p], one list for each expression. `es` are lowered over a pool whose symbols have the solution's axes and
// fields. NaN where a point lies outside the solution along an axis along which one of the expressions varies, or has
// the coordinate NaN there. ShapeError as evaluate().
std::vector<std::vector<double>> evaluate_points(const expression::Pool& pool, const Solution& solution,
                                                 std::span<const expression::Expr> es, const ScatteredPoints& points,
                                                 int n_threads);

}  // namespace gwrm
