#include "expression/one_sided.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "expression/interval_evaluation.hpp"
#include "expression/kinks.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm::expression {

Expr switched_beside(Pool& pool, Expr call, std::size_t axis, double point, int side) {
  const Expr s = switch_of(pool, call);
  if (s == nullptr || !decides_alone(s, std::uint32_t{1} << axis)) return nullptr;
  const Axis& along = pool.symbols().axes[axis];
  const double there = std::clamp(point + side * kBesideKink * (along.upper - along.lower), along.lower, along.upper);
  const double value = IntervalEvaluation(pool, s).value(std::span(&there, 1));
  switch (call->function) {
    case Function::step:
    case Function::sign:
      return pool.number(apply(call->function, value));
    case Function::abs:
      return value < 0.0 ? pool.negated(call->args[0]) : call->args[0];
    case Function::min:
      return call->args[value < 0.0 ? 0 : 1];
    default:
      return call->args[value < 0.0 ? 1 : 0];
  }
}

}  // namespace gwrm::expression
