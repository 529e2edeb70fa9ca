// gwrm diff: two result files field by field, with what else differs between the runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "output/compare_runs.hpp"
#include "output/hdf5_file.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm::cli {
namespace {

constexpr std::size_t kLongestText = 64;

std::string shown(const std::string& text) {
  if (text.empty()) return "-";
  std::string line;
  for (char c : text) line += c == '\n' ? ' ' : c;
  return line.size() <= kLongestText ? line : line.substr(0, kLongestText - 3) + "...";
}

std::string section(const std::string& title, const std::vector<TextDifference>& differences) {
  if (differences.empty()) return "";
  std::size_t name = 0, first = 0;
  for (const TextDifference& difference : differences) {
    name = std::max(name, shown(difference.name).size());
    first = std::max(first, shown(difference.a).size());
  }
  std::string text = title + "\n";
  for (const TextDifference& difference : differences)
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", shown(difference.name), name, shown(difference.a), first,
                        shown(difference.b));
  return text + "\n";
}

std::string fields_text(const std::vector<FieldComparison>& fields) {
  std::size_t name = 5, what = 0;
  for (const FieldComparison& field : fields) {
    name = std::max(name, field.field.size());
    what = std::max(what, field.what.size());
  }
  std::string text = fmt::format("{:<{}}  {:<{}}  {:>10}  {:>10}  {:>10}\n", "fields", name + 2, "", what, "largest",
                                 "relative", "L2");
  for (const FieldComparison& field : fields) {
    text += fmt::format("  {:<{}}  {:<{}}", field.field, name, field.what, field.compared ? what : 0);
    const FieldDifference& d = field.difference;
    if (field.compared && d.absolute == 0.0)
      text += "  equal to the bit";
    else if (field.compared)
      text += fmt::format("  {:10.3e}  {:10.3e}  {:10.3e}", d.absolute, d.maximum, d.l2);
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<TextDifference>& differences) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TextDifference& d : differences) list.push_back({{"name", d.name}, {"a", d.a}, {"b", d.b}});
  return list;
}

nlohmann::json json_number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

std::string json_text(const RunComparison& comparison, bool agree, ExitStatus status, double tolerance) {
  nlohmann::ordered_json fields = nlohmann::ordered_json::array();
  for (const FieldComparison& field : comparison.fields) {
    fields.push_back({{"field", field.field}, {"what", field.what}, {"compared", field.compared}});
    if (!field.compared) continue;
    fields.back()["absolute"] = json_number(field.difference.absolute);
    fields.back()["relative"] = json_number(field.difference.maximum);
    fields.back()["l2"] = json_number(field.difference.l2);
  }
  const nlohmann::ordered_json object = {{"exit_status", static_cast<int>(status)},
                                         {"agree", agree},
                                         {"tolerance", tolerance},
                                         {"settings", json_of(comparison.settings)},
                                         {"builds", json_of(comparison.builds)},
                                         {"reports", json_of(comparison.reports)},
                                         {"verification", json_of(comparison.checks)},
                                         {"fields", fields}};
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Answers whose coefficients are a module's own, of which compare_runs() has seen the samples only.
void compare_answers(const Options& options, RunComparison& comparison) {
  if (is_sweep(options.file) || is_sweep(options.second_file)) return;
  const auto answer_of = [&](const std::string& file) {
    const Case the_case = read_case_text(options.modules->format(), read_hdf5(file).report.case_text, file);
    return options.modules->of(the_case).stored_answer(the_case, file);
  };
  const auto first = answer_of(options.file), second = answer_of(options.second_file);
  if (first == nullptr || second == nullptr) return;
  try {
    for (const FieldDifference& difference : first->differences(*second))
      comparison.fields.push_back({difference.field, "polynomials", true, difference, true});
  } catch (const ShapeError& error) {
    comparison.fields.push_back({"polynomials", error.what(), false, {}, true});
    return;
  }
  comparison.leave_samples_to_polynomials();
}

}  // namespace

ExitStatus diff_command(const Options& options) {
  RunComparison comparison = compare_runs(options.file, options.second_file);
  compare_answers(options, comparison);
  const bool agree = comparison.agree(options.tolerance);
  const ExitStatus status = agree ? ExitStatus::converged : ExitStatus::unresolved;
  if (options.json) {
    std::cout << json_text(comparison, agree, status, options.tolerance) << "\n";
    return status;
  }
  std::cout << section("settings", comparison.settings) << section("builds", comparison.builds)
            << section("runs", comparison.reports) << section("verification", comparison.checks)
            << fields_text(comparison.fields);
  std::cout << fmt::format("the fields {} within {:g}\n", agree ? "agree" : "do NOT agree", options.tolerance);
  return status;
}

}  // namespace gwrm::cli
