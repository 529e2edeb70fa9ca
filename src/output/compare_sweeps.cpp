// gwrm diff of two sweeps.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "output/compare_texts.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm {
namespace {

// How many runs ended in which way.
Texts endings_of(const StoredSweep& sweep) {
  std::map<std::string, std::size_t> counts;
  if (const StoredVariable* status = sweep.find("status"))
    for (const std::string& text : status->texts) ++counts["runs: " + text];
  Texts texts;
  for (const auto& [name, count] : counts) texts.emplace_back(name, std::to_string(count));
  return texts;
}

Texts values_of(const StoredSweep& sweep) {
  Texts texts{{"keys", sweep.keys}};
  for (const StoredVariable& variable : sweep.variables) {
    if (!variable.is_scale || variable.name.find('/') != std::string::npos) continue;
    std::string text;
    for (const double number : variable.numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
    for (const std::string& word : variable.texts) text += (text.empty() ? "" : ", ") + word;
    texts.emplace_back("values of " + variable.name, text);
  }
  return texts;
}

FieldComparison compare(const StoredVariable& a, const StoredVariable* b) {
  FieldComparison result{a.name, "not in the second file", false, {}, true};
  if (b == nullptr) return result;
  result.what = "over other dimensions";
  if (a.dims != b->dims || a.shape != b->shape || b->is_text) return result;
  DifferenceSums sums;
  std::size_t n_alone = 0;  // in one file alone
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    const bool here = !std::isnan(a.numbers[i]), there = !std::isnan(b->numbers[i]);
    if (here && there) sums.add(a.numbers[i], b->numbers[i], 1.0);
    n_alone += here != there ? 1 : 0;
  }
  result.what = fmt::format("{} of {} values are in one file only", n_alone, a.numbers.size());
  if (n_alone > 0) return result;
  return {a.name, "all runs", true, sums.result(a.name), true};
}

// Times are the machine's.
bool is_compared(const StoredVariable& variable) {
  return !variable.is_scale && !variable.is_text && variable.name != "wall_seconds";
}

// How an answer was found, and estimates of its error, are no answers.
bool counts(const StoredVariable& variable) {
  static constexpr std::array beside = {"n_unknowns", "n_newton_iterations", "n_linear_iterations",
                                        "n_windows",  "estimated_error",     "estimated_error_at_end",
                                        "goal_error", "checks/value"};
  return std::find(beside.begin(), beside.end(), variable.name) == beside.end();
}

}  // namespace

RunComparison compare_sweeps(const std::string& a, const std::string& b) {
  const StoredSweep first = read_sweep(a), second = read_sweep(b);
  RunComparison result;
  Texts settings = settings_of(first.case_text, a), others = settings_of(second.case_text, b);
  const Texts values = values_of(first), other_values = values_of(second);
  settings.insert(settings.end(), values.begin(), values.end());
  others.insert(others.end(), other_values.begin(), other_values.end());
  result.settings = differences(settings, others);
  result.builds = differences(build_texts(first.build), build_texts(second.build));
  result.reports = differences(endings_of(first), endings_of(second));
  for (const StoredVariable& variable : first.variables)
    if (is_compared(variable)) {
      result.fields.push_back(compare(variable, second.find(variable.name)));
      result.fields.back().counts = counts(variable);
    }
  for (const StoredVariable& variable : second.variables)
    if (is_compared(variable) && first.find(variable.name) == nullptr)
      result.fields.push_back({variable.name, "not in the first file", false, {}, counts(variable)});
  return result;
}

}  // namespace gwrm
