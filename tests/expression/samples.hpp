// The domain, fields and random trees that the tests of the expression language share.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "expression/parser.hpp"
#include "expression/printer.hpp"

namespace gwrm::expression::samples {

// t, a parameter nu, y and x; u depends on all, v on t and x, w on x alone, c is a scalar.
inline Symbols symbols() {
  Symbols s;
  s.axes = {{"t", AxisKind::time, 0.0, 2.0, MapKind::linear},
            {"nu", AxisKind::parameter, 0.1, 1.0, MapKind::log},
            {"y", AxisKind::space, -1.0, 1.0, MapKind::linear},
            {"x", AxisKind::space, 0.0, 1.5, MapKind::linear}};
  s.fields = {{"u", {"t", "nu", "y", "x"}}, {"v", {"t", "x"}}, {"w", {"x"}}, {"c", {}}};
  s.constants = {{"A", 0.25}, {"Re", 100.0}, {"n", 2.0}};
  return s;
}

inline Expr parsed(Pool& pool, const std::string& text) {
  return parse(pool, SourceText::from_argument(text));
}

class RandomTree {
 public:
  RandomTree(Pool& pool, unsigned seed) : pool_(pool), random_(seed) {}

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }

  // Any tree that the parser can make.
  Expr any(int depth) {
    if (depth == 0) return leaf();
    switch (below(12)) {
      case 0:
        return pool_.unary(Op::negate, any(depth - 1));
      case 1:
        return pool_.unary(Op::laplacian, any(depth - 1));
      case 2:
        return pool_.derivative(any(depth - 1), axis().name, 1 + below(8));
      case 3:
        return pool_.integral(any(depth - 1), axis().name);
      case 4:
        return restriction(any(depth - 1));
      case 5: {
        const auto function = static_cast<Function>(below(18));
        std::vector<Expr> args{any(depth - 1)};
        if (function == Function::min || function == Function::max) args.push_back(any(depth - 1));
        return pool_.call(function, args);
      }
      case 6:
        return leaf();
      default: {
        constexpr std::array ops = {Op::add, Op::subtract, Op::multiply, Op::divide, Op::power};
        const Expr a = any(depth - 1);
        return pool_.binary(ops[static_cast<std::size_t>(below(5))], a, any(depth - 1));
      }
    }
  }

  // A smooth tree that is defined and of moderate size wherever its leaves are, so that differences approximate its
  // derivatives well. With `operators`, derivatives (of order 1 or 2), restrictions and integrals occur, too.
  Expr smooth(int depth, bool operators) {
    if (depth == 0) return smooth_leaf();
    const auto next = [&] { return smooth(depth - 1, operators); };
    const auto positive = [&](Function f) {  // within [1, 3]
      return pool_.binary(Op::add, pool_.number(2.0), pool_.call(f, {next()}));
    };
    switch (below(operators ? 16 : 12)) {
      case 0:
        return pool_.unary(Op::negate, next());
      case 1:
        return pool_.call(Function::sin, {next()});
      case 2:
        return pool_.call(Function::tanh, {next()});
      case 3:
        return pool_.call(Function::exp, {pool_.call(Function::cos, {next()})});
      case 4:
        return pool_.call(below(2) == 0 ? Function::sqrt : Function::log, {positive(Function::sin)});
      case 5:
        return pool_.binary(Op::power, next(), pool_.number(1.0 + below(3)));
      case 6:
        return pool_.binary(Op::divide, next(), positive(Function::cos));
      case 7:
        return pool_.binary(Op::power, positive(Function::sin), pool_.call(Function::cos, {next()}));
      case 8:
        return pool_.call(below(2) == 0 ? Function::erf : Function::atan, {next()});
      case 9:
        return pool_.binary(Op::subtract, next(), next());
      case 10:
        return pool_.binary(Op::add, next(), next());
      case 12:
        return pool_.derivative(next(), axis().name, 1 + below(2));
      case 13:
        return pool_.derivative(next(), axis().name, 1);
      case 14:
        return pool_.integral(next(), axis().name);
      case 15:
        return restriction(next());
      default:
        return pool_.binary(Op::multiply, next(), next());
    }
  }

 private:
  const Axis& axis() { return pool_.symbols().axes[static_cast<std::size_t>(below(4))]; }

  Expr field() {
    constexpr std::array names = {"u", "u", "v", "w", "c"};
    return pool_.field(names[static_cast<std::size_t>(below(5))]);
  }

  Expr leaf() {
    switch (below(6)) {
      case 0: {
        constexpr std::array numbers = {0.0, 1.0, 2.0, 0.1, 1e-30, 12345678.9, 0.3333333333333333, 3e200};
        return pool_.number(numbers[static_cast<std::size_t>(below(8))]);
      }
      case 1:
        return pool_.pi();
      case 2:
        return pool_.constant(below(2) == 0 ? "A" : "n");
      case 3:
        return pool_.coordinate(axis().name);
      default:
        return field();
    }
  }

  Expr smooth_leaf() {
    switch (below(9)) {
      case 0:
        return pool_.number(0.75);
      case 1:
        return pool_.constant("A");
      case 2:
        return pool_.coordinate(axis().name);
      default:
        return field();
    }
  }

  Expr restriction(Expr inner) {
    std::vector<std::pair<std::string, Expr>> points;
    for (const Axis& each : pool_.symbols().axes) {
      bool taken = below(3) != 0;
      for (Expr e = inner; e->op == Op::restriction; e = e->args[0])
        for (const std::string& name : e->names) taken = taken || name == each.name;
      if (!taken) points.emplace_back(each.name, point(each));
    }
    if (below(2) == 0) std::reverse(points.begin(), points.end());
    return points.empty() ? inner : pool_.restriction(inner, points);
  }

  // Numbers print without a sign only: a negative point is a negation, as the parser makes it.
  Expr point(const Axis& on) {
    switch (below(4)) {
      case 0:
        return pool_.number(on.upper);
      case 1:
        return on.lower < 0 ? pool_.unary(Op::negate, pool_.number(-on.lower)) : pool_.number(on.lower);
      case 2:
        return pool_.binary(Op::multiply, pool_.constant("A"), pool_.number(0.4 + 2.0 * on.lower * on.lower));
      default:
        return pool_.binary(Op::divide, pool_.pi(), pool_.number(4.0));
    }
  }

  Pool& pool_;
  std::mt19937 random_;
};

}  // namespace gwrm::expression::samples
