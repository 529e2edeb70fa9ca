#include "expression/frechet.hpp"

#include <unordered_map>

#include "expression/chain_rule.hpp"

namespace gwrm::expression {
namespace {

class Frechet {
 public:
  explicit Frechet(Pool& pool) : pool_(pool) {}

  Expr derive(Expr e) {
    if (e->facts.degree == 0) return pool_.zero();
    if (const auto known = known_.find(e); known != known_.end()) return known->second;
    const Expr result = derive_node(e);
    known_.emplace(e, result);
    return result;
  }

 private:
  Expr derive_node(Expr e) {
    switch (e->op) {
      case Op::field:
        return pool_.direction(e->name);
      case Op::derivative:
      case Op::laplacian:
      case Op::restriction:
      case Op::integral:
        return linear_operation(e, derive(e->args[0]));
      default:
        return chain_rule(pool_, e, [this](Expr arg) { return derive(arg); });
    }
  }

  // The linear operation of e on its argument's derivative.
  Expr linear_operation(Expr e, Expr inner) {
    if (is_zero(inner)) return inner;
    if (e->op == Op::derivative) return pool_.derivative(inner, e->name, e->order);
    if (e->op == Op::laplacian) return pool_.unary(Op::laplacian, inner);
    if (e->op == Op::integral) return integrated(pool_, inner, e->name);
    std::vector<std::pair<std::string, Expr>> points;
    for (std::size_t i = 0; i < e->names.size(); ++i) points.emplace_back(e->names[i], e->args[i + 1]);
    return pool_.restriction(inner, std::move(points));
  }

  Pool& pool_;
  std::unordered_map<Expr, Expr> known_;
};

}  // namespace

LinearExpr frechet(Pool& pool, Expr e) {
  return {Frechet(pool).derive(e)};
}

}  // namespace gwrm::expression
