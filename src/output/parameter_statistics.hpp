// Statistics of an expression over the parameter dimensions of a solution: what uncertain parameters do to the answer.
//
// Distribution  The parameters are independent; each has the distribution that the case gives it (the basis of its
//           axis, basis/orthogonal_basis.hpp), else it is uniform in its reference variable xi in [-1, 1]: uniform on
//           [lower, upper] on a linear map, log-uniform (uniform in log p) on a log map. E and Var are over all of
//           them.
// Formulas  mean = E[u];  variance = E[(u - mean)^2];  std = sqrt(variance);
//           sensitivity_p = E[du/dp], in units of u per unit of p;
//           sensitivity_normalised_p = std(p)/std(u) E[du/dp], between -1 and 1 for what is linear in p;
//           sobol_first_p = Var(E[u | p]) / Var(u), the part of the variance that p explains alone;
//           sobol_total_p = E[Var(u | all but p)] / Var(u), with all its interactions (sums of squares, so that a small
//           index has no cancellation). One parameter: both are 1. Parameters that do not interact: equal, with sum 1.
// 0/0       Where std(u) is below the round-off of u the quotients mean nothing and are NaN: std <= 64 eps times the
//           largest root mean square of u on the grid. (A boundary value that is the same for all p is such a place.)
// Exactness Tensor quadrature by Fejer's first rule, n points per parameter, exact to degree n - 1 in xi. A polynomial
//           of degree d in the unknowns, of degree M along the parameter, has a square of degree 2 d M: n = 2 d M + 9,
//           more on a log map for the factors p and 1/p. With a distribution Gauss's rule of its density, exact to
//           degree 2n - 1: n = d M + 9. To round-off for polynomials, spectrally accurate for other
//           smooth expressions; kinks (abs, min, max) converge slowly. The mean is subtracted before anything is
//           squared.
// Source    I. M. Sobol, Math. Comput. Simul. 55 (2001) 271; T. Homma and A. Saltelli, Reliab. Eng. Syst. Saf. 52
//           (1996) 1 (total index); B. Sudret, Reliab. Eng. Syst. Saf. 93 (2008) 964 (from a polynomial expansion);
//           A. Saltelli et al., Global Sensitivity Analysis: The Primer (2008), section 1.2 (normalised derivative).
// Memory    The grid is taken in blocks: about 10^6 values (points x quadrature points) at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "expression/expression.hpp"
#include "output/evaluate.hpp"
#include "output/parameter_quantiles.hpp"
#include "output/solution.hpp"

namespace gwrm {

struct ParameterStatistics {
  std::vector<int> parameters;  // the parameter axes of the solution, ascending
  std::vector<int> axes;        // the other axes on which the expression depends, ascending
  Array mean;                   // extents of the grid along `axes`
  Array variance;
  Array std;
  Array sensitivity;  // one extent more, the first: (parameter, axes...)
  Array sensitivity_normalised;
  Array sobol_first;
  Array sobol_total;
  // (quantile, axes...): of parameter_quantiles.hpp; only where some parameter has a distribution, else of size 0.
  Array quantile;
  std::vector<double> probabilities;  // its first extent
};

// One array of ParameterStatistics: how its dataset is called, and what it is called in a plot of the field u.
struct StatisticsQuantity {
  Array ParameterStatistics::*array;
  const char* suffix;
  const char* prefix;
  bool per_parameter;
};

inline constexpr StatisticsQuantity kStatisticsQuantities[] = {
    {&ParameterStatistics::mean, "mean", "mean of ", false},
    {&ParameterStatistics::variance, "variance", "variance of ", false},
    {&ParameterStatistics::std, "std", "standard deviation of ", false},
    {&ParameterStatistics::sensitivity, "sensitivity", "mean derivative by the parameter of ", true},
    {&ParameterStatistics::sensitivity_normalised, "sensitivity_normalised",
     "mean derivative, in standard deviations, of ", true},
    {&ParameterStatistics::sobol_first, "sobol_first", "first-order Sobol index of ", true},
    {&ParameterStatistics::sobol_total, "sobol_total", "total Sobol index of ", true},
};

struct FieldStatistics {
  std::string name;        // that of the sampled field
  std::string expression;  // as in the case file
  ParameterStatistics statistics;
};

// `e` is lowered, as for evaluate(). `points` has one list per axis of the solution; those of the parameters are not
// looked at. An expression that does not depend on a parameter has sensitivity and indices 0 for it.
// probabilities: of the quantiles.
// Throws ShapeError if the solution has no parameter axis or the lists do not fit, MemoryError if the quadrature grid
// of the parameters alone is beyond 2^24 points.
ParameterStatistics parameter_statistics(expression::Pool& pool, const Solution& solution, expression::Expr e,
                                         const GridPoints& points, std::span<const double> probabilities = kQuantiles);

}  // namespace gwrm
