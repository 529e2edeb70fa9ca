#include "problems/sweep/distribution.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/errors.hpp"
#include "core/source_text.hpp"
#include "expression/parser.hpp"

namespace gwrm {
namespace {

struct Known {
  const char* name;
  Distribution::Kind kind;
  const char* form;
};
constexpr std::array<Known, 3> kKnown = {
    {{"normal", Distribution::Kind::normal, "normal(mean, sd) with sd > 0"},
     {"uniform", Distribution::Kind::uniform, "uniform(a, b) with a < b"},
     {"lognormal", Distribution::Kind::lognormal, "lognormal(mu, sigma) of the logarithm, with sigma > 0"}}};

}  // namespace

double normal_quantile(double p) {
  if (p == 0.5) return 0.0;
  const bool lower = p < 0.5;
  const double tail = lower ? p : 1.0 - p;  // of x < 0, where erfc has all its digits
  const double t = std::sqrt(-2.0 * std::log(tail));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int step = 0; step < 2; ++step) {
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - tail;
    const double newton = error * std::sqrt(2.0 * std::numbers::pi) * std::exp(0.5 * x * x);
    x -= newton / (1.0 + 0.5 * x * newton);
  }
  return lower ? x : -x;
}

std::optional<Distribution> Distribution::parse(const std::string& text, const std::string& where) {
  for (const Known& known : kKnown) {
    const std::string begin = std::string(known.name) + "(";
    if (text.rfind(begin, 0) != 0 || text.back() != ')') continue;
    const auto wrong = [&]() { return CaseError(where + ": error: expected " + known.form + ", found " + text); };
    const std::string inside = text.substr(begin.size(), text.size() - begin.size() - 1);
    std::size_t comma = std::string::npos;
    int depth = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      depth += inside[i] == '(' ? 1 : inside[i] == ')' ? -1 : 0;
      if (inside[i] != ',' || depth != 0) continue;
      if (comma != std::string::npos) throw wrong();
      comma = i;
    }
    if (comma == std::string::npos) throw wrong();
    const auto number = [&](const std::string& part) {
      return expression::evaluate_number(SourceText::from_argument(part, where), {});
    };
    const double first = number(inside.substr(0, comma)), second = number(inside.substr(comma + 1));
    if (known.kind == Kind::uniform ? !(first < second) : !(second > 0.0)) throw wrong();
    return Distribution(known.kind, first, second);
  }
  return std::nullopt;
}

double Distribution::quantile(double p) const {
  switch (kind_) {
    case Kind::normal:
      return first_ + second_ * normal_quantile(p);
    case Kind::lognormal:
      return std::exp(first_ + second_ * normal_quantile(p));
    case Kind::uniform:
      break;
  }
  return first_ + (second_ - first_) * p;
}

}  // namespace gwrm
