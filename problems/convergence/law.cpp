#include "problems/convergence/law.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <regex>
#include <set>

#include "problems/convergence/rates.hpp"

namespace gwrm {
namespace {

const char* word_of(ConvergenceLaw law) {
  switch (law) {
    case ConvergenceLaw::none:
      return "none";
    case ConvergenceLaw::undecided:
      return "undecided";
    case ConvergenceLaw::algebraic:
      return "algebraic";
    case ConvergenceLaw::exponential:
      break;
  }
  return "exponential";
}

// Functions in the case's expressions that are not smooth everywhere.
std::string kinks_of(const Case& base) {
  std::string all;
  const auto add = [&](const SourceText& text) { all += text.text + "\n"; };
  for (const SourceText& text : base.equations) add(text);
  for (const SourceText& text : base.boundary) add(text);
  for (const InitialCase& initial : base.initial) add(initial.text);
  for (const NamedExpression& exact : base.exact) add(exact.text);
  static const std::regex call("\\b(abs|min|max|sign|step|sqrt|log|asin|acos)\\s*\\(");
  std::set<std::string> found;
  for (std::sregex_iterator it(all.begin(), all.end(), call), end; it != end; ++it) found.insert((*it)[1]);
  std::string text;
  for (const std::string& name : found) text += (text.empty() ? "" : ", ") + name + "()";
  return text;
}

std::string reason_for_algebraic(const Case& base, const StudyPlan& plan, const Summary& finest) {
  if (finest.scheme_order > 0)
    return fmt::format("finite differences of order {}: the error falls algebraically, by their order",
                       finest.scheme_order);
  if (!finest.clashes.empty())
    return "algebraic because initial and boundary data are incompatible in a corner: " + finest.clashes.front();
  if (plan.varied_size == VariedSize::tolerance) return "the accuracy asked for is varied: the error follows it";
  if (plan.varied_size != VariedSize::degree)
    return fmt::format(
        "{} is varied while the degrees stay: the subdomains shrink and the error falls by a power of their "
        "size",
        plan.size_name);
  const std::string kinks = kinks_of(base);
  if (!kinks.empty())
    return "no incompatibility of initial and boundary data was found; the case uses " + kinks +
           ", which is not smooth everywhere";
  return "no incompatibility of initial and boundary data was found: a layer that these degrees do not resolve yet, or "
         "a "
         "singularity of the solution";
}

std::string reason_for_exponential(const Case& base, const Summary& finest) {
  if (!finest.clashes.empty())
    return "although initial and boundary data are incompatible in a corner (" + finest.clashes.front() +
           "): these errors do not feel it, or these windows resolve it";
  bool has_time = false;
  for (const AxisCase& axis : base.domain) has_time = has_time || axis.axis.kind == AxisKind::time;
  if (has_time && !base.boundary.empty())
    return "the solution is smooth: initial and boundary data agree in the corners";
  return "the solution is smooth on the whole domain";
}

std::string reason_for(const ConvergenceStudy& study, const Case& base, const StudyPlan& plan, const Summary& finest) {
  if (study.law == "exponential") return reason_for_exponential(base, finest);
  if (study.law == "algebraic") return reason_for_algebraic(base, plan, finest);
  if (study.law == "undecided")
    return finest.clashes.empty() ? "more levels, further apart, tell the laws from each other"
                                  : "initial and boundary data are incompatible: " + finest.clashes.front();
  if (!finest.clashes.empty() && std::isfinite(study.algebraic.rate))
    return "initial and boundary data are incompatible: " + finest.clashes.front();
  if (std::isfinite(study.algebraic.rate))
    return "something that is not varied decides the error: look at the other degrees, the data, and `exact`";
  return "two levels above the floor at least are needed: start from coarser ones";
}

}  // namespace

void find_law(ConvergenceStudy& study, const Case& base, const StudyPlan& plan, const Summary& finest) {
  std::vector<std::size_t> levels;  // those with an error
  std::vector<double> sizes, errors;
  for (std::size_t i = 0; i < study.levels.size(); ++i) {
    if (std::isnan(study.levels[i].error)) continue;
    levels.push_back(i);
    sizes.push_back(study.levels[i].size);
    errors.push_back(study.levels[i].error);
  }
  const ObservedRates rates = observe_rates(sizes, errors);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    StudyLevel& level = study.levels[levels[k]];
    level.order = rates.orders[k];
    level.rate = rates.rates[k];
    level.fitted = k >= rates.first && k < rates.end;
    level.at_floor = k >= rates.end;
  }
  study.law = word_of(rates.law);
  study.algebraic = {rates.algebraic.rate, rates.algebraic.constant, rates.algebraic.deviation};
  study.exponential = {rates.exponential.rate, rates.exponential.constant, rates.exponential.deviation};
  study.floor = rates.floor;
  study.floor_is_rounding = rates.floor_is_rounding;
  study.statement = law_text(rates, sizes, study.size_name);
  study.reason = reason_for(study, base, plan, finest);
}

void judge(ConvergenceStudy& study) {
  const auto hold = [&](const char* what, double asked, double found) {
    if (asked <= 0.0) return;
    const bool passed = found >= asked;  // NaN does not pass
    study.passed = study.passed && passed;
    study.verdict += fmt::format("{}{} {:.4g}, asked for at least {:g}: {}", study.verdict.empty() ? "" : "; ", what,
                                 found, asked, passed ? "PASS" : "FAIL");
  };
  study.passed = true;
  study.verdict.clear();
  hold("algebraic order", study.least_order, study.algebraic.rate);
  hold("exponential rate", study.least_rate, study.exponential.rate);
}

}  // namespace gwrm
