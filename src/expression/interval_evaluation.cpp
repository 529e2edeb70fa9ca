#include "expression/interval_evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/errors.hpp"
#include "expression/data_function.hpp"
#include "expression/holds_integral.hpp"
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
      if (step.function == Function::atan2) return angle(a, b);
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
      if (step.function == Function::atan2) {  // across the cut it jumps
        if (a.holds(0.0) && b.lower < 0.0) return {entire(true), entire(true)};
        const Interval square_of_radius = square(a) + square(b);
        return {b / square_of_radius, -(a / square_of_radius)};
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
  const std::vector<Expr> data = data_in(outputs);
  const Tape tape(pool, outputs, data);
  const Tape::Steps found = tape.steps(0);
  for (std::size_t axis = 0; axis < pool.symbols().axes.size(); ++axis)
    if ((e->facts.axes >> axis & 1u) != 0) axes_.push_back(static_cast<int>(axis));
  const auto slot_of_axis = [&](const std::string& name) {
    return static_cast<int>(std::find(axes_.begin(), axes_.end(), pool.symbols().find_axis(name)) - axes_.begin());
  };
  std::unordered_map<int, int> slots;  // of the tape -> own
  for (int leaf : found.leaves) {
    const Expr node = tape.leaves()[static_cast<std::size_t>(leaf)];
    if (node->op == Op::coordinate) {
      slots.emplace(leaf, slot_of_axis(node->name));
    } else if (node->op == Op::data) {
      Data& own = data_.emplace_back(Data{pool.symbols().find_data(node->name), node->orders, {}, {}});
      for (Expr argument : node->args) {
        const bool varies = argument->op == Op::coordinate;
        own.axes.push_back(varies ? slot_of_axis(argument->name) : -1);
        own.points.push_back(varies ? 0.0 : argument->value);
      }
      slots.emplace(leaf, static_cast<int>(axes_.size() + data_.size()) - 1);
    } else {
      throw Error(ExitStatus::internal_error, "IntervalEvaluation: the expression holds an unknown: " + print(e));
    }
  }
  const auto own = [&slots](int slot) { return slot < 0 ? slot : slots.at(slot); };
  for (PointStep step : found.steps) {
    step.first = own(step.first);
    step.second = own(step.second);
    const int slot = static_cast<int>(axes_.size() + data_.size() + steps_.size());
    slots.emplace(step.slot, slot);
    step.slot = slot;
    steps_.push_back(step);
  }
  output_ = static_cast<std::size_t>(own(found.value));
  const std::size_t n_slots = axes_.size() + data_.size() + steps_.size();
  numbers_.resize(n_slots);
  values_.resize(n_slots);
  gradients_.resize(n_slots * axes_.size());
  variation_.resize(axes_.size());
  middle_.resize(axes_.size());
  slopes_.resize(axes_.size());
}

double IntervalEvaluation::value(std::span<const double> point) {
  std::copy(point.begin(), point.end(), numbers_.begin());
  for (std::size_t k = 0; k < data_.size(); ++k) {
    std::vector<double> at = data_[k].points;
    for (std::size_t i = 0; i < at.size(); ++i)
      if (data_[k].axes[i] >= 0) at[i] = point[static_cast<std::size_t>(data_[k].axes[i])];
    numbers_[axes_.size() + k] = data_[k].function->at(at, data_[k].orders);
  }
  const auto of = [this](int slot) { return slot < 0 ? 0.0 : numbers_[static_cast<std::size_t>(slot)]; };
  for (const PointStep& step : steps_)
    numbers_[static_cast<std::size_t>(step.slot)] = computed(step, of(step.first), of(step.second));
  return numbers_[output_];
}

Interval IntervalEvaluation::of_data(const Data& data, std::span<const int> orders) const {
  std::vector<Interval> box;
  for (std::size_t i = 0; i < data.axes.size(); ++i)
    box.push_back(data.axes[i] >= 0 ? values_[static_cast<std::size_t>(data.axes[i])] : point_interval(data.points[i]));
  return data.function->enclosure(box, orders);
}

Interval IntervalEvaluation::natural(std::span<const Interval> box) {
  std::copy(box.begin(), box.end(), values_.begin());
  for (std::size_t k = 0; k < data_.size(); ++k) values_[axes_.size() + k] = of_data(data_[k], data_[k].orders);
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
  for (std::size_t k = 0; k < data_.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) gradients_[(n + k) * n + i] = point_interval(0.0);
    for (std::size_t d = 0; d < data_[k].axes.size(); ++d) {
      if (data_[k].axes[d] < 0) continue;
      std::vector<int> orders = data_[k].orders;
      ++orders[d];
      gradients_[(n + k) * n + static_cast<std::size_t>(data_[k].axes[d])] = of_data(data_[k], orders);
    }
  }
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
