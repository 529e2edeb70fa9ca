#include "problems/recurrence_bvp/grid_source.hpp"

#include <algorithm>
#include <utility>

#include "expression/affine_calls.hpp"
#include "expression/device_text.hpp"
#include "expression/holds_integral.hpp"
#include "problems/finer_grid.hpp"
#include "problems/recurrence_bvp/grid_expression.hpp"

namespace gwrm {
namespace {

// The source for a device, with a few of its affine calls apart.
DeviceExpression device_source(const BvpModel& model) {
  if (!expression::data_in(std::span(&model.source, 1)).empty()) return {};  // of files: evaluated on the host
  constexpr double kLargestExponent = 30.0;
  const EqualGrid& grid = model.grid;
  const auto calls =
      expression::affine_calls(model.source, kMaxAffineCalls, kLargestExponent / (kAffineReach * grid.step()));
  DeviceExpression result{{}, model.axis.name, grid.lower, grid.step(), grid.upper, grid.intervals};
  std::vector<expression::Expr> given;
  for (const expression::AffineCall& call : calls) {
    using Kind = AffineCall::Function;
    result.calls.push_back({call.function == expression::Function::sin   ? Kind::sine
                            : call.function == expression::Function::cos ? Kind::cosine
                                                                         : Kind::exponential,
                            call.slope, call.offset});
    given.push_back(call.call);
  }
  result.statements = expression::device_text(model.source, given);
  if (const auto sum = expression::sum_of_calls(model.source, calls)) {
    result.factors = sum->factors;
    result.constant = sum->constant;
  }
  return result;
}

}  // namespace

GridSource expression_source(const BvpModel& model, std::size_t most_calls) {
  const auto values = std::make_shared<GridExpression>(*model.pool, model.source, model.grid, most_calls);
  return {{nullptr, nullptr, [values](Index first, Index count, double* f) { values->evaluate(first, count, f); },
           device_source(model)},
          [values](const std::vector<Index>& points) { return values->at(points); }};
}

GridSource averaged_source(const BvpModel& model) {
  const auto halfway = [&](double side) {
    EqualGrid grid = model.grid;
    grid.lower += 0.5 * side * model.grid.step();
    grid.upper += 0.5 * side * model.grid.step();
    return std::make_shared<GridExpression>(*model.pool, model.source, grid);
  };
  const auto below = halfway(-1.0), above = halfway(1.0);
  const auto evaluate = [below, above, last = model.grid.intervals](Index first, Index count, double* f) {
    std::vector<double> lower(static_cast<std::size_t>(count));
    below->evaluate(first, count, lower.data());
    above->evaluate(first, count, f);
    if (first == 0) lower.front() = f[0];
    if (first + count > last) f[count - 1] = lower.back();
    for (Index i = 0; i < count; ++i) f[i] = 0.5 * (f[i] + lower[static_cast<std::size_t>(i)]);
  };
  const auto at = [evaluate](const std::vector<Index>& points) {
    std::vector<double> result(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) evaluate(points[i], 1, &result[i]);
    return result;
  };
  return {{nullptr, nullptr, evaluate, {}}, at};
}

GridSource stored_source(StoredNumbers values) {
  const auto at = [values](const std::vector<Index>& points) {
    std::vector<double> result;
    for (Index i : points) result.push_back((*values)[static_cast<std::size_t>(i)]);
    return result;
  };
  const double* const first = values->data();
  return {{first, nullptr, {}, {}}, at, std::move(values)};
}

GridSource interpolated_source(StoredNumbers values, Index intervals, int width) {
  const auto between = std::make_shared<GridInterpolation>(static_cast<Index>(values->size()) - 1, intervals, width);
  const auto value = [values, between](Index i, std::vector<double>& weights) {
    const auto first = static_cast<std::size_t>(between->stencil(i, weights.data()));
    double sum = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * (*values)[first + k];
    return sum;
  };
  const auto n_weights = static_cast<std::size_t>(between->width());
  const auto evaluate = [value, n_weights](Index first, Index count, double* f) {
    std::vector<double> weights(n_weights);
    for (Index i = 0; i < count; ++i) f[i] = value(first + i, weights);
  };
  const auto at = [value, n_weights](const std::vector<Index>& points) {
    std::vector<double> weights(n_weights), result;
    for (Index i : points) result.push_back(value(i, weights));
    return result;
  };
  return {{nullptr, nullptr, evaluate, {}}, at, std::move(values)};
}

}  // namespace gwrm
