#include "api/study_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace gwrm {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kLongestValue = 24;

// A value of the case file without its quotes, at most so long.
std::string shortened(std::string text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text.size() <= kLongestValue ? text : text.substr(0, kLongestValue - 3) + "...";
}

std::string number(const char* format, double value) {
  return std::isnan(value) ? "" : fmt::format(fmt::runtime(format), value);
}

std::string note_on(const StudyLevel& level) {
  if (level.is_reference) return "reference";
  if (std::isnan(level.error)) return level.status;
  return level.at_floor ? "floor" : level.fitted ? "" : "not fitted";
}

Row row_of(const StudyLevel& level, bool has_key_as_size) {
  Row row;
  if (!has_key_as_size) row.push_back(fmt::format("{:.12g}", level.size));
  for (const std::string& value : level.values) row.push_back(shortened(value));
  row.push_back(number("{:.9e}", level.error));
  row.push_back(number("{:.3f}", level.order));
  row.push_back(number("{:.3g}", level.rate));
  row.push_back(std::to_string(level.n_unknowns));
  row.push_back(fmt::format("{:.3g}", level.wall_seconds));
  row.push_back(note_on(level));
  return row;
}

std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c)
      line += c + 1 == row.size() ? "  " + row[c] : fmt::format(" {:>{}}", row[c], widths[c] + 1);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

nlohmann::json json_number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();  // JSON knows no NaN: null
}

}  // namespace

std::string study_text(const ConvergenceStudy& study) {
  const bool has_key = std::find(study.keys.begin(), study.keys.end(), study.size_name) != study.keys.end();
  Row head;
  if (!has_key) head.push_back(study.size_name);
  head.insert(head.end(), study.keys.begin(), study.keys.end());
  for (const char* name : {"error", "order", "rate", "unknowns", "seconds", ""}) head.emplace_back(name);
  std::vector<Row> rows = {head};
  for (const StudyLevel& level : study.levels) rows.push_back(row_of(level, has_key));

  std::string text = study.title.empty() ? "" : study.title + "\n";
  const bool to_finest = study.measure == "self_max";
  text += fmt::format("  error: {}; order: algebraic in {}; rate: exponential, per unit of it\n\n",
                      to_finest ? "largest difference to the finest run, relative" : study.measure, study.size_name);
  text += table(rows);
  text += fmt::format("\n  law: {}\n  why: {}\n", study.statement, study.reason);
  if (!study.verdict.empty()) text += "  " + study.verdict + "\n";
  return text;
}

std::string study_json(const ConvergenceStudy& study, int exit_status, const std::vector<std::string>& files) {
  nlohmann::ordered_json object = {{"exit_status", exit_status},
                                   {"title", study.title},
                                   {"files", files},
                                   {"keys", study.keys},
                                   {"size_name", study.size_name},
                                   {"measure", study.measure},
                                   {"law", study.law},
                                   {"algebraic_order", json_number(study.algebraic.rate)},
                                   {"exponential_rate", json_number(study.exponential.rate)},
                                   {"floor", json_number(study.floor)},
                                   {"floor_is_rounding", study.floor_is_rounding},
                                   {"statement", study.statement},
                                   {"reason", study.reason},
                                   {"passed", study.passed},
                                   {"verdict", study.verdict}};
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (const StudyLevel& level : study.levels)
    levels.push_back({{"size", json_number(level.size)},
                      {"values", level.values},
                      {"error", json_number(level.error)},
                      {"order", json_number(level.order)},
                      {"rate", json_number(level.rate)},
                      {"fitted", level.fitted},
                      {"at_floor", level.at_floor},
                      {"reference", level.is_reference},
                      {"exit_status", level.exit_status},
                      {"status", level.status},
                      {"n_unknowns", level.n_unknowns},
                      {"wall_seconds", level.wall_seconds}});
  object["levels"] = levels;
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace gwrm
