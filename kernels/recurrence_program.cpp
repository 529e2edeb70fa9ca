#include "kernels/recurrence_program.hpp"

#include <fmt/format.h>

#include <cctype>

namespace gwrm {
namespace {

// What affine call k adds to prepare(), near() and value().
struct CallText {
  std::string tables, firsts, called;
};

CallText call_text(const AffineCall& call, std::size_t k) {
  const auto slope = fmt::format("({:a})", call.slope), angle = fmt::format("{} * x + ({:a})", slope, call.offset);
  const auto first = fmt::format("steps[{} * kItems]", 2 * k), second = fmt::format("steps[{} * kItems]", 2 * k + 1);
  const auto near_first = fmt::format("near.first[{}]", k), near_second = fmt::format("near.second[{}]", k);
  CallText text;
  if (call.function == AffineCall::Function::exponential) {
    text.tables = fmt::format("{} = exp({} * distance);\n", first, slope);
    text.firsts = fmt::format("result.first[{}] = exp({});\n", k, angle);
    text.called = fmt::format("const double a{} = {} * {};\n", k, near_first, first);
    return text;
  }
  // first: cosines, second: sines
  text.tables = fmt::format("sincos({} * distance, &{}, &{});\n", slope, second, first);
  text.firsts = fmt::format("sincos({}, &result.second[{}], &result.first[{}]);\n", angle, k, k);
  const bool sine = call.function == AffineCall::Function::sine;
  text.called = fmt::format("const double a{} = {} * {} {} {} * {};\n", k, sine ? near_second : near_first, first,
                            sine ? "+" : "-", sine ? near_first : near_second, second);
  return text;
}

// Of which sixteen would not fit into the instruction cache.
bool calls_functions(const std::string& statements) {
  for (std::size_t i = 1; i < statements.size(); ++i)
    if (statements[i] == '(' && std::isalnum(static_cast<unsigned char>(statements[i - 1]))) return true;
  return false;
}

}  // namespace

std::string with_source(std::string text, const DeviceExpression& expression) {
  CallText all;
  for (std::size_t k = 0; k < expression.calls.size(); ++k) {
    const CallText own = call_text(expression.calls[k], k);
    all.tables += own.tables;
    all.firsts += own.firsts;
    all.called += own.called;
  }
  const auto put = [&](const std::string& mark, const std::string& by) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
      text.replace(at, mark.size(), by);
  };
  // Nor would the table into the registers, where the compiler takes it if all 16 places in it are known.
  const bool is_short = expression.calls.empty() && !calls_functions(expression.statements);
  put("UNROLLED", is_short ? "kItems" : "4");
  put("CALLS", std::to_string(expression.calls.size()));
  put("TABLES", all.tables);
  put("FIRSTS", all.firsts);
  put("STATEMENTS", all.called + expression.statements);
  put("COORDINATE", expression.coordinate);  // last: a user may have called it like another word
  return text;
}

}  // namespace gwrm
