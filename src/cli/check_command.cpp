// gwrm check: everything that is known of a case before it runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "api/run_steps.hpp"
#include "cli/options.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/problem.hpp"
#include "problems/time_estimate.hpp"

namespace gwrm::cli {
namespace {

struct Findings {
  Summary summary;
  std::vector<Check> jacobian;
  TimeEstimate time;
};

bool all_passed(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.passed(); });
}

// The equations and all that belongs to them, as an environment of amsmath.
std::string latex_text(const Summary& summary) {
  std::string text = "\\begin{align}\n";
  for (std::size_t i = 0; i < summary.system.size(); ++i) {
    const PrintedExpression& printed = summary.system[i];
    const std::size_t equals = printed.latex.find(" = ");
    text += fmt::format("  {} &{} \\tag{{{}}}{}\n", printed.latex.substr(0, equals), printed.latex.substr(equals),
                        printed.name, i + 1 < summary.system.size() ? " \\\\" : "");
  }
  return text + "\\end{align}\n";
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths.resize(std::max(widths.size(), c + 1), 0);
      widths[c] = std::max(widths[c], row[c].size());
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format(" {:<{}} ", row[c], widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string jacobian_text(const std::vector<Check>& checks) {
  if (checks.empty()) return "\n  the equations need no Jacobian: they are linear and have a solver of their own\n";
  std::string text = "\n  the Jacobian against differences at random fields, relative\n";
  for (const Check& check : checks)
    text += fmt::format("  {:8.1e}  {}  {}\n", check.value, check.passed() ? "ok  " : "FAIL", check.subject);
  return text;
}

std::string time_text(const TimeEstimate& time) {
  constexpr double kWorthTelling = 0.1;  // seconds
  if (std::isnan(time.seconds)) return "not known";
  if (time.seconds < kWorthTelling) return fmt::format("of the order of {:g} s, or less", kWorthTelling);
  return fmt::format("about {:.2g} s", time.seconds);
}

std::string text_of(const Options& options, const Case& the_case, const Findings& findings) {
  const Summary& summary = findings.summary;
  std::size_t longest = 0;
  for (const auto& [name, value] : summary.lines) longest = std::max(longest, name.size());
  std::string text = the_case.title.empty() ? "" : the_case.title + "\n";
  for (const auto& [name, value] : summary.lines) text += fmt::format("  {:<{}}  {}\n", name, longest, value);
  if (options.time)
    text += fmt::format("  {:<{}}  {}; {}\n", "time", longest, time_text(findings.time), findings.time.basis);
  if (!summary.conditions.empty()) text += "\n" + table_text(summary.conditions);
  if (!summary.system.empty()) text += "\n  as it was understood\n";
  for (const PrintedExpression& printed : summary.system)
    text += fmt::format("  {:<{}}  {}\n", printed.name, longest, printed.text);
  if (options.jacobian) text += jacobian_text(findings.jacobian);
  return text;
}

std::string json_of(const Options& options, const Case& the_case, const Findings& findings, ExitStatus status) {
  const Summary& summary = findings.summary;
  nlohmann::ordered_json object = {{"exit_status", static_cast<int>(status)}, {"title", the_case.title}};
  // Lists and objects are made before they are filled: see eval_command.cpp.
  nlohmann::ordered_json lines = nlohmann::ordered_json::object(), expressions = nlohmann::ordered_json::array();
  for (const auto& [name, value] : summary.lines) lines[name] = value;
  if (!lines.empty()) object["system"] = lines;
  object["n_unknowns"] = summary.n_unknowns;
  object["memory_bytes"] = summary.memory_bytes;
  object["linear_solver"] = summary.linear_solver;
  object["warnings"] = summary.warnings;
  object["clashes"] = summary.clashes;
  object["conditions"] = summary.conditions;
  for (const PrintedExpression& printed : summary.system)
    expressions.push_back({{"name", printed.name}, {"text", printed.text}, {"latex", printed.latex}});
  if (!expressions.empty()) object["expressions"] = expressions;
  if (options.jacobian) {
    object["jacobian"] = nlohmann::ordered_json::array();
    for (const Check& check : findings.jacobian)
      object["jacobian"].push_back(
          {{"subject", check.subject},
           {"difference", std::isfinite(check.value) ? nlohmann::json(check.value) : nlohmann::json()},
           {"passed", check.passed()}});
  }
  if (options.time)
    object["time"] = {
        {"seconds", std::isnan(findings.time.seconds) ? nlohmann::json() : nlohmann::json(findings.time.seconds)},
        {"basis", findings.time.basis}};
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

ExitStatus check_command(const Options& options) {
  const Case the_case = load_case(options);
  const auto problem = options.modules->make(the_case);
  Findings findings{problem->summary(), {}, {}};
  for (const auto& [name, text] : describe_data_files(the_case))
    findings.summary.lines.emplace_back("data " + name, text);
  if (options.latex) {
    std::cout << latex_text(findings.summary);
    return ExitStatus::converged;
  }
  if (options.jacobian || options.time) {
    const Context context = context_for(findings.summary, backend_choice(options, the_case), options.threads);
    if (options.jacobian) findings.jacobian = problem->check_jacobian(context);
    if (options.time) findings.time = estimate_time(*options.modules, the_case, context);
  }
  const ExitStatus status = all_passed(findings.jacobian) ? ExitStatus::converged : ExitStatus::unresolved;
  std::cout << (options.json ? json_of(options, the_case, findings, status) : text_of(options, the_case, findings));
  if (!options.json)
    for (const std::string& warning : findings.summary.warnings) logger().warn("{}", warning);
  return status;
}

}  // namespace gwrm::cli
