#include "expression/device_text.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "core/errors.hpp"
#include "expression/printer.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm::expression {
namespace {

class DeviceTextWriter {
 public:
  explicit DeviceTextWriter(const std::vector<Expr>& given) {
    for (std::size_t k = 0; k < given.size(); ++k) names_[given[k]] = fmt::format("a{}", k);
  }

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
    const std::string formula = this->formula(e);
    const std::string name = fmt::format("v{}", names_.size());
    text_ += "const double " + name + " = " + formula + ";\n";
    return names_[e] = name;
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
};

}  // namespace

std::string device_text(Expr e, const std::vector<Expr>& given) {
  return DeviceTextWriter(given).run(e);
}

}  // namespace gwrm::expression
