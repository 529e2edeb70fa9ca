#include "expression/differentiated_jump.hpp"

#include <cstdint>
#include <set>
#include <unordered_set>
#include <utility>

#include "expression/kinks.hpp"

namespace gwrm::expression {
namespace {

using Mask = std::uint32_t;

// A call of `step` or `sign` in e whose argument varies along the axis, or null. What no longer varies along it
// (restricted, integrated) does not jump along it. Where the axis is divisible, only if it is not decided by it alone.
Expr jump_in(Expr e, Mask axis, Mask divisible, std::unordered_set<Expr>& seen) {
  if ((e->facts.axes & axis) == 0 || !seen.insert(e).second) return nullptr;
  if (e->op == Op::call && (e->function == Function::step || e->function == Function::sign) &&
      !((axis & divisible) != 0 && decides_alone(e->args[0], axis)))
    return e;
  for (Expr arg : e->args)
    if (const Expr jump = jump_in(arg, axis, divisible, seen)) return jump;
  return nullptr;
}

class JumpSearch {
 public:
  JumpSearch(const Symbols& symbols, Mask divisible) : symbols_(symbols), divisible_(divisible) {}

  // restricted: the axes on which the value of e is wanted at one point only.
  std::optional<DifferentiatedJump> in(Expr e, Mask restricted) {
    if (!seen_.insert({e, restricted}).second) return std::nullopt;
    if (auto found = at_top(e, restricted)) return found;
    // The integral of a derivative would have to know of the jump.
    if (e->op == Op::integral && e->facts.degree > 0 && divisible_ != 0)
      return JumpSearch(symbols_, divisible_ & ~(Mask{1} << symbols_.find_axis(e->name))).in(e->args[0], restricted);
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
      if (const Expr jump = jump_in(e->args[0], Mask{1} << i, divisible_, seen))
        return DifferentiatedJump{e, jump->function, axis.name};
    }
    return std::nullopt;
  }

  const Symbols& symbols_;
  Mask divisible_;
  std::set<std::pair<Expr, Mask>> seen_;
};

}  // namespace

std::optional<DifferentiatedJump> find_differentiated_jump(const Symbols& symbols, Expr e, std::uint32_t divisible) {
  return JumpSearch(symbols, divisible).in(e, 0);
}

}  // namespace gwrm::expression
