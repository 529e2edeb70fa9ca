#include "expression/interval_evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/errors.hpp"
#include "expression/printer.hpp"
#include "expression/scalar_functions.hpp"
#include "expression/tape.hpp"

namespace gwrm::expression {
namespace {

bool is_zero_interval(const Interval& z) {
  return z.lower == 0.0 && z.upper == 0.0;
}

// g a' for a derivative a' that may be identically zero: then whatever g is.
Interval scaled(const Interval& g, const Interval& derivative) {
  return is_zero_interval(derivative) ? derivative : g * derivative;
}

Interval computed(const PointStep& step, const Interval& a, const Interval& b) {
  switch (step.op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return step.first == step.second ? square(a) : a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return step.second < 0 ? power(a, step.value) : power(a, b);
    case Op::call:
      if (step.function == Function::min) return minimum(a, b);
      if (step.function == Function::max) return maximum(a, b);
      return apply(step.function, a);
    default:
      return point_interval(step.value);
  }
}

double computed(const PointStep& step, double a, double b) {
  switch (step.op) {
    case Op::number:
      return step.value;
    case Op::negate:
      return -a;
    case Op::power:
      return power(a, step.second < 0 ? step.value : b);
    case Op::call:
      return step.second < 0 ? apply(step.function, a) : apply(step.op, step.function, a, b);
    default:
      return apply(step.op, step.function, a, b);
  }
}

// The two partial derivatives of an operation; `value` is its result.
struct Partials {
  Interval a, b = point_interval(0.0);
};
Partials partials(const PointStep& step, const Interval& a, const Interval& b, const Interval& value) {
  const Interval one = point_interval(1.0);
  switch (step.op) {
    case Op::negate:
      return {-one};
    case Op::add:
      return {one, one};
    case Op::subtract:
      return {one, -one};
    case Op::multiply:
      return {b, a};
    case Op::divide:
      return {one / b, -(value / b)};
    case Op::power: {
      if (step.second < 0) return {point_interval(step.value) * power(a, step.value - 1.0)};
      return {b * power(a, b - one), value * apply(Function::log, a)};
    }
    case Op::call:
      if (step.function == Function::min) {
        const Interval first = apply(Function::step, b - a);  // 1 where a is the smaller one
        return {first, one - first};
      }
      if (step.function == Function::max) {
        const Interval first = apply(Function::step, a - b);
        return {first, one - first};
      }
      if (step.function == Function::exp) return {value};
      return {slope(step.function, a)};
    default:
      return {point_interval(0.0)};
  }
}

}  // namespace

IntervalEvaluation::IntervalEvaluation(const Pool& pool, Expr e) {
  const std::array<Expr, 1> outputs{e};
  const Tape tape(pool, outputs);
  const Tape::Steps found = tape.steps(0);
  std::unordered_map<int, int> slots;  // of the tape -> own
  std::vector<std::pair<int, int>> leaves;
  for (int leaf : found.leaves) {
    const Expr coordinate = tape.leaves()[static_cast<std::size_t>(leaf)];
    if (coordinate->op != Op::coordinate)
      throw Error(ExitStatus::internal_error, "IntervalEvaluation: the expression holds an unknown: " + print(e));
    leaves.emplace_back(pool.symbols().find_axis(coordinate->name), leaf);
  }
  std::sort(leaves.begin(), leaves.end());
  for (const auto& [axis, leaf] : leaves) {
    slots.emplace(leaf, static_cast<int>(axes_.size()));
    axes_.push_back(axis);
  }
  const auto own = [&slots](int slot) { return slot < 0 ? slot : slots.at(slot); };
  for (PointStep step : found.steps) {
    step.first = own(step.first);
    step.second = own(step.second);
    const int slot = static_cast<int>(axes_.size() + steps_.size());
    slots.emplace(step.slot, slot);
    step.slot = slot;
    steps_.push_back(step);
  }
  output_ = static_cast<std::size_t>(own(found.value));
  const std::size_t n_slots = axes_.size() + steps_.size();
  numbers_.resize(n_slots);
  values_.resize(n_slots);
  gradients_.resize(n_slots * axes_.size());
  variation_.resize(axes_.size());
  middle_.resize(axes_.size());
  slopes_.resize(axes_.size());
}

double IntervalEvaluation::value(std::span<const double> point) {
  std::copy(point.begin(), point.end(), numbers_.begin());
  const auto of = [this](int slot) { return slot < 0 ? 0.0 : numbers_[static_cast<std::size_t>(slot)]; };
  for (const PointStep& step : steps_)
    numbers_[static_cast<std::size_t>(step.slot)] = computed(step, of(step.first), of(step.second));
  return numbers_[output_];
}

Interval IntervalEvaluation::natural(std::span<const Interval> box) {
  std::copy(box.begin(), box.end(), values_.begin());
  const auto of = [this](int slot) -> const Interval& { return values_[static_cast<std::size_t>(std::max(slot, 0))]; };
  for (const PointStep& step : steps_)
    values_[static_cast<std::size_t>(step.slot)] = computed(step, of(step.first), of(step.second));
  return values_[output_];
}

Interval IntervalEvaluation::at(std::span<const double> point) {
  for (std::size_t i = 0; i < point.size(); ++i) middle_[i] = point_interval(point[i]);
  return natural(middle_);
}

void IntervalEvaluation::differentiate() {
  const std::size_t n = axes_.size();
  for (std::size_t slot = 0; slot < n; ++slot)
    for (std::size_t i = 0; i < n; ++i) gradients_[slot * n + i] = point_interval(slot == i ? 1.0 : 0.0);
  for (const PointStep& step : steps_) {
    const std::size_t first = static_cast<std::size_t>(std::max(step.first, 0)),
                      second = static_cast<std::size_t>(std::max(step.second, 0)),
                      slot = static_cast<std::size_t>(step.slot);
    if (step.op == Op::number) {
      for (std::size_t i = 0; i < n; ++i) gradients_[slot * n + i] = point_interval(0.0);
      continue;
    }
    const Partials d = partials(step, values_[first], values_[second], values_[slot]);
    for (std::size_t i = 0; i < n; ++i) {
      Interval sum = scaled(d.a, gradients_[first * n + i]);
      if (step.second >= 0) sum = sum + scaled(d.b, gradients_[second * n + i]);
      gradients_[slot * n + i] = sum;
    }
  }
}

Interval IntervalEvaluation::enclosure(std::span<const Interval> box) {
  const std::size_t n = axes_.size();
  const Interval wide = natural(box);
  differentiate();
  for (std::size_t i = 0; i < n; ++i) {
    slopes_[i] = gradients_[output_ * n + i];
    variation_[i] = slopes_[i].bounded()   ? slopes_[i].magnitude() * box[i].width()
                    : box[i].width() > 0.0 ? std::numeric_limits<double>::infinity()
                                           : 0.0;
  }
  if (!wide.defined) return wide;  // no derivative where it is undefined
  for (std::size_t i = 0; i < n; ++i) middle_[i] = point_interval(0.5 * box[i].lower + 0.5 * box[i].upper);
  const std::vector<Interval> middle = middle_;
  Interval mean = natural(middle);
  for (std::size_t i = 0; i < n; ++i) mean = mean + scaled(slopes_[i], box[i] - middle[i]);
  return intersect(wide, {mean.lower, mean.upper, wide.defined});
}

}  // namespace gwrm::expression
