#include "expression/substitute.hpp"

#include <unordered_map>

namespace gwrm::expression {
namespace {

class Substitution {
 public:
  Substitution(Pool& pool, const std::vector<Expr>& replacements) : pool_(pool), replacements_(replacements) {}

  Expr operator()(Expr e) {
    if (const auto known = done_.find(e); known != done_.end()) return known->second;
    const Expr result = rebuild(e);
    done_.emplace(e, result);
    return result;
  }

 private:
  Expr rebuild(Expr e) {
    Substitution& self = *this;
    switch (e->op) {
      case Op::field: {
        const Expr replacement = replacements_[static_cast<std::size_t>(pool_.symbols().find_field(e->name))];
        return replacement != nullptr ? replacement : e;
      }
      case Op::negate:
        return pool_.negated(self(e->args[0]));
      case Op::add:
        return pool_.sum(self(e->args[0]), self(e->args[1]));
      case Op::subtract:
        return pool_.difference(self(e->args[0]), self(e->args[1]));
      case Op::multiply:
        return pool_.product(self(e->args[0]), self(e->args[1]));
      case Op::divide:
        return pool_.quotient(self(e->args[0]), self(e->args[1]));
      case Op::power:
        return pool_.raised(self(e->args[0]), self(e->args[1]));
      case Op::laplacian:
        return pool_.unary(Op::laplacian, self(e->args[0]));
      case Op::derivative:
        return pool_.derivative(self(e->args[0]), e->name, e->order);
      case Op::integral:
        return pool_.integral(self(e->args[0]), e->name);
      case Op::restriction: {
        std::vector<std::pair<std::string, Expr>> points;
        for (std::size_t i = 0; i < e->names.size(); ++i) points.emplace_back(e->names[i], e->args[i + 1]);
        return pool_.restriction(self(e->args[0]), std::move(points));
      }
      case Op::call: {
        std::vector<Expr> args;
        for (Expr argument : e->args) args.push_back(self(argument));
        return pool_.applied(e->function, std::move(args));
      }
      default:
        return e;  // numbers, names, directions
    }
  }

  Pool& pool_;
  const std::vector<Expr>& replacements_;
  std::unordered_map<Expr, Expr> done_;
};

}  // namespace

Expr substitute(Pool& pool, Expr e, const std::vector<Expr>& replacements) {
  return Substitution(pool, replacements)(e);
}

}  // namespace gwrm::expression
