#include "kernels/recurrence/recurrence_program.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "core/errors.hpp"

namespace gwrm {
namespace {

// What affine call k adds to prepare(), near(), value() and flush_sums().
struct CallText {
  std::string tables, firsts, called, sums;
};

CallText call_text(const AffineCall& call, double factor, std::size_t k) {
  const auto slope = fmt::format("({:a})", call.slope), angle = fmt::format("{} * x + ({:a})", slope, call.offset);
  const auto first = fmt::format("steps[{} * kItems]", 2 * k), second = fmt::format("steps[{} * kItems]", 2 * k + 1);
  const auto near_first = fmt::format("near.first[{}]", k), near_second = fmt::format("near.second[{}]", k);
  CallText text;
  if (call.function == AffineCall::Function::exponential) {
    text.tables = fmt::format("{} = exp({} * distance);\n", first, slope);
    text.firsts = fmt::format("result.first[{}] = exp({});\n", k, angle);
    text.called = fmt::format("const double a{} = {} * {};\n", k, near_first, first);
    text.sums = fmt::format("add_call(result, ({:a}) * {}, 0.0, sums[{}]);\n", factor, near_first, k);
    return text;
  }
  // first: cosines, second: sines
  text.tables = fmt::format("sincos({} * distance, &{}, &{});\n", slope, second, first);
  text.firsts = fmt::format("sincos({}, &result.second[{}], &result.first[{}]);\n", angle, k, k);
  const bool sine = call.function == AffineCall::Function::sine;
  text.called = fmt::format("const double a{} = {} * {} {} {} * {};\n", k, sine ? near_second : near_first, first,
                            sine ? "+" : "-", sine ? near_first : near_second, second);
  text.sums = fmt::format("add_call(result, ({:a}) * {}, ({:a}) * {}, sums[{}]);\n", factor,
                          sine ? near_second : near_first, sine ? factor : -factor, sine ? near_first : near_second, k);
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
  if (expression.calls.size() > static_cast<std::size_t>(kMaxAffineCalls))
    throw ShapeError(
        fmt::format("an expression with {} affine calls: at most {}", expression.calls.size(), kMaxAffineCalls));
  CallText all;
  for (std::size_t k = 0; k < expression.calls.size(); ++k) {
    const CallText own = call_text(expression.calls[k], expression.factors.empty() ? 0.0 : expression.factors[k], k);
    all.tables += own.tables;
    all.firsts += own.firsts;
    all.called += own.called;
    all.sums += own.sums;
  }
  const auto put = [&](const std::string& mark, const std::string& by) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
      text.replace(at, mark.size(), by);
  };
  // Nor would the table into the registers, where the compiler takes it if all 16 places in it are known.
  const bool is_short = expression.calls.empty() && !calls_functions(expression.statements);
  put("UNROLLED", is_short ? "kItems" : "4");
  put("SUMMED", expression.factors.empty() ? "false" : "true");
  put("MOST_CALLS", std::to_string(kMaxAffineCalls));
  put("CALLS", std::to_string(expression.calls.size()));
  put("TABLES", all.tables);
  put("FIRSTS", all.firsts);
  put("CONSTANT", fmt::format("{:a}", expression.constant));
  put("SUMS", all.sums);
  put("STATEMENTS", all.called + expression.statements);
  put("COORDINATE", expression.coordinate);  // last: a user may have called it like another word
  return text;
}

std::vector<recurrence::CallSums> call_sums(const DeviceExpression& expression) {
  constexpr int n = recurrence::kFlush * recurrence::kItems;
  std::vector<recurrence::CallSums> all;
  for (const AffineCall& call : expression.calls) {
    long double plain[2] = {0.0L, 0.0L}, weighted[2] = {0.0L, 0.0L};
    for (int m = 0; m < n; ++m) {
      const long double angle = static_cast<long double>(call.slope) * expression.step * (m * recurrence::kLanes);
      const bool is_exp = call.function == AffineCall::Function::exponential;
      const long double values[2] = {is_exp ? std::exp(angle) : std::cos(angle), is_exp ? 0.0L : std::sin(angle)};
      for (int part = 0; part < 2; ++part) {
        plain[part] += values[part];
        weighted[part] += (n - m) * values[part];
      }
    }
    const auto in_two = [](long double sum) {
      const auto high = static_cast<double>(sum);
      return DoubleDouble{high, static_cast<double>(sum - high)};
    };
    all.push_back({{in_two(plain[0]), in_two(plain[1])}, {in_two(weighted[0]), in_two(weighted[1])}});
  }
  return all;
}

}  // namespace gwrm
