#include "problems/time_spectral/finer_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr double kNewtonShare = 1e-2;  // of the tolerance: V - U is right to that
// What GMRES may leave of a step. Smooth errors, which live on, have a small share in a residual that rough ones make:
// with 1e-2 the estimate of a hundred windows came out at two thirds of its value.
constexpr double kLinearTolerance = 1e-4;

}  // namespace

int finer_degree(int degree) {
  return degree + std::max(4, 2 * ((degree + 7) / 8));
}

int least_finer_degree(int degree) {
  return degree + 4;
}

NewtonOptions finer_newton(NewtonOptions of_run, double tolerance) {
  of_run.tolerance = std::max(of_run.tolerance, kNewtonShare * tolerance);
  of_run.globalisation = Globalisation::natural;
  of_run.linear_tolerance = kLinearTolerance;
  of_run.trusts_known_factors = true;
  of_run.loosest_tolerance = 0.0;
  return of_run;
}

std::vector<double> places(const AxisDescription& axis) {
  const AxisDescription likely = likely_part(axis);
  const auto basis = make_basis(likely);
  const Vector points = ascending(basis->grid(basis->n_per_subdomain())).points;
  std::vector<double> all(points.begin(), points.end());
  all.insert(all.end(), likely.edges.begin(), likely.edges.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<double> comparison_times(double start, double end, int degree) {
  const int n = degree + 2;
  std::vector<double> times;
  for (int i = 0; i < n; ++i) times.push_back(0.5 * (start + end) - 0.5 * (end - start) * std::cos(M_PI * i / (n - 1)));
  times.back() = end;
  return times;
}

Array values_at(const Context& context, const Model& model, const FieldModel& field, Array coefficients,
                const std::vector<AxisDescription>& subdomains, const std::vector<std::vector<double>>& points) {
  for (int axis : field.axes) {
    if (points[axis].empty()) continue;  // a collocated parameter
    AxisDescription description = subdomains[axis];
    if (axis == model.time_axis()) description.degree = static_cast<int>(coefficients.shape[axis]) - 1;
    coefficients = block_transform(context, coefficients, static_cast<std::size_t>(axis),
                                   make_basis(description)->at(points[axis]));
  }
  return coefficients;
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0.0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

Distance largest_distance(std::span<const double> u, std::span<const double> v) {
  Distance largest;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double distance = std::isfinite(v[i]) ? std::abs(v[i] - u[i]) : HUGE_VAL;
    if (distance > largest.value) largest = {distance, static_cast<Index>(i)};
  }
  return largest;
}

std::vector<double> coordinates_of(const Model& model, const FieldModel& field, const Shape& shape, Index entry,
                                   const std::vector<std::vector<double>>& points,
                                   const std::vector<double>& parameter_values) {
  std::vector<double> coordinates(model.axes.size(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<Index> index = unravel(shape, entry);
  for (int axis : field.axes)
    coordinates[axis] =
        points[axis].empty() ? parameter_values[axis] : points[axis][static_cast<std::size_t>(index[axis])];
  return coordinates;
}

double reference_size(const Model& model, const SizeCoupling& coupling, const std::vector<double>& sizes,
                      std::size_t field) {
  const double largest = largest_magnitude(sizes);
  const expression::Expr exact = model.fields[field].exact;
  const bool is_zero = (exact != nullptr && expression::is_zero(exact)) || coupling.zero_to_rounding(sizes)[field];
  return is_zero ? largest : sizes[field];
}

double relative_error(double error, double size) {
  return error == 0.0 ? 0.0 : error / size;
}

void judge_by(const Case& the_case, ErrorEstimate estimate, Verification& verification) {
  if (estimate.status == ErrorEstimate::Status::made)
    for (Check& check : verification.checks)
      if (check.kind == "residual" || check.kind == "tail") check.judged = false;
  verification.left_out.insert(verification.left_out.end(), estimate.left_out.begin(), estimate.left_out.end());
  const bool is_lost = std::isfinite(estimate.lost_at);
  add_estimate(verification, std::move(estimate), the_case.verification.tolerance);
  // After the loss the statistics are the answer.
  if (is_lost && the_case.verification.after_loss == AfterLossChoice::report)
    for (Check& check : verification.checks)
      if (check.kind == "estimate") check.judged = false;
}

}  // namespace gwrm
