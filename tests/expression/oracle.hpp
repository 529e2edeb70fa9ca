// A second, naive meaning of expressions: recursive evaluation in long double of fields that are known functions.
// Nothing is expanded: derivatives are difference quotients, integrals a Gauss rule. Shares no code with the library
// but the tree itself.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "expression/lowering.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::oracle {

using Real = long double;
using Point = std::array<Real, 4>;  // t, nu, y, x of samples::symbols()

inline Real function_value(Function f, Real a, Real b) {
  switch (f) {
    case Function::sin:
      return std::sin(a);
    case Function::cos:
      return std::cos(a);
    case Function::tan:
      return std::tan(a);
    case Function::asin:
      return std::asin(a);
    case Function::acos:
      return std::acos(a);
    case Function::atan:
      return std::atan(a);
    case Function::sinh:
      return std::sinh(a);
    case Function::cosh:
      return std::cosh(a);
    case Function::tanh:
      return std::tanh(a);
    case Function::exp:
      return std::exp(a);
    case Function::log:
      return std::log(a);
    case Function::sqrt:
      return std::sqrt(a);
    case Function::abs:
      return a < 0 ? -a : a;
    case Function::erf:
      return std::erf(a);
    case Function::min:
      return b < a ? b : a;
    case Function::max:
      return a < b ? b : a;
    case Function::sign:
      return a < 0 ? -1 : a > 0 ? 1 : 0;
    case Function::step:
      return a < 0 ? 0 : a > 0 ? 1 : Real{0.5};
    case Function::atan2:
      return std::atan2(a, b);
  }
  throw std::logic_error("unknown function");
}

inline Real arithmetic(Op op, Real a, Real b) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    default:
      throw std::logic_error("not arithmetic");
  }
}

// Nodes (first) and weights of the Gauss-Legendre rule on [-1, 1], by Newton's method on the Legendre recurrence.
inline std::vector<std::array<Real, 2>> gauss_rule(int n) {
  std::vector<std::array<Real, 2>> rule;
  for (int i = 0; i < n; ++i) {
    Real z = std::cos(std::numbers::pi_v<Real> * (i + Real{0.75}) / (n + Real{0.5}));
    Real slope = 0;
    for (int iteration = 0; iteration < 30; ++iteration) {
      Real before = 1, p = z;
      for (int k = 2; k <= n; ++k) {
        const Real next = ((2 * k - 1) * z * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (z * p - before) / (z * z - 1);
      z -= p / slope;
    }
    rule.push_back({z, 2 / ((1 - z * z) * slope * slope)});
  }
  return rule;
}

// Fields that are sums of two exponentials of linear functions: every derivative is known in closed form.
//   u = sum_k amplitude_k exp(rate_k . z), with the rates zero along dimensions the field does not have.
struct Term {
  Real amplitude;
  Point rate;
};
inline std::vector<Term> terms_of(const std::string& field) {
  if (field == "u") return {{0.4L, {-0.5L, 0.6L, 0.4L, 0.9L}}, {-0.3L, {0.3L, -0.7L, -0.8L, -0.5L}}};
  if (field == "v") return {{0.5L, {0.4L, 0, 0, -0.6L}}, {0.2L, {-0.7L, 0, 0, 0.8L}}};
  if (field == "w") return {{0.6L, {0, 0, 0, 0.7L}}, {-0.4L, {0, 0, 0, -0.9L}}};
  return {{0.7L, {0, 0, 0, 0}}};
}

inline Real field_value(const std::string& field, const std::vector<int>& orders, const Point& z) {
  Real value = 0;
  for (const Term& term : terms_of(field)) {
    Real part = term.amplitude;
    for (std::size_t axis = 0; axis < 4; ++axis)
      part *= std::pow(term.rate[axis], orders[axis]) * std::exp(term.rate[axis] * z[axis]);
    value += part;
  }
  return value;
}

class Oracle {
 public:
  explicit Oracle(const Pool& pool) : symbols_(pool.symbols()), rule_(gauss_rule(12)) {}

  // Largest value met on the way in absolute terms: the scale of rounding and truncation errors.
  Real scale = 0;

  Real value(Expr e, const Point& z) {
    const Real result = value_of_node(e, z);
    scale = std::max(scale, std::abs(result));
    return result;
  }

 private:
  Real value_of_node(Expr e, const Point& z) {
    switch (e->op) {
      case Op::number:
        return e->value;
      case Op::pi:
        return std::numbers::pi_v<Real>;
      case Op::constant:
        return e->name == "A" ? 0.25L : e->name == "Re" ? 100.0L : 2.0L;
      case Op::coordinate:
        return z[axis(e->name)];
      case Op::field:
        return field_value(e->name, {0, 0, 0, 0}, z);
      case Op::call:
        return function_value(e->function, value(e->args[0], z), e->args.size() > 1 ? value(e->args[1], z) : 0);
      case Op::derivative:
        return difference(e->args[0], axis(e->name), e->order, z);
      case Op::laplacian:
        return difference(e->args[0], 2, 2, z) + difference(e->args[0], 3, 2, z);
      case Op::restriction: {
        Point at = z;
        for (std::size_t i = 0; i < e->names.size(); ++i) at[axis(e->names[i])] = value(e->args[i + 1], z);
        return value(e->args[0], at);
      }
      case Op::integral: {
        const Axis& along = symbols_.axes[axis(e->name)];
        const Real half = (Real{along.upper} - along.lower) / 2;
        Real sum = 0;
        for (const auto& [node, weight] : rule_) {
          Point at = z;
          at[axis(e->name)] = along.lower + half * (1 + node);
          sum += half * weight * value(e->args[0], at);
        }
        return sum;
      }
      default:
        return arithmetic(e->op, value(e->args[0], z), e->args.size() > 1 ? value(e->args[1], z) : 0);
    }
  }

  // Central differences of eighth order, f' = sum_j c_j (f(z + jh) - f(z - jh)) / h, applied `order` times. With h =
  // 0.01 truncation and the rounding of long double are both below 1e-14 for the first derivative of a smooth f.
  Real difference(Expr e, std::size_t along, int order, const Point& z) {
    if (order == 0) return value(e, z);
    constexpr std::array<Real, 4> c = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
    constexpr Real h = 0.01L;
    Real sum = 0;
    for (int j = 1; j <= 4; ++j) {
      Point right = z, left = z;
      right[along] += j * h;
      left[along] -= j * h;
      sum += c[static_cast<std::size_t>(j - 1)] *
             (difference(e, along, order - 1, right) - difference(e, along, order - 1, left));
    }
    return sum / h;
  }

  std::size_t axis(const std::string& name) const { return static_cast<std::size_t>(symbols_.find_axis(name)); }

  const Symbols& symbols_;
  std::vector<std::array<Real, 2>> rule_;
};

// The value of a lowered expression, its atoms taken from the closed form.
class LoweredOracle {
 public:
  explicit LoweredOracle(const Pool& pool) : pool_(pool), rule_(gauss_rule(12)) {}

  Real value(Expr e, const Point& z) {
    if (is_atom(e)) {
      const Atom atom = atom_of(pool_, e);
      Point at = z;
      for (std::size_t axis = 0; axis < 4; ++axis)
        if (atom.restricted[axis]) at[axis] = atom.points[axis];
      return field_value(pool_.symbols().fields[static_cast<std::size_t>(atom.field)].name, atom.orders, at);
    }
    const std::size_t axis = static_cast<std::size_t>(pool_.symbols().find_axis(e->name));
    switch (e->op) {
      case Op::number:
        return e->value;
      case Op::coordinate:
        return z[axis];
      case Op::call:
        return function_value(e->function, value(e->args[0], z), e->args.size() > 1 ? value(e->args[1], z) : 0);
      case Op::integral: {
        const Axis& along = pool_.symbols().axes[axis];
        const Real half = (Real{along.upper} - along.lower) / 2;
        Real sum = 0;
        for (const auto& [node, weight] : rule_) {
          Point at = z;
          at[axis] = along.lower + half * (1 + node);
          sum += half * weight * value(e->args[0], at);
        }
        return sum;
      }
      default:
        return arithmetic(e->op, value(e->args[0], z), e->args.size() > 1 ? value(e->args[1], z) : 0);
    }
  }

 private:
  const Pool& pool_;
  std::vector<std::array<Real, 2>> rule_;
};

}  // namespace gwrm::expression::oracle
