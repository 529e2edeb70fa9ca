#include "problems/recurrence_bvp/grid_expression.hpp"

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

using expression::Expr;
using expression::Function;

constexpr double kMaxExponent = 30.0;  // over the reach of a call

double value_of(Function function, double x) {
  return function == Function::exp ? std::exp(x) : function == Function::cos ? std::cos(x) : std::sin(x);
}

std::vector<Expr> calls_of(const std::vector<expression::AffineCall>& calls) {
  std::vector<Expr> result;
  for (const expression::AffineCall& call : calls) result.push_back(call.call);
  return result;
}

}  // namespace

GridExpression::GridExpression(const expression::Pool& pool, Expr e, const EqualGrid& grid, std::size_t most_calls)
    : grid_(grid),
      calls_(expression::affine_calls(e, most_calls, kMaxExponent / (static_cast<double>(kReach) * grid.step()))),
      tape_(pool, std::span<const Expr>(&e, 1), calls_of(calls_)) {
  for (const expression::AffineCall& call : calls_) {
    Steps steps;
    for (Index m = 0; m < kReach; ++m) {
      const double angle = call.slope * (grid.step() * static_cast<double>(m));
      const bool is_exp = call.function == Function::exp;
      steps.first[static_cast<std::size_t>(m)] = is_exp ? std::exp(angle) : std::cos(angle);
      steps.second[static_cast<std::size_t>(m)] = is_exp ? 0.0 : std::sin(angle);
    }
    steps_.push_back(steps);
  }
}

// Called at the multiples of the reach, wherever the part begins.
void GridExpression::evaluate_call(std::size_t k, Index first, Index count, double* values) const {
  const expression::AffineCall& call = calls_[k];
  const Steps& steps = steps_[k];
  for (Index i = first; i < first + count;) {
    const Index base = i / kReach * kReach, end = std::min(base + kReach, first + count);
    const double angle = call.slope * grid_.point(base) + call.offset;
    // value(m) = a first[m] + b second[m]
    double a = 0.0, b = 0.0;
    if (call.function == Function::exp) {
      a = std::exp(angle);
    } else {
      const double c = std::cos(angle), s = std::sin(angle);
      a = call.function == Function::cos ? c : s;
      b = call.function == Function::cos ? -s : c;
    }
    const double *one = &steps.first[static_cast<std::size_t>(i - base)],
                 *two = &steps.second[static_cast<std::size_t>(i - base)];
    double* const to = values + (i - first);
    for (Index m = 0; m < end - i; ++m) to[m] = a * one[m] + b * two[m];
    i = end;
  }
}

// leaf(k, values): of call k, or for -1 the coordinate.
template <class Leaf>
void GridExpression::run_tape(Index count, Leaf leaf, double* values) const {
  std::vector<Array> leaves;
  for (const Expr e : tape_.leaves()) {
    const auto call = std::find_if(calls_.begin(), calls_.end(),
                                   [&](const expression::AffineCall& known) { return known.call == e; });
    leaf(call == calls_.end() ? -1 : static_cast<int>(call - calls_.begin()),
         leaves.emplace_back(Shape{count}).data.data());
  }
  evaluate_points(tape_, leaves, count, values);
}

void GridExpression::evaluate(Index first, Index count, double* values) const {
  const auto leaf = [&](int call, double* of_leaf) {
    if (call >= 0)
      evaluate_call(static_cast<std::size_t>(call), first, count, of_leaf);
    else
      for (Index i = 0; i < count; ++i) of_leaf[i] = grid_.point(first + i);
  };
  run_tape(count, leaf, values);
}

std::vector<double> GridExpression::at(const std::vector<Index>& points) const {
  const auto count = static_cast<Index>(points.size());
  std::vector<double> values(points.size());
  if (count == 0) return values;
  if (points.back() - points.front() == count - 1) {
    evaluate(points.front(), count, values.data());
    return values;
  }
  const auto leaf = [&](int call, double* of_leaf) {
    for (std::size_t i = 0; i < points.size(); ++i) of_leaf[i] = grid_.point(points[i]);
    if (call < 0) return;
    const expression::AffineCall& known = calls_[static_cast<std::size_t>(call)];
    for (Index i = 0; i < count; ++i) of_leaf[i] = value_of(known.function, known.slope * of_leaf[i] + known.offset);
  };
  run_tape(count, leaf, values.data());
  return values;
}

}  // namespace gwrm
