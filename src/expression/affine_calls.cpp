#include "expression/affine_calls.hpp"

#include <cmath>
#include <optional>
#include <unordered_set>

namespace gwrm::expression {
namespace {

struct Affine {
  double slope = 0.0, offset = 0.0;
};

// Nothing where the expression is not affine.
std::optional<Affine> affine(Expr e) {
  if (e->op == Op::number) return Affine{0.0, e->value};
  if (e->op == Op::coordinate) return Affine{1.0, 0.0};
  if (e->op < Op::negate || e->op > Op::divide) return {};
  const auto a = affine(e->args[0]), b = a && e->args.size() > 1 ? affine(e->args[1]) : a;
  if (!a || !b) return {};
  switch (e->op) {
    case Op::negate:
      return Affine{-a->slope, -a->offset};
    case Op::add:
      return Affine{a->slope + b->slope, a->offset + b->offset};
    case Op::subtract:
      return Affine{a->slope - b->slope, a->offset - b->offset};
    case Op::multiply:
      if (a->slope != 0.0 && b->slope != 0.0) return {};
      return Affine{a->slope * b->offset + a->offset * b->slope, a->offset * b->offset};
    case Op::divide:
      if (b->slope != 0.0) return {};
      return Affine{a->slope / b->offset, a->offset / b->offset};
    default:
      return {};
  }
}

bool has_addition_theorem(Function function) {
  return function == Function::sin || function == Function::cos || function == Function::exp;
}

class Search {
 public:
  Search(std::size_t most, double steepest) : most_(most), steepest_(steepest) {}

  void look(Expr e) {
    if (!visited_.insert(e).second || calls.size() >= most_) return;
    if (e->op == Op::call && has_addition_theorem(e->function)) {
      // Written so that a NaN is no slope.
      if (const auto argument = affine(e->args[0]);
          argument && std::abs(argument->slope) <= steepest_ && std::isfinite(argument->offset)) {
        calls.push_back({e, e->function, argument->slope, argument->offset});
        return;
      }
    }
    for (Expr argument : e->args) look(argument);
  }

  std::vector<AffineCall> calls;

 private:
  std::size_t most_;
  double steepest_;
  std::unordered_set<Expr> visited_;
};

}  // namespace

std::vector<AffineCall> affine_calls(Expr e, std::size_t most, double steepest) {
  Search search(most, steepest);
  search.look(e);
  return std::move(search.calls);
}

}  // namespace gwrm::expression
