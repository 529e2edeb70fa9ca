#include "problems/time_spectral/time_reach.hpp"

#include <unordered_set>

#include "core/array.hpp"
#include "expression/lowering.hpp"

namespace gwrm {
namespace {

using expression::Expr;

bool holds_integral(Expr e, const std::string& axis, std::unordered_set<Expr>& visited) {
  if (!visited.insert(e).second) return false;
  if (e->op == expression::Op::integral && e->name == axis) return true;
  for (Expr argument : e->args)
    if (holds_integral(argument, axis, visited)) return true;
  return false;
}

}  // namespace

TimeReach time_reach(const expression::Pool& pool, Expr e, int time) {
  TimeReach reach;
  if (time < 0) return reach;
  std::unordered_set<Expr> visited;
  reach.whole = holds_integral(e, pool.symbols().axes[time].name, visited);
  for (Expr leaf : expression::atoms_in(e)) {
    const expression::Atom atom = expression::atom_of(pool, leaf);
    if (atom.restricted[time]) reach.times.push_back(atom.points[time]);
  }
  return reach;
}

}  // namespace gwrm
