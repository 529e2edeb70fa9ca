#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "case/key_specs.hpp"
#include "case/names.hpp"
#include "case/words.hpp"
#include "problems/time_spectral/time_spectral_section.hpp"

namespace gwrm {

using namespace casefile;

namespace {

constexpr double kMaxBranchPoints = 100000;

constexpr Words<ContinuationMethod, 2> kMethodWords{
    {{"natural", ContinuationMethod::natural}, {"arclength", ContinuationMethod::arclength}}};

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

void check_domain(const Case& result, const Marked& place) {
  for (const AxisCase& axis : result.domain) {
    if (axis.axis.kind == AxisKind::time)
      place.fail("`continue` follows steady solutions, and the domain has t: leave out either");
    if (axis.axis.kind == AxisKind::parameter)
      place.fail(
          fmt::format("`continue` works without parameter dimensions: make `{}` a constant, or leave `continue` "
                      "out and resolve the parameter as a dimension",
                      axis.axis.name));
  }
}

// Constants are numbers once they are read: one that is made from the parameter would not follow the branch.
void check_constants(const YamlNode& root, const Case& result, const Marked& parameter) {
  if (result.constants.empty())
    parameter.fail(fmt::format("the case has no constants: give the branch's parameter a value, constants: {{{}: 1}}",
                               parameter.text));
  std::vector<std::string> names;
  for (const expression::Constant& constant : result.constants) names.push_back(constant.name);
  check_known(parameter, names, "constant");
  for (const YamlEntry& entry : entries_at(root, "constants"))
    if (uses_name(entry.value.mark.text, parameter.text))
      entry.value.mark.fail(
          fmt::format("the constant `{}` is made from `{}` and would not change along the branch of "
                      "`continue`: write its expression into the equations",
                      entry.key.text, parameter.text));
}

double value_of(const Case& result, const std::string& constant) {
  const auto found = std::find_if(result.constants.begin(), result.constants.end(),
                                  [&](const expression::Constant& other) { return other.name == constant; });
  return found->value;
}

}  // namespace

// True if `name` stands in the expression as a whole word.
bool uses_name(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const bool ends = end == text.size() || !is_name_character(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

std::vector<KeySpec> continuation_keys() {
  using namespace casefile::keys;
  return {
      map("continue", "Follows the steady solutions while one of the constants changes."),
      text("continue.parameter", "The constant that changes.", true),
      number("continue.from", "Its value where the branch begins. Default: its value in constants."),
      number("continue.to", "The branch ends where the constant has this value.", true),
      choice("continue.method", "arclength", word_list(kMethodWords),
             "What parametrises the branch: its arc length, which passes folds, or the constant itself."),
      not_negative("continue.step", "0", "Length of the first step in the constant; 0: chosen by the program."),
      integer("continue.points", "500", 2, kMaxBranchPoints, "Most points of the branch, its first one included."),
  };
}

void read_continuation(const CaseTree& file, Case& result) {
  const YamlEntry* section = file.root.find_entry("continue");
  if (section == nullptr) return;
  check_domain(result, section->key);
  const Marked& parameter = section->value.find("parameter")->mark;
  check_constants(file.root, result, parameter);

  const Constants& constants = result.constants;
  Continuation& continuation = result.continuation;
  continuation.parameter = parameter.text;
  continuation.from = file.number_at("continue.from", constants, value_of(result, parameter.text));
  continuation.to = file.number_at("continue.to", constants, continuation.to);
  continuation.method = file.choice_at("continue.method", kMethodWords, continuation.method);
  continuation.step = file.number_at("continue.step", constants, continuation.step);
  continuation.max_points = file.integer_at("continue.points", constants, continuation.max_points);
  const YamlNode& to = *file.root.find_path("continue.to");
  if (continuation.from == continuation.to)
    to.mark.fail(fmt::format("the branch ends where it begins, at `{}` = {}: give `to` another value than `from`",
                             continuation.parameter, continuation.to));
  const YamlNode* step = file.root.find_path("continue.step");
  if (continuation.step > std::abs(continuation.to - continuation.from))
    step->mark.fail(fmt::format("a first step of {} is longer than the way from {} to {}", continuation.step,
                                continuation.from, continuation.to));
}

void write_continuation(ResolvedText& text, const Case& the_case) {
  const Continuation& continuation = the_case.continuation;
  if (!continuation.active()) return;
  text.line(0, "continue");
  text.line(2, "parameter", continuation.parameter);
  text.line(2, "from", number_text(continuation.from));
  text.line(2, "to", number_text(continuation.to));
  text.line(2, "method", word_of(kMethodWords, continuation.method));
  text.line(2, "step", number_text(continuation.step));
  text.line(2, "points", std::to_string(continuation.max_points));
}

}  // namespace gwrm
