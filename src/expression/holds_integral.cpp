#include "expression/holds_integral.hpp"

#include <unordered_set>
#include <vector>

namespace gwrm::expression {

namespace {

template <class Wanted>
bool holds(Expr e, Wanted wanted) {
  std::unordered_set<Expr> seen;
  std::vector<Expr> open{e};
  while (!open.empty()) {
    const Expr next = open.back();
    open.pop_back();
    if (wanted(next)) return true;
    if (!seen.insert(next).second) continue;
    open.insert(open.end(), next->args.begin(), next->args.end());
  }
  return false;
}

}  // namespace

bool holds_integral(Expr e) {
  return holds(e, [](Expr node) { return node->op == Op::integral; });
}

bool holds_integral(Expr e, const std::string& axis) {
  return holds(e, [&](Expr node) { return node->op == Op::integral && node->name == axis; });
}

std::vector<Expr> data_in(std::span<const Expr> es) {
  std::vector<Expr> found;
  std::unordered_set<Expr> seen;
  for (Expr e : es) {
    std::vector<Expr> open{e};
    while (!open.empty()) {
      const Expr next = open.back();
      open.pop_back();
      if (!seen.insert(next).second) continue;
      if (next->op == Op::data)
        found.push_back(next);
      else
        open.insert(open.end(), next->args.rbegin(), next->args.rend());
    }
  }
  return found;
}

bool holds_jump(Expr e) {
  return holds(e, [](Expr node) {
    return node->op == Op::call && (node->function == Function::step || node->function == Function::sign);
  });
}

}  // namespace gwrm::expression
