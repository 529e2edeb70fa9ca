// Any expression of the solution at scattered points: `gwrm eval --points`. On a grid: evaluate.hpp.
//
// The points are sorted by window and subdomains. Blocks of at most kScatteredBlock points of one cell share its
// coefficients and tabulate the functions of each axis once for all unknowns and derivatives
// (kernels/transform/scattered_sum.hpp, basis/fast_rows.hpp); threads take a block each. Along axes of Fourier series
// non-uniform transforms take the place of the sums where there are so many points and coefficients that they are
// faster (transformed_series.hpp).
//
// Cost     linear in the points: for each of them and each atom 2 x (the coefficients of one cell) operations; of an
//          integral as much for every point of its quadrature.
// Memory   16 bytes a point for the order and 8 for each expression beside what the caller holds; little a thread.
// Result   that of evaluate() to round-off (transforms: to 1e-14 of the largest value, or a few times that); the same
//          bits with any number of threads.
// Device   the same points sorted by the host, a million at a time on the device: series by scattered_sum() of
//          kernels/transform/scattered_sum.hpp, the operations around them by kernels/device/point_interpreter.cuh,
//          integrals node by node, as here. There 8 bytes a point, for a million of them, for each unknown, derivative
//          and integral.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "expression/expression.hpp"
#include "output/solution.hpp"

namespace gwrm {

struct ScatteredPoints {
  std::size_t count = 0;
  // Per axis of the solution: `count` physical coordinates, or one for all points.
  std::vector<std::span<const double>> axes;
};

// How series are summed: `automatic` as is faster, the others for comparison. Integrals are sums always.
enum class ScatteredMethod { automatic, sums, transforms };

// values[e][p], one list for each expression. `es` are lowered over a pool whose symbols have the solution's axes and
// fields. NaN where a point lies outside the solution along an axis along which one of the expressions varies, or has
// the coordinate NaN there. ShapeError as evaluate().
std::vector<std::vector<double>> evaluate_points(const expression::Pool& pool, const Solution& solution,
                                                 std::span<const expression::Expr> es, const ScatteredPoints& points,
                                                 int n_threads, ScatteredMethod method = ScatteredMethod::automatic);

// Where the context is: on its device, if it can be done there. DeviceError if that was asked for by name and cannot.
std::vector<std::vector<double>> evaluate_points(const Context& context, const expression::Pool& pool,
                                                 const Solution& solution, std::span<const expression::Expr> es,
                                                 const ScatteredPoints& points);

// ShapeError unless they belong together.
void check_scattered(const expression::Pool& pool, const Solution& solution, const ScatteredPoints& points);

namespace cuda {
// What keeps expressions from being evaluated on a device: a basis that is not made of Chebyshev polynomials, more than
// kScatteredAxes dimensions, more values at a time than the interpreter has room for. Empty: nothing.
std::string why_not_on_device(const expression::Pool& pool, const Solution& solution,
                              std::span<const expression::Expr> es);
std::vector<std::vector<double>> evaluate_points(const Context& context, const expression::Pool& pool,
                                                 const Solution& solution, std::span<const expression::Expr> es,
                                                 const ScatteredPoints& points);
}  // namespace cuda

}  // namespace gwrm
