// What estimates of the error have in common (error_estimate.hpp, problems/continuation/branch_error.hpp): how much
// finer the second solution is, where the two are compared, what their distance is relative to, and how it is judged.
#pragma once

#include <span>
#include <vector>

#include "case/case.hpp"
#include "output/report.hpp"
#include "solver/newton.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/size_coupling.hpp"

namespace gwrm {

// An error that large, relative: the finer solution may have become another, or there may be none near.
inline constexpr double kBeyondLinear = 0.1;

// A quarter more coefficients, at least four, of the same parity.
int finer_degree(int degree);
// The fewest that still show what is left out, where there is no memory for more.
int least_finer_degree(int degree);

// The finer equations are solved to a hundredth of the tolerance, by the natural test.
NewtonOptions finer_newton(NewtonOptions of_run, double tolerance);

// Where errors are looked at along an axis of space, or a parameter that is coupled: the points of the basis and the
// edges, ascending; with a distribution those of its likely part.
std::vector<double> places(const AxisDescription& axis);

// Where errors are looked at in time: Chebyshev points with both ends, ascending.
std::vector<double> comparison_times(double start, double end, int degree);

// Values of a series on the grid of `points` (per axis; empty: a collocated parameter). The degree in time is that of
// the coefficients.
Array values_at(const Context& context, const Model& model, const FieldModel& field, Array coefficients,
                const std::vector<AxisDescription>& subdomains, const std::vector<std::vector<double>>& points);

double largest_magnitude(std::span<const double> values);

// The largest |v - u| and where it is. What is not finite in v is infinitely far.
struct Distance {
  double value = 0.0;
  Index at = 0;
};
Distance largest_distance(std::span<const double> u, std::span<const double> v);

// The coordinates of an entry of values_at(), one per axis of the model; NaN along those that the field does not have.
std::vector<double> coordinates_of(const Model& model, const FieldModel& field, const Shape& shape, Index entry,
                                   const std::vector<std::vector<double>>& points,
                                   const std::vector<double>& parameter_values);

// What errors of a field are relative to; sizes: the largest magnitude of every field. A field that is zero, by `exact`
// or but for rounding (size_coupling.hpp), is as accurate as those it comes from.
double reference_size(const Model& model, const SizeCoupling& coupling, const std::vector<double>& sizes,
                      std::size_t field);

// error/size, and 0 of a field that is 0 like all others.
double relative_error(double error, double size);

// Files the estimate. What it covers, residuals and tails, then are numbers without a verdict.
void judge_by(const Case& the_case, ErrorEstimate estimate, Verification& verification);

}  // namespace gwrm
