#include "expression/differentiated_jump.hpp"

#include <cstdint>
#include <set>
#include <unordered_set>
#include <utility>

namespace gwrm::expression {
namespace {

using Mask = std::uint32_t;

// A call of `step` or `sign` in e whose argument varies along the axis, or null. What no longer varies along it
// (restricted, integrated) does not jump along it.
Expr jump_in(Expr e, Mask axis, std::unordered_set<Expr>& seen) {
  if ((e->facts.axes & axis) == 0 || !seen.insert(e).second) return nullptr;
  if (e->op == Op::call && (e->function == Function::step || e->function == Function::sign)) return e;
  for (Expr arg : e->args)
    if (const Expr jump = jump_in(arg, axis, seen)) return jump;
  return nullptr;
}

class JumpSearch {
 public:
  explicit JumpSearch(const Symbols& symbols) : symbols_(symbols) {}

  // restricted: the axes on which the value of e is wanted at one point only.
  std::optional<DifferentiatedJump> in(Expr e, Mask restricted) {
    if (!seen_.insert({e, restricted}).second) return std::nullopt;
    if (auto found = at_top(e, restricted)) return found;
    if (e->op == Op::restriction)
      for (const std::string& name : e->names) restricted |= Mask{1} << symbols_.find_axis(name);
    for (Expr arg : e->args)
      if (auto found = in(arg, restricted)) return found;
    return std::nullopt;
  }

 private:
  std::optional<DifferentiatedJump> at_top(Expr e, Mask restricted) const {
    if (e->op != Op::derivative && e->op != Op::laplacian) return std::nullopt;
    if (e->facts.degree == 0) return std::nullopt;  // data
    for (std::size_t i = 0; i < symbols_.axes.size(); ++i) {
      const Axis& axis = symbols_.axes[i];
      const bool along = e->op == Op::derivative ? axis.name == e->name : axis.kind == AxisKind::space;
      if (!along || (restricted >> i & 1u) != 0) continue;
      std::unordered_set<Expr> seen;
      if (const Expr jump = jump_in(e->args[0], Mask{1} << i, seen))
        return DifferentiatedJump{e, jump->function, axis.name};
    }
    return std::nullopt;
  }

  const Symbols& symbols_;
  std::set<std::pair<Expr, Mask>> seen_;
};

}  // namespace

std::optional<DifferentiatedJump> find_differentiated_jump(const Symbols& symbols, Expr e) {
  return JumpSearch(symbols).in(e, 0);
}

}  // namespace gwrm::expression
