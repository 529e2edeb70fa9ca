#include "problems/sweep/distribution.hpp"

#include <array>
#include <utility>

#include "core/errors.hpp"
#include "core/source_text.hpp"
#include "expression/parser.hpp"

namespace gwrm {
namespace {

struct Known {
  const char* name;
  const char* form;
  bool (*allows)(double, double);
  Distribution (*make)(double, double);
};
constexpr std::array<Known, 4> kKnown = {
    {{"normal", "normal(mean, sd) with sd > 0", [](double, double sd) { return sd > 0.0; }, &Distribution::normal},
     {"uniform", "uniform(a, b) with a < b", [](double a, double b) { return a < b; }, &Distribution::uniform},
     {"lognormal", "lognormal(mu, sigma) of the logarithm, with sigma > 0",
      [](double, double sigma) { return sigma > 0.0; }, &Distribution::lognormal},
     {"beta", "beta(a, b) with a > 0 and b > 0", [](double a, double b) { return a > 0.0 && b > 0.0; },
      [](double a, double b) { return Distribution::beta(a, b, 0.0, 1.0); }}}};

}  // namespace

std::optional<Distribution> parse_distribution(const std::string& text, const std::string& where) {
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
    if (!known.allows(first, second)) throw wrong();
    return known.make(first, second);
  }
  return std::nullopt;
}

}  // namespace gwrm
