// A convergence study as CSV.
#include <fmt/format.h>

#include <cmath>

#include "expression/number_text.hpp"
#include "output/convergence_study.hpp"

namespace gwrm {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' ? ' ' : c);
  return result + "\"";
}

std::string number(double value) {
  return std::isnan(value) ? "" : expression::number_text(value);
}

std::string comment(const std::string& name, const std::string& text) {
  std::string line;
  for (char c : text) line += c == '\n' ? ' ' : c;
  return text.empty() ? "" : "# " + name + ": " + line + "\n";
}

}  // namespace

std::string csv_text(const ConvergenceStudy& study) {
  std::string text = comment("title", study.title) + comment("size", study.size_name) +
                     comment("error", study.measure) + comment("law", study.statement) + comment("why", study.reason) +
                     comment("asked for", study.verdict);
  text += "size";
  for (const std::string& key : study.keys) text += "," + quoted(key);
  text += ",error,order,rate,fitted,at_floor,reference,exit_status,n_unknowns,n_newton_iterations,seconds";
  for (const StudyCheck& check : study.checks) text += "," + quoted(check.kind + " " + check.subject);
  text += "\n";
  for (const StudyLevel& level : study.levels) {
    text += number(level.size);
    for (const std::string& value : level.values) text += "," + quoted(value);
    text += fmt::format(",{},{},{},{:d},{:d},{:d},{},{},{},{:.6g}", number(level.error), number(level.order),
                        number(level.rate), level.fitted, level.at_floor, level.is_reference, level.exit_status,
                        level.n_unknowns, level.n_newton_iterations, level.wall_seconds);
    for (double value : level.checks) text += "," + number(value);
    text += "\n";
  }
  return text;
}

}  // namespace gwrm
