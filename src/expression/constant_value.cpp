#include "expression/constant_value.hpp"

#include <numbers>

#include "expression/one_sided.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm::expression {

std::optional<double> constant_value(const Symbols& symbols, Expr e) {
  if (e->facts.axes != 0 || e->facts.degree != 0) return std::nullopt;  // what varies is not walked
  switch (e->op) {
    case Op::number:
      return e->value;
    case Op::pi:
      return std::numbers::pi;
    case Op::constant: {
      const Constant* constant = symbols.find_constant(e->name);
      return constant ? std::optional(constant->value) : std::nullopt;
    }
    case Op::negate: {
      const auto a = constant_value(symbols, e->args[0]);
      return a ? std::optional(-*a) : std::nullopt;
    }
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::call: {
      const auto a = constant_value(symbols, e->args[0]);
      if (!a) return std::nullopt;
      if (e->args.size() == 1) return apply(e->function, *a);
      const auto b = constant_value(symbols, e->args[1]);
      return b ? std::optional(apply(e->op, e->function, *a, *b)) : std::nullopt;
    }
    case Op::beside: {
      const auto a = constant_value(symbols, e->args[0]);
      return a ? std::optional(point_beside(*a, e->order)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace gwrm::expression
