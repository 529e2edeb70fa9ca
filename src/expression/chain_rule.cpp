#include "expression/chain_rule.hpp"

#include <numbers>

namespace gwrm::expression {
namespace {

// Derivative of a function of one argument.
Expr slope(Pool& p, Function function, Expr z) {
  const auto f = [&p, z](Function g) { return p.applied(g, {z}); };
  const Expr one = p.one();
  const Expr two = p.number(2.0);
  const auto square = [&](Expr a) { return p.raised(a, two); };
  switch (function) {
    case Function::sin:
      return f(Function::cos);
    case Function::cos:
      return p.negated(f(Function::sin));
    case Function::tan:
      return p.sum(one, square(f(Function::tan)));
    case Function::asin:
      return p.quotient(one, p.applied(Function::sqrt, {p.difference(one, square(z))}));
    case Function::acos:
      return p.negated(slope(p, Function::asin, z));
    case Function::atan:
      return p.quotient(one, p.sum(one, square(z)));
    case Function::sinh:
      return f(Function::cosh);
    case Function::cosh:
      return f(Function::sinh);
    case Function::tanh:
      return p.difference(one, square(f(Function::tanh)));
    case Function::exp:
      return f(Function::exp);
    case Function::log:
      return p.quotient(one, z);
    case Function::sqrt:
      return p.quotient(p.number(0.5), f(Function::sqrt));
    case Function::abs:
      return f(Function::sign);
    case Function::erf:
      return p.product(p.number(2.0 * std::numbers::inv_sqrtpi), p.applied(Function::exp, {p.negated(square(z))}));
    case Function::sign:
    case Function::step:  // zero almost everywhere
    case Function::min:
    case Function::max:
    case Function::atan2:
      break;
  }
  return p.zero();
}

// A term whose derivative is zero is not formed: its other factor, 1/x or log(x), may have no value, and 0*(1/x) would
// not vanish (simplify.cpp).
template <class Term>
Expr unless_zero(Expr derivative, Term term) {
  return is_zero(derivative) ? derivative : term();
}

// min(a, b)' = a' step(b - a) + b' step(a - b); max with the steps exchanged. At a = b both count one half.
Expr extremum_rule(Pool& p, Expr e, Expr da, Expr db) {
  const bool is_min = e->function == Function::min;
  const Expr a = is_min ? e->args[0] : e->args[1];
  const Expr b = is_min ? e->args[1] : e->args[0];
  return p.sum(unless_zero(da, [&] { return p.product(p.applied(Function::step, {p.difference(b, a)}), da); }),
               unless_zero(db, [&] { return p.product(p.applied(Function::step, {p.difference(a, b)}), db); }));
}

// (a^b)' = b a^(b-1) a' + a^b log(a) b'.
Expr power_rule(Pool& p, Expr e, Expr da, Expr db) {
  const Expr a = e->args[0];
  const Expr b = e->args[1];
  return p.sum(unless_zero(da, [&] { return p.product(p.product(b, p.raised(a, p.difference(b, p.one()))), da); }),
               unless_zero(db, [&] { return p.product(p.product(e, p.applied(Function::log, {a})), db); }));
}

// atan2(a, b)' = (b a' - a b')/(a^2 + b^2).
Expr angle_rule(Pool& p, Expr e, Expr da, Expr db) {
  const Expr a = e->args[0], b = e->args[1], two = p.number(2.0);
  return p.quotient(p.difference(unless_zero(da, [&] { return p.product(b, da); }),
                                 unless_zero(db, [&] { return p.product(a, db); })),
                    p.sum(p.raised(a, two), p.raised(b, two)));
}

}  // namespace

Expr chain_rule(Pool& p, Expr e, const std::function<Expr(Expr)>& derive) {
  const Expr a = e->args[0];
  const Expr da = derive(a);
  if (e->args.size() == 1) {
    if (is_zero(da)) return da;
    return e->op == Op::negate ? p.negated(da) : p.product(slope(p, e->function, a), da);
  }
  const Expr b = e->args[1];
  const Expr db = derive(b);
  if (is_zero(da) && is_zero(db)) return da;
  switch (e->op) {
    case Op::add:
      return p.sum(da, db);
    case Op::subtract:
      return p.difference(da, db);
    case Op::multiply:
      return p.sum(unless_zero(da, [&] { return p.product(da, b); }),
                   unless_zero(db, [&] { return p.product(a, db); }));
    case Op::divide:
      return p.difference(unless_zero(da, [&] { return p.quotient(da, b); }), unless_zero(p.product(a, db), [&] {
                            return p.quotient(p.product(a, db), p.raised(b, p.number(2.0)));
                          }));
    case Op::power:
      return power_rule(p, e, da, db);
    default:
      return e->function == Function::atan2 ? angle_rule(p, e, da, db) : extremum_rule(p, e, da, db);
  }
}

Expr integrated(Pool& pool, Expr e, const std::string& axis) {
  const Symbols& symbols = pool.symbols();
  const int index = symbols.find_axis(axis);
  const bool varies = index < 0 || (e->facts.axes >> index & 1u) != 0;
  if (varies) return pool.integral(e, axis);  // checks the name
  const Axis& along = symbols.axes[static_cast<std::size_t>(index)];
  return pool.product(pool.number(along.upper - along.lower), e);
}

}  // namespace gwrm::expression
