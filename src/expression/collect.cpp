#include <algorithm>
#include <unordered_map>

#include "core/errors.hpp"
#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/memoised.hpp"
#include "expression/printer.hpp"

namespace gwrm::expression {
namespace {

bool holds_direction(Expr e) {
  return e->facts.direction_degree > 0;
}
bool is_leaf(Expr e) {
  return is_atom(e) || e->op == Op::integral;
}

// Zero wherever it has a value: 0/s, 0*log(u). Simplification keeps such terms for where they have none; as summands of
// a linear form they say nothing about the directions.
bool vanishing(Expr e, Memoised<bool>& of) {
  switch (e->op) {
    case Op::negate:
    case Op::divide:
      return of(e->args[0]);
    case Op::multiply:
      return of(e->args[0]) || of(e->args[1]);
    case Op::add:
    case Op::subtract:
      return of(e->args[0]) && of(e->args[1]);
    default:
      return is_zero(e);
  }
}

// One sweep from the root down, as in reverse-mode differentiation: the coefficient of a node is the sum of what its
// users hand on. Arguments are older than their users, so that descending ids visit every node after all its users.
class Collector {
 public:
  explicit Collector(Pool& pool) : pool_(pool) {}

  std::vector<LinearTerm> run(Expr root) {
    if (!holds_direction(root)) {
      if (!vanishes_(root)) refuse(root);
      return {};
    }
    visit(root);
    std::sort(nodes_.begin(), nodes_.end(), [](Expr a, Expr b) { return a->id > b->id; });
    coefficients_[root] = pool_.one();
    for (Expr node : nodes_)
      if (!is_leaf(node) && !is_zero(coefficients_.at(node))) hand_on(node, coefficients_.at(node));

    std::vector<LinearTerm> terms;
    for (Expr leaf : leaves_)
      if (!is_zero(coefficients_.at(leaf))) terms.push_back({coefficients_.at(leaf), leaf});
    return terms;
  }

 private:
  // Fills nodes_ with all that hold a direction, leaves_ in order of first appearance.
  void visit(Expr e) {
    if (!holds_direction(e) || !coefficients_.emplace(e, pool_.zero()).second) return;
    nodes_.push_back(e);
    if (is_leaf(e)) {
      leaves_.push_back(e);
      return;
    }
    for (Expr arg : e->args) visit(arg);
  }

  void hand_on(Expr e, Expr coefficient) {
    const Expr a = e->args[0];
    const Expr b = e->args.size() > 1 ? e->args[1] : nullptr;
    switch (e->op) {
      case Op::negate:
        return add(a, pool_.negated(coefficient));
      case Op::add:
      case Op::subtract:
        for (Expr summand : {a, b})
          if (!holds_direction(summand) && !vanishes_(summand)) refuse(e);
        if (holds_direction(a)) add(a, coefficient);
        if (holds_direction(b)) add(b, e->op == Op::add ? coefficient : pool_.negated(coefficient));
        return;
      case Op::multiply:
        if (!holds_direction(b)) return add(a, pool_.product(b, coefficient));
        if (!holds_direction(a)) return add(b, pool_.product(a, coefficient));
        break;
      case Op::divide:
        if (!holds_direction(b)) return add(a, pool_.quotient(coefficient, b));
        break;
      default:
        break;
    }
    refuse(e);
  }

  void add(Expr e, Expr coefficient) {
    Expr& sum = coefficients_.at(e);
    sum = pool_.sum(sum, coefficient);
  }

  [[noreturn]] static void refuse(Expr e) {
    throw Error(ExitStatus::internal_error, "collect: not lowered, or not linear in the directions: " + print(e));
  }

  Pool& pool_;
  Memoised<bool> vanishes_{vanishing};
  std::unordered_map<Expr, Expr> coefficients_;
  std::vector<Expr> nodes_;
  std::vector<Expr> leaves_;
};

}  // namespace

std::vector<LinearTerm> collect(Pool& pool, LinearExpr linear) {
  return Collector(pool).run(linear.expr);
}

}  // namespace gwrm::expression
