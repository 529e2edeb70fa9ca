#include "expression/printer.hpp"

#include "expression/number_text.hpp"

namespace gwrm::expression {
namespace {

// How tightly a node binds, in the order of the grammar in parser.hpp.
enum class PrintedLevel { sum, term, unary, power, postfix };

PrintedLevel printed_level(Expr e) {
  switch (e->op) {
    case Op::add:
    case Op::subtract:
      return PrintedLevel::sum;
    case Op::multiply:
    case Op::divide:
      return PrintedLevel::term;
    case Op::negate:
      return PrintedLevel::unary;
    case Op::number:
      return e->value < 0 ? PrintedLevel::unary : PrintedLevel::postfix;
    case Op::power:
      return PrintedLevel::power;
    default:
      return PrintedLevel::postfix;
  }
}

class Printer {
 public:
  // Writes e in a place where the grammar has a rule of this level.
  void write(Expr e, PrintedLevel place) {
    if (text_.size() > kMaxPrintLength) return;
    if (printed_level(e) >= place) return write_node(e);
    text_ += '(';
    write_node(e);
    text_ += ')';
  }

  std::string finish() {
    if (text_.size() > kMaxPrintLength) text_.replace(kMaxPrintLength, std::string::npos, " ...");
    return std::move(text_);
  }

 private:
  void write_node(Expr e) {
    switch (e->op) {
      case Op::number:
        text_ += number_text(e->value);
        break;
      case Op::pi:
        text_ += "pi";
        break;
      case Op::constant:
      case Op::coordinate:
      case Op::field:
        text_ += e->name;
        break;
      case Op::direction:
        text_ += "delta(" + e->name + ")";
        break;
      case Op::negate:
        text_ += '-';
        write(e->args[0], PrintedLevel::unary);
        break;
      case Op::add:
        infix(e, PrintedLevel::sum, " + ", PrintedLevel::term);
        break;
      case Op::subtract:
        infix(e, PrintedLevel::sum, " - ", PrintedLevel::term);
        break;
      case Op::multiply:
        infix(e, PrintedLevel::term, "*", PrintedLevel::unary);
        break;
      case Op::divide:
        infix(e, PrintedLevel::term, "/", PrintedLevel::unary);
        break;
      case Op::power:
        infix(e, PrintedLevel::postfix, "^", PrintedLevel::unary);
        break;
      case Op::call:
        call(function_name(e->function), e, e->args.size());
        break;
      case Op::derivative:
        call("d" + e->name, e, 1, e->order > 1 ? std::to_string(e->order) : "");
        break;
      case Op::laplacian:
        call("lap", e, 1);
        break;
      case Op::integral:
        call("integral", e, 1, e->name);
        break;
      case Op::beside:
        write(e->args[0], PrintedLevel::sum);
        text_ += e->order < 0 ? '-' : '+';
        break;
      case Op::restriction:
        restriction(e);
        break;
      case Op::data:
        data(e);
        break;
    }
  }

  void infix(Expr e, PrintedLevel left, std::string_view sign, PrintedLevel right) {
    write(e->args[0], left);
    text_ += sign;
    write(e->args[1], right);
  }

  void call(std::string_view name, Expr e, std::size_t n_args, const std::string& last = "") {
    text_ += name;
    text_ += '(';
    for (std::size_t i = 0; i < n_args; ++i) {
      if (i > 0) text_ += ", ";
      write(e->args[i], PrintedLevel::sum);
    }
    if (!last.empty()) text_ += ", " + last;
    text_ += ')';
  }

  void restriction(Expr e) {
    write(e->args[0], PrintedLevel::postfix);
    for (std::size_t i = 0; i < e->names.size(); ++i) {
      text_ += (i == 0 ? "(" : ", ") + e->names[i] + "=";
      write(e->args[i + 1], PrintedLevel::sum);
    }
    text_ += ')';
  }

  // dx(dy(k), 2)(z=1): as it is read.
  void data(Expr e) {
    std::string text = e->name, at;
    for (std::size_t i = 0; i < e->args.size(); ++i)
      if (e->orders[i] > 0) {
        const std::string order = e->orders[i] > 1 ? ", " + std::to_string(e->orders[i]) : "";
        text = "d" + e->names[i] + "(" + text + order + ")";
      }
    for (std::size_t i = 0; i < e->args.size(); ++i)
      if (e->args[i]->op != Op::coordinate)
        at += (at.empty() ? "" : ", ") + e->names[i] + "=" + number_text(e->args[i]->value);
    text_ += text + (at.empty() ? "" : "(" + at + ")");
  }

  std::string text_;
};

}  // namespace

std::string print(Expr e) {
  Printer printer;
  printer.write(e, PrintedLevel::sum);
  return printer.finish();
}

}  // namespace gwrm::expression
