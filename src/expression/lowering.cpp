#include "expression/lowering.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <unordered_map>

#include "core/errors.hpp"
#include "expression/atoms.hpp"
#include "expression/chain_rule.hpp"
#include "expression/constant_value.hpp"
#include "expression/one_sided.hpp"
#include "expression/point_slack.hpp"

namespace gwrm::expression {
namespace {

double snapped(const Axis& axis, double point) {
  const double slack = point_slack(axis);
  if (std::abs(point - axis.lower) <= slack) return axis.lower;
  if (std::abs(point - axis.upper) <= slack) return axis.upper;
  return point;
}

// Three walks, each memoised: lower() over the raw tree, and over lowered trees derivative() and restriction().
class Lowering {
 public:
  Lowering(Pool& pool, bool as_written) : pool_(pool), symbols_(pool.symbols()), as_written_(as_written) {}

  Expr lower(Expr e) {
    if (const auto known = lowered_.find(e); known != lowered_.end()) return known->second;
    const Expr result = lower_node(e);
    lowered_.emplace(e, result);
    return result;
  }

 private:
  Expr lower_node(Expr e) {
    switch (e->op) {
      case Op::number:
      case Op::coordinate:
      case Op::field:
      case Op::direction:
      case Op::data:
        return e;
      case Op::pi:
        return pool_.number(std::numbers::pi);
      case Op::constant:
        return pool_.number(symbols_.find_constant(e->name)->value);
      case Op::derivative:
        return derivative(lower(e->args[0]), axis_index(e->name), e->order);
      case Op::laplacian:
        return laplacian(lower(e->args[0]));
      case Op::restriction:
        return restrict_all(e);
      case Op::integral:
        return integrated(pool_, lower(e->args[0]), e->name);
      default:
        return as_written_ ? copied(e) : rebuilt(e, [this](Expr arg) { return lower(arg); });
    }
  }

  // The arithmetic or call `e` with its arguments lowered, nothing folded or reordered.
  Expr copied(Expr e) {
    std::vector<Expr> args;
    for (Expr arg : e->args) args.push_back(lower(arg));
    if (e->op == Op::call) return pool_.call(e->function, std::move(args));
    return args.size() == 1 ? pool_.unary(e->op, args[0]) : pool_.binary(e->op, args[0], args[1]);
  }

  // The arithmetic or call `e` with its arguments replaced, simplified.
  template <class Replace>
  Expr rebuilt(Expr e, Replace replace) {
    const Expr a = replace(e->args[0]);
    switch (e->op) {
      case Op::negate:
        return pool_.negated(a);
      case Op::add:
        return pool_.sum(a, replace(e->args[1]));
      case Op::subtract:
        return pool_.difference(a, replace(e->args[1]));
      case Op::multiply:
        return pool_.product(a, replace(e->args[1]));
      case Op::divide:
        return pool_.quotient(a, replace(e->args[1]));
      case Op::power:
        return pool_.raised(a, replace(e->args[1]));
      default:
        return e->args.size() == 1 ? pool_.applied(e->function, {a})
                                   : pool_.applied(e->function, {a, replace(e->args[1])});
    }
  }

  Expr laplacian(Expr e) {
    Expr result = pool_.zero();
    for (std::size_t axis = 0; axis < symbols_.axes.size(); ++axis)
      if (symbols_.axes[axis].kind == AxisKind::space) result = pool_.sum(result, derivative(e, axis, 2));
    return result;
  }

  Expr restrict_all(Expr e) {
    Expr result = lower(e->args[0]);
    for (std::size_t i = 0; i < e->names.size(); ++i) {
      const std::size_t axis = axis_index(e->names[i]);
      const auto point = constant_value(symbols_, e->args[i + 1]);
      if (!point) throw CaseError("the point of a restriction must be made of numbers, constants and pi only");
      side_ = e->args[i + 1]->op == Op::beside ? e->args[i + 1]->order : 0;
      result = restriction(result, axis, side_ != 0 ? *point : snapped(symbols_.axes[axis], *point));
    }
    return result;
  }

  // --- over lowered trees ---

  Expr derivative(Expr e, std::size_t axis, int order) {
    for (int i = 0; i < order; ++i) e = derivative(e, axis);
    return e;
  }

  Expr derivative(Expr e, std::size_t axis) {
    if (!varies(e, axis)) return has_no_value(e) ? pool_.product(pool_.zero(), e) : pool_.zero();
    const auto key = std::make_pair(e, axis);
    if (const auto known = derivatives_.find(key); known != derivatives_.end()) return known->second;
    const Expr result = derivative_of_varying(e, axis);
    derivatives_.emplace(key, result);
    return result;
  }

  // A constant without a value, 1/0: its derivative has none either.
  static bool has_no_value(Expr e) {
    return e->facts.axes == 0 && e->facts.degree == 0 && e->facts.direction_degree == 0 && !e->facts.range.defined;
  }

  Expr derivative_of_varying(Expr e, std::size_t axis) {
    if (e->op == Op::coordinate) return pool_.one();
    if (e->op == Op::integral) return integrated(pool_, derivative(e->args[0], axis), e->name);
    if (e->op == Op::data) return derivative_of_data(e, axis);
    if (is_atom(e)) {
      Atom atom = atom_of(pool_, e);
      ++atom.orders[axis];
      return make_atom(pool_, atom);
    }
    return chain_rule(pool_, e, [this, axis](Expr arg) { return derivative(arg, axis); });
  }

  // The arguments of data are coordinates, or numbers where they are restricted.
  Expr derivative_of_data(Expr e, std::size_t axis) {
    std::vector<int> orders = e->orders;
    for (std::size_t i = 0; i < orders.size(); ++i) orders[i] += varies(e->args[i], axis) ? 1 : 0;
    return pool_.data(e->name, e->args, std::move(orders));
  }

  Expr restriction(Expr e, std::size_t axis, double point) {
    if (!varies(e, axis)) return e;
    const auto key = std::make_tuple(e, axis, point);
    if (const auto known = restrictions_.find(key); known != restrictions_.end()) return known->second;
    const Expr result = restriction_of_varying(e, axis, point);
    restrictions_.emplace(key, result);
    return result;
  }

  Expr restriction_of_varying(Expr e, std::size_t axis, double point) {
    if (e->op == Op::coordinate) return pool_.number(point);
    if (e->op == Op::integral) return integrated(pool_, restriction(e->args[0], axis, point), e->name);
    if (e->op == Op::data) {
      std::vector<Expr> args;
      for (Expr arg : e->args) args.push_back(restriction(arg, axis, point));
      return pool_.data(e->name, std::move(args), e->orders);
    }
    if (is_atom(e)) {
      Atom atom = atom_of(pool_, e);
      atom.restricted[axis] = true;
      atom.points[axis] = point;
      return make_atom(pool_, atom);
    }
    if (side_ != 0 && e->op == Op::call)
      if (const Expr known = switched_beside(pool_, e, axis, point, side_)) return restriction(known, axis, point);
    return rebuilt(e, [&](Expr arg) { return restriction(arg, axis, point); });
  }

  static bool varies(Expr e, std::size_t axis) { return (e->facts.axes >> axis & 1u) != 0; }
  std::size_t axis_index(const std::string& name) const { return static_cast<std::size_t>(symbols_.find_axis(name)); }

  Pool& pool_;
  const Symbols& symbols_;
  const bool as_written_;
  int side_ = 0;  // of the restriction that is being carried out (one_sided.hpp)
  std::unordered_map<Expr, Expr> lowered_;
  std::map<std::pair<Expr, std::size_t>, Expr> derivatives_;
  std::map<std::tuple<Expr, std::size_t, double>, Expr> restrictions_;
};

// Leaves of the sum `e` in order of first appearance.
void gather_terms(Expr e, std::unordered_map<Expr, double>& seen, std::vector<Expr>& terms) {
  if (!seen.emplace(e, 0.0).second) return;
  if (e->op != Op::add && e->op != Op::subtract && e->op != Op::negate) {
    terms.push_back(e);
    return;
  }
  for (Expr arg : e->args) gather_terms(arg, seen, terms);
}

}  // namespace

Expr lower(Pool& pool, Expr e) {
  return Lowering(pool, false).lower(e);
}

Expr lower_as_written(Pool& pool, Expr e) {
  return Lowering(pool, true).lower(e);
}

// How often each term counts is found by one sweep from the root down, every node once: shared sums would otherwise be
// walked exponentially often. Arguments are older than the nodes that use them, so that ids give the order.
std::vector<Expr> additive_terms(Pool& pool, Expr e) {
  std::unordered_map<Expr, double> counts;
  std::vector<Expr> leaves;
  gather_terms(e, counts, leaves);

  std::vector<Expr> nodes;
  for (const auto& [node, count] : counts) nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end(), [](Expr a, Expr b) { return a->id > b->id; });
  counts[e] = 1.0;
  for (Expr node : nodes) {
    const double count = counts[node];
    if (node->op == Op::negate) counts[node->args[0]] -= count;
    if (node->op != Op::add && node->op != Op::subtract) continue;
    counts[node->args[0]] += count;
    counts[node->args[1]] += node->op == Op::add ? count : -count;
  }

  std::vector<Expr> terms;
  for (Expr leaf : leaves) {
    const Expr term = pool.product(pool.number(counts[leaf]), leaf);
    if (!is_zero(term)) terms.push_back(term);
  }
  if (terms.empty()) terms.push_back(pool.zero());
  return terms;
}

}  // namespace gwrm::expression
