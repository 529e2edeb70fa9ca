#include "expression/affine_calls.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>

#include "expression/memoised.hpp"

namespace gwrm::expression {
namespace {

// The variable that an expression is, by its number; -1 if it is none.
using Variable = std::function<int(Expr)>;

// `e` as constant + sum of factors[k] times variable k; nothing where it is not that.
using Form = std::optional<LinearForm>;
Form form_of(Expr e, std::size_t n, const Variable& variable, Memoised<Form>& of) {
  LinearForm result{0.0, std::vector<double>(n, 0.0)};
  if (const int k = variable(e); k >= 0) {
    result.factors[static_cast<std::size_t>(k)] = 1.0;
    return result;
  }
  if (e->op == Op::number) {
    result.constant = e->value;
    return result;
  }
  if (e->op < Op::negate || e->op > Op::divide) return {};
  const Form& a = of(e->args[0]);
  const Form& b = e->args.size() > 1 ? of(e->args[1]) : a;
  if (!a || !b) return {};
  const auto is_constant = [](const LinearForm& form) {
    return std::all_of(form.factors.begin(), form.factors.end(), [](double factor) { return factor == 0.0; });
  };
  const auto each = [&](const auto& operation) {
    result.constant = operation(a->constant, b->constant);
    for (std::size_t k = 0; k < n; ++k) result.factors[k] = operation(a->factors[k], b->factors[k]);
    return result;
  };
  switch (e->op) {
    case Op::negate:
      return each([](double x, double) { return -x; });
    case Op::add:
      return each([](double x, double y) { return x + y; });
    case Op::subtract:
      return each([](double x, double y) { return x - y; });
    case Op::multiply:
      if (is_constant(*b)) return each([&](double x, double) { return x * b->constant; });
      if (is_constant(*a)) return each([&](double, double y) { return a->constant * y; });
      return {};
    case Op::divide:
      if (is_constant(*b)) return each([&](double x, double) { return x / b->constant; });
      return {};
    default:
      return {};
  }
}

Form linear_form(Expr e, std::size_t n, const Variable& variable) {
  Memoised<Form> form([&](Expr part, Memoised<Form>& of) { return form_of(part, n, variable, of); });
  return form(e);
}

bool has_addition_theorem(Function function) {
  return function == Function::sin || function == Function::cos || function == Function::exp;
}

class AffineCallSearch {
 public:
  AffineCallSearch(std::size_t most, double steepest) : most_(most), steepest_(steepest) {}

  void look(Expr e) {
    if (!visited_.insert(e).second || calls.size() >= most_) return;
    if (e->op == Op::call && has_addition_theorem(e->function)) {
      const auto argument = linear_form(e->args[0], 1, [](Expr a) { return a->op == Op::coordinate ? 0 : -1; });
      // Written so that a NaN is no slope.
      if (argument && std::abs(argument->factors[0]) <= steepest_ && std::isfinite(argument->constant)) {
        calls.push_back({e, e->function, argument->factors[0], argument->constant});
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
  AffineCallSearch search(most, steepest);
  search.look(e);
  return std::move(search.calls);
}

std::optional<LinearForm> sum_of_calls(Expr e, const std::vector<AffineCall>& calls) {
  return linear_form(e, calls.size(), [&](Expr part) {
    for (std::size_t k = 0; k < calls.size(); ++k)
      if (calls[k].call == part) return static_cast<int>(k);
    return -1;
  });
}

}  // namespace gwrm::expression
