#include "problems/sbp_sat/block_coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gwrm::sbp {
namespace {

struct Tensor {
  std::vector<double> xx, xy, yy;  // xy empty: zero
};

const NamedExpression* entry_named(const Case& the_case, const std::string& name) {
  for (const NamedExpression& entry : section_of<SbpSatCase>(the_case).coefficient)
    if (entry.name == name) return &entry;
  return nullptr;
}

Tensor physical_tensor(const Case& the_case, const PointExpressions& expressions, const Points& points) {
  const std::vector<double> ones(static_cast<std::size_t>(points.size()), 1.0);
  const auto entry = [&](const std::string& name, const std::vector<double>& fallback) {
    const NamedExpression* given = entry_named(the_case, name);
    return given == nullptr ? fallback : expressions.finite_values(given->text, points, "the coefficient");
  };
  if (entry_named(the_case, "c") != nullptr) {
    const std::vector<double> c = entry("c", ones);
    return {c, {}, c};
  }
  return {entry("xx", ones), entry("xy", {}), entry("yy", ones)};
}

void check_positive(const Case& the_case, const PointExpressions& expressions, const Points& points,
                    const Tensor& tensor) {
  for (Index k = 0; k < points.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double xy = tensor.xy.empty() ? 0.0 : tensor.xy[i];
    if (tensor.xx[i] > 0.0 && tensor.xx[i] * tensor.yy[i] > xy * xy) continue;
    const SourceText& text = section_of<SbpSatCase>(the_case).coefficient.front().text;
    const std::string where = expressions.point_text(points, k);
    if (tensor.xy.empty())
      throw_case_error(text, 0,
                       fmt::format("the coefficient is {:g} at {}: it must be positive everywhere",
                                   std::min(tensor.xx[i], tensor.yy[i]), where));
    throw_case_error(text, 0,
                     fmt::format("the coefficient's matrix [[{0:g}, {1:g}], [{1:g}, {2:g}]] at {3} is not positive "
                                 "definite: xx*yy must be larger than xy^2",
                                 tensor.xx[i], xy, tensor.yy[i], where));
  }
}

// One value where all are the same.
std::vector<double> shortened(std::vector<double> values) {
  const bool constant =
      std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
  return constant ? std::vector<double>{values.front()} : std::move(values);
}

std::vector<double> derivative_of(const PointExpressions& expressions, int which, int axis, const Points& points) {
  expression::Pool& pool = expressions.pool();
  const std::string& name = pool.symbols().axes[axis].name;
  const expression::Expr slope = expression::lower(pool, pool.derivative(expressions.coordinate(which), name, 1));
  return expressions.values(slope, points);
}

BlockCoefficients transformed(const PointExpressions& expressions, const Points& points, const Tensor& tensor) {
  const std::vector<double> x_slow = derivative_of(expressions, 0, 0, points);
  const std::vector<double> x_fast = derivative_of(expressions, 0, 1, points);
  const std::vector<double> y_slow = derivative_of(expressions, 1, 0, points);
  const std::vector<double> y_fast = derivative_of(expressions, 1, 1, points);
  BlockCoefficients result;
  double largest = 0.0, largest_cross = 0.0, sign = 0.0;
  for (Index k = 0; k < points.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double jacobian = x_fast[i] * y_slow[i] - x_slow[i] * y_fast[i];
    const double size = std::hypot(x_fast[i], y_fast[i]) * std::hypot(x_slow[i], y_slow[i]);
    if (k == 0) sign = jacobian;
    if (!(std::abs(jacobian) > 1e-10 * size) || !(jacobian * sign > 0.0))
      throw_case_error(expressions.mapping_text(0), 0,
                       fmt::format("the mapping {} at {} (Jacobian {:g}): x and y must be a one-to-one map of the "
                                   "domain with a Jacobian that is nowhere zero",
                                   std::isfinite(jacobian) && jacobian * sign < 0.0 ? "folds" : "degenerates",
                                   expressions.point_text(points, k), jacobian));
    const double xx = tensor.xx[i], yy = tensor.yy[i], xy = tensor.xy.empty() ? 0.0 : tensor.xy[i];
    // |J| grad of the grid's coordinates, but for the factor |J|.
    const double fast_x = y_slow[i], fast_y = -x_slow[i], slow_x = -y_fast[i], slow_y = x_fast[i];
    const double scale = 1.0 / std::abs(jacobian);
    const auto product = [&](double ax, double ay, double bx, double by) {
      return scale * (ax * (xx * bx + xy * by) + ay * (xy * bx + yy * by));
    };
    result.c.slow.push_back(product(slow_x, slow_y, slow_x, slow_y));
    result.c.fast.push_back(product(fast_x, fast_y, fast_x, fast_y));
    result.c.cross.push_back(product(slow_x, slow_y, fast_x, fast_y));
    result.jacobian.push_back(std::abs(jacobian));
    result.slow_length.push_back(std::hypot(x_slow[i], y_slow[i]));
    result.fast_length.push_back(std::hypot(x_fast[i], y_fast[i]));
    largest = std::max({largest, result.c.slow.back(), result.c.fast.back()});
    largest_cross = std::max(largest_cross, std::abs(result.c.cross.back()));
  }
  if (largest_cross <= 1e-14 * largest) result.c.cross.clear();  // orthogonal coordinates
  return result;
}

}  // namespace

BlockCoefficients block_coefficients(const Case& the_case, const PointExpressions& expressions, const Points& points) {
  const Tensor tensor = physical_tensor(the_case, expressions, points);
  check_positive(the_case, expressions, points, tensor);
  if (expressions.is_mapped()) return transformed(expressions, points, tensor);
  BlockCoefficients result;
  const bool slow_is_x = the_case.domain[0].axis.name == "x";
  result.c.slow = shortened(slow_is_x ? tensor.xx : tensor.yy);
  result.c.fast = shortened(slow_is_x ? tensor.yy : tensor.xx);
  if (std::any_of(tensor.xy.begin(), tensor.xy.end(), [](double value) { return value != 0.0; }))
    result.c.cross = tensor.xy;
  return result;
}

}  // namespace gwrm::sbp
