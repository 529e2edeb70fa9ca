// Integrals within an expression of a solution: each is evaluated first, by a quadrature of its own, and enters what
// stands around it as a known field. What evaluations on a grid (evaluate.cpp) and at scattered points
// (evaluate_points.cpp) share.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/matrix.hpp"
#include "expression/expression.hpp"
#include "output/solution.hpp"

namespace gwrm {

// sum_i weights_i f(points_i) ~ int f dz.
struct Quadrature {
  std::vector<double> points;
  Vector weights;
};

// Of an integral whose integrand may be any function of the fields: on every subdomain twice the coefficients, which
// resolves products exactly and smooth functions to round-off; the rest serves the lowest degrees. repeats: on a
// periodic axis the integrand is periodic, too, so that equal weights do.
Quadrature quadrature(const AxisDescription& subdomains, bool repeats = false);

// Expressions in whose place stand others, with their outermost integrals as fields: the last ones of the pool's
// symbols, in the order of `integrals`.
struct WithoutIntegrals {
  std::vector<expression::Expr> integrals;  // of the pool they came from; none: `pool` is null and `around` what came
  std::unique_ptr<expression::Pool> pool;
  std::vector<expression::Expr> around;
};
WithoutIntegrals without_integrals(const expression::Pool& pool, std::span<const expression::Expr> es);

// e = sum_i factor_i atom_i, where it is such a sum.
struct ScaledAtom {
  double factor = 1.0;
  expression::Expr atom = nullptr;
};
std::optional<std::vector<ScaledAtom>> linear_sum(const expression::Pool& pool, expression::Expr e);

// What a quadrature has to know of an integrand: the windows whose polynomials appear in it, those of the points' times
// and some whatever the points are.
struct IntegrandWindows {
  bool of_points = false;
  std::set<std::size_t> always;
  bool repeats = true;  // periodic along the axis if the fields are: its coordinate stands nowhere in the integrand
  std::set<std::size_t> with(std::size_t window) const;  // of a point in this window
};
IntegrandWindows integrand_windows(const Solution& solution, const expression::Pool& pool, expression::Expr integrand,
                                   std::size_t axis);

// Over an axis: an integrand of several windows is smooth between the edges of all of them.
Quadrature quadrature_over(const Solution& solution, std::size_t axis, const std::set<std::size_t>& windows,
                           bool repeats);

}  // namespace gwrm
