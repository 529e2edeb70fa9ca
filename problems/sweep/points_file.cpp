#include "problems/sweep/points_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "case/yaml_document.hpp"
#include "core/errors.hpp"
#include "problems/sweep/swept_values.hpp"

namespace gwrm {
namespace {

std::string text_of(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    throw CaseError(path + ": error: there is no such file of points");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw CaseError(path + ": error: cannot read the file of points: " + std::strerror(errno));
  return text.str();
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false, was_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"' && (quoted || trimmed(fields.back()).empty())) {
      if (!quoted) fields.back().clear();
      quoted = !quoted;
      was_quoted = true;
    } else if (c == ',' && !quoted) {
      if (!was_quoted) fields.back() = trimmed(fields.back());
      fields.emplace_back();
      was_quoted = false;
    } else if (!(was_quoted && !quoted)) {  // blanks behind a quote
      fields.back() += c;
    }
  }
  if (!was_quoted) fields.back() = trimmed(fields.back());
  return fields;
}

SweptDimension read_csv(const std::string& path, const std::string& text) {
  SweptDimension points;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number == 1 && line.rfind("\xEF\xBB\xBF", 0) == 0) line.erase(0, 3);
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    const std::vector<std::string> fields = fields_of(line);
    if (points.keys.empty()) {
      for (const std::string& key : fields) points.keys.push_back({key, {}, {}});
      continue;
    }
    if (fields.size() != points.keys.size())
      throw CaseError(fmt::format("{}:{}: error: {} values, and {} keys in the first line", path, number, fields.size(),
                                  points.keys.size()));
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (fields[k].empty())
        throw CaseError(fmt::format("{}:{}: error: no value of {}", path, number, points.keys[k].key));
      points.keys[k].values.push_back(fields[k]);
    }
  }
  return points;
}

SweptDimension read_yaml(const std::string& path, const std::string& text) {
  const casefile::YamlNode root = casefile::parse_yaml(casefile::make_source(text, path, false));
  if (!root.is_sequence()) root.mark.fail("a file of points is a list of maps: - {constants.nu: 0.1}");
  SweptDimension points;
  for (const casefile::YamlNode& item : root.items) {
    if (!item.is_map()) item.mark.fail("a point is a map of keys and values, found " + casefile::describe(item));
    if (points.keys.empty())
      for (const casefile::YamlEntry& entry : item.entries) points.keys.push_back({entry.key.text, {}, {}});
    for (SweptKey& key : points.keys) {
      const casefile::YamlNode* value = item.find(key.key);
      if (value == nullptr || value->is_null()) item.mark.fail("this point has no value of " + key.key);
      key.values.push_back(swept_value_text(*value));
    }
    for (const casefile::YamlEntry& entry : item.entries) {
      bool known = false;
      for (const SweptKey& key : points.keys) known = known || key.key == entry.key.text;
      if (!known) entry.key.fail("the first point has no `" + entry.key.text + "`: all points have the same keys");
    }
  }
  return points;
}

}  // namespace

SweptDimension read_points_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const std::string text = text_of(path);
  SweptDimension points = ending == ".yaml" || ending == ".yml" ? read_yaml(path, text) : read_csv(path, text);
  if (points.keys.empty() || points.size() == 0) throw CaseError(path + ": error: no points in this file");
  points.name = "point";
  points.together = true;
  return points;
}

}  // namespace gwrm
