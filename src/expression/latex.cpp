#include <array>

#include "expression/number_text.hpp"
#include "expression/printer.hpp"

namespace gwrm::expression {
namespace {

constexpr std::array<std::string_view, 28> kGreek = {"alpha", "beta",  "gamma", "delta",  "epsilon", "zeta", "eta",
                                                     "theta", "iota",  "kappa", "lambda", "mu",      "nu",   "xi",
                                                     "rho",   "sigma", "tau",   "phi",    "chi",     "psi",  "omega",
                                                     "Gamma", "Delta", "Theta", "Lambda", "Phi",     "Psi",  "Omega"};

std::string symbol(const std::string& name) {
  for (std::string_view letter : kGreek)
    if (name == letter) return "\\" + name;
  if (name.size() == 1) return name;
  // A name and a number: u1 is u_{1}. Other long names are set upright.
  const std::size_t digits = name.find_first_of("0123456789");
  if (digits != std::string::npos && digits > 0 && name.find_first_not_of("0123456789", digits) == std::string::npos)
    return symbol(name.substr(0, digits)) + "_{" + name.substr(digits) + "}";
  std::string escaped;
  for (char c : name) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return "\\mathrm{" + escaped + "}";
}

std::string number(double value) {
  const std::string text = number_text(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const std::string mantissa = text.substr(0, e);
  const std::string power = "10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
  return mantissa == "1" ? power : mantissa + "\\cdot " + power;
}

// Loosest first. A derivative or integral in front of something acts like a factor.
enum class LatexLevel { sum, product, prefix, power, closed };

LatexLevel latex_level(Expr e) {
  switch (e->op) {
    case Op::add:
    case Op::subtract:
    case Op::negate:
      return LatexLevel::sum;
    case Op::number:
      if (e->value < 0) return LatexLevel::sum;
      return number_text(e->value).find('e') == std::string::npos ? LatexLevel::closed : LatexLevel::product;
    case Op::multiply:
      return LatexLevel::product;
    case Op::derivative:
    case Op::laplacian:
    case Op::integral:
      return LatexLevel::prefix;
    case Op::power:
      return LatexLevel::power;
    case Op::divide:
      return LatexLevel::power;  // a fraction is closed but for exponents
    default:
      return LatexLevel::closed;
  }
}

// Would a factor behind e seem to belong to e's derivative?
bool ends_open(Expr e) {
  if (e->op == Op::multiply) return ends_open(e->args[1]);
  return e->op == Op::derivative || e->op == Op::laplacian;
}

class LatexWriter {
 public:
  void write(Expr e, LatexLevel place) {
    if (text_.size() > kMaxPrintLength) return;
    if (latex_level(e) >= place) return write_node(e);
    enclosed("\\left(", e, "\\right)");
  }

  std::string finish() {
    if (text_.size() > kMaxPrintLength) text_.replace(kMaxPrintLength, std::string::npos, " \\dots");
    return std::move(text_);
  }

 private:
  void write_node(Expr e) {
    switch (e->op) {
      case Op::number:
        text_ += number(e->value);
        break;
      case Op::pi:
        text_ += "\\pi";
        break;
      case Op::constant:
      case Op::coordinate:
      case Op::field:
        text_ += symbol(e->name);
        break;
      case Op::direction:
        text_ += "\\delta " + symbol(e->name);
        break;
      case Op::negate:
        text_ += '-';
        write(e->args[0], LatexLevel::product);
        break;
      case Op::add:
        sum(e, " + ");
        break;
      case Op::subtract:
        sum(e, " - ");
        break;
      case Op::multiply:
        product(e);
        break;
      case Op::divide:
        fraction(e);
        break;
      case Op::power:
        power(e);
        break;
      case Op::call:
        call(e);
        break;
      case Op::derivative:
        text_ += "\\partial_" + subscript(e->name) + (e->order > 1 ? "^{" + std::to_string(e->order) + "} " : " ");
        write(e->args[0], LatexLevel::prefix);
        break;
      case Op::laplacian:
        text_ += "\\nabla^{2} ";
        write(e->args[0], LatexLevel::prefix);
        break;
      case Op::integral:
        text_ += "\\int ";
        write(e->args[0], LatexLevel::product);
        text_ += "\\,\\mathrm{d}" + symbol(e->name);
        break;
      case Op::beside:
        text_ += '{';
        write(e->args[0], LatexLevel::sum);
        text_ += e->order < 0 ? "}^{-}" : "}^{+}";
        break;
      case Op::restriction:
        restriction(e);
        break;
      case Op::data:
        data(e);
        break;
    }
  }

  void data(Expr e) {
    std::string at;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      if (e->orders[i] > 0)
        text_ += "\\partial_" + subscript(e->names[i]) +
                 (e->orders[i] > 1 ? "^{" + std::to_string(e->orders[i]) + "} " : " ");
      if (e->args[i]->op == Op::number)
        at += (at.empty() ? "" : ",\\,") + symbol(e->names[i]) + " = " + number(e->args[i]->value);
    }
    text_ += symbol(e->name) + (at.empty() ? "" : "|_{" + at + "}");
  }

  void sum(Expr e, const char* sign) {
    write(e->args[0], LatexLevel::sum);
    text_ += sign;
    write(e->args[1], LatexLevel::product);
  }

  static std::string subscript(const std::string& name) {
    const std::string text = symbol(name);
    return text.size() == 1 ? text : "{" + text + "}";
  }

  // Two numbers side by side would read as one.
  void product(Expr e) {
    write(e->args[0], ends_open(e->args[0]) ? LatexLevel::closed : LatexLevel::product);
    text_ += e->args[1]->op == Op::number ? "\\cdot " : "\\,";
    write(e->args[1], LatexLevel::prefix);
  }

  void fraction(Expr e) {
    text_ += "\\frac{";
    write(e->args[0], LatexLevel::sum);
    text_ += "}{";
    write(e->args[1], LatexLevel::sum);
    text_ += '}';
  }

  void power(Expr e) {
    write(e->args[0], LatexLevel::closed);
    text_ += "^{";
    write(e->args[1], LatexLevel::sum);
    text_ += '}';
  }

  void call(Expr e) {
    if (e->function == Function::sqrt) return enclosed("\\sqrt{", e->args[0], "}");
    if (e->function == Function::abs) return enclosed("\\left|", e->args[0], "\\right|");
    text_ += function(e->function) + "\\left(";
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      if (i > 0) text_ += ", ";
      write(e->args[i], LatexLevel::sum);
    }
    text_ += "\\right)";
  }

  static std::string function(Function f) {
    switch (f) {
      case Function::asin:
        return "\\arcsin";
      case Function::acos:
        return "\\arccos";
      case Function::atan:
        return "\\arctan";
      case Function::erf:
      case Function::sign:
      case Function::step:
      case Function::atan2:
        return "\\operatorname{" + std::string(function_name(f)) + "}";
      default:
        return "\\" + std::string(function_name(f));
    }
  }

  void restriction(Expr e) {
    enclosed("\\left.", e->args[0], "\\right|_{");
    for (std::size_t i = 0; i < e->names.size(); ++i) {
      text_ += (i == 0 ? "" : ",\\,") + symbol(e->names[i]) + "=";
      write(e->args[i + 1], LatexLevel::sum);
    }
    text_ += '}';
  }

  void enclosed(const char* left, Expr e, const char* right) {
    text_ += left;
    text_ += ' ';
    write_node(e);
    text_ += right;
  }

  std::string text_;
};

}  // namespace

std::string latex_name(const std::string& name) {
  return symbol(name);
}

std::string latex(Expr e) {
  LatexWriter writer;
  writer.write(e, LatexLevel::sum);
  return writer.finish();
}

}  // namespace gwrm::expression
