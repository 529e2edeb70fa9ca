#include "expression/device_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/errors.hpp"
#include "expression/printer.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm::expression {
namespace {

// slope * coordinate + offset
struct Affine {
  double slope = 0.0, offset = 0.0;
};

// Of one coordinate; nothing where the expression is not affine.
std::optional<Affine> affine(Expr e) {
  if (e->op == Op::number) return Affine{0.0, e->value};
  if (e->op == Op::coordinate) return Affine{1.0, 0.0};
  const auto argument = [&](std::size_t i) { return affine(e->args[i]); };
  switch (e->op) {
    case Op::negate:
      if (const auto a = argument(0)) return Affine{-a->slope, -a->offset};
      return {};
    case Op::add:
    case Op::subtract:
      if (const auto a = argument(0), b = a ? argument(1) : a; b) {
        const double sign = e->op == Op::add ? 1.0 : -1.0;
        return Affine{a->slope + sign * b->slope, a->offset + sign * b->offset};
      }
      return {};
    case Op::multiply:
      if (const auto a = argument(0), b = a ? argument(1) : a; b && (a->slope == 0.0 || b->slope == 0.0))
        return Affine{a->slope * b->offset + a->offset * b->slope, a->offset * b->offset};
      return {};
    case Op::divide:
      if (const auto a = argument(0), b = a ? argument(1) : a; b && b->slope == 0.0)
        return Affine{a->slope / b->offset, a->offset / b->offset};
      return {};
    default:
      return {};
  }
}

class Writer {
 public:
  Writer() = default;
  Writer(std::size_t most, double steepest, std::vector<AffineCall>& calls)
      : most_(most), steepest_(steepest), calls_(&calls) {}

  std::string run(Expr e) {
    const std::string result = value(e);
    return text_ + "return " + result + ";\n";
  }

 private:
  // The name or number that stands for the value of `e`; its statement is written where it is first asked for.
  std::string value(Expr e) {
    if (const auto known = names_.find(e); known != names_.end()) return known->second;
    if (e->op == Op::number) return fmt::format("({:a})", e->value);
    if (e->op == Op::coordinate) return e->name + "_";
    if (const std::string left = left_to_caller(e); !left.empty()) return names_[e] = left;
    const std::string formula = this->formula(e);
    const std::string name = fmt::format("v{}", names_.size());
    text_ += "const double " + name + " = " + formula + ";\n";
    return names_[e] = name;
  }

  // The caller's name for an affine call; empty for anything else.
  std::string left_to_caller(Expr e) {
    if (calls_ == nullptr || calls_->size() >= most_ || e->op != Op::call) return {};
    if (e->function != Function::sin && e->function != Function::cos && e->function != Function::exp) return {};
    const auto argument = affine(e->args[0]);
    // Written so that a NaN is not.
    if (!argument || !(std::abs(argument->slope) <= steepest_) || !std::isfinite(argument->offset)) return {};
    calls_->push_back({e->function, argument->slope, argument->offset});
    return fmt::format("a{}", calls_->size() - 1);
  }

  std::string formula(Expr e) {
    switch (e->op) {
      case Op::negate:
        return "-" + value(e->args[0]);
      case Op::add:
        return binary(e, "+");
      case Op::subtract:
        return binary(e, "-");
      case Op::multiply:
        return binary(e, "*");
      case Op::divide:
        return binary(e, "/");
      case Op::power:
        return power(e);
      case Op::call:
        return call(e);
      default:
        throw Error(ExitStatus::internal_error,
                    "device_text: the expression is no function of coordinates: " + print(e));
    }
  }

  std::string binary(Expr e, const char* sign) {
    const std::string a = value(e->args[0]), b = value(e->args[1]);
    return a + " " + sign + " " + b;
  }

  std::string power(Expr e) {
    const Expr exponent = e->args[1];
    const std::string base = value(e->args[0]);
    if (exponent->op != Op::number || !is_small_integer(exponent->value))
      return "pow(" + base + ", " + value(exponent) + ")";
    return integer_power(base, static_cast<int>(exponent->value));
  }

  // By squaring, as scalar_functions.hpp does it.
  std::string integer_power(const std::string& base, int exponent) {
    std::string product, square = base;
    for (unsigned bits = static_cast<unsigned>(std::abs(exponent)); bits != 0; bits >>= 1) {
      if (bits & 1u) product = product.empty() ? square : product + " * " + square;
      if (bits > 1u) {
        const std::string name = fmt::format("p{}", n_powers_++);
        text_ += "const double " + name + " = " + square + " * " + square + ";\n";
        square = name;
      }
    }
    if (product.empty()) product = "1.0";
    return exponent < 0 ? "1.0 / (" + product + ")" : product;
  }

  std::string call(Expr e) {
    std::string arguments;
    for (Expr arg : e->args) arguments += (arguments.empty() ? "" : ", ") + value(arg);
    const std::string a = e->args[0] == nullptr ? "" : value(e->args[0]);
    switch (e->function) {
      case Function::abs:
        return "fabs(" + a + ")";
      case Function::sign:
        return fmt::format("{0} > 0 ? 1.0 : {0} < 0 ? -1.0 : {0}", a);
      case Function::step:
        return fmt::format("{0} > 0 ? 1.0 : {0} < 0 ? 0.0 : {0} + 0.5", a);
      case Function::min:
        return fmt::format("{0} < {1} || {0} != {0} ? {0} : {1}", a, value(e->args[1]));
      case Function::max:
        return fmt::format("{0} > {1} || {0} != {0} ? {0} : {1}", a, value(e->args[1]));
      default:
        return std::string(function_name(e->function)) + "(" + arguments + ")";
    }
  }

  std::string text_;
  std::unordered_map<Expr, std::string> names_;
  int n_powers_ = 0;
  std::size_t most_ = 0;
  double steepest_ = 0.0;
  std::vector<AffineCall>* calls_ = nullptr;  // null: all are written out
};

}  // namespace

std::string device_text(Expr e) {
  return Writer().run(e);
}

std::string device_text(Expr e, std::size_t most, double steepest, std::vector<AffineCall>& calls) {
  return Writer(most, steepest, calls).run(e);
}

}  // namespace gwrm::expression
