#include "expression/holds_integral.hpp"

#include <unordered_set>
#include <vector>

namespace gwrm::expression {

bool holds_integral(Expr e) {
  std::unordered_set<Expr> seen;
  std::vector<Expr> open{e};
  while (!open.empty()) {
    const Expr next = open.back();
    open.pop_back();
    if (next->op == Op::integral) return true;
    if (!seen.insert(next).second) continue;
    open.insert(open.end(), next->args.begin(), next->args.end());
  }
  return false;
}

}  // namespace gwrm::expression
