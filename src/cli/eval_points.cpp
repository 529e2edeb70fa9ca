#include "cli/eval_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/stored_range.hpp"
#include "expression/parser.hpp"

namespace gwrm::cli {
namespace {

constexpr double kMaxPoints = 1e7;

// Splits at `separator` outside parentheses; keeps the offset of each part for the caret.
std::vector<std::pair<std::string, std::size_t>> split(const std::string& text, char separator,
                                                       std::size_t offset = 0) {
  std::vector<std::pair<std::string, std::size_t>> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i == text.size() || (text[i] == separator && depth == 0)) {
      parts.emplace_back(text.substr(begin, i - begin), offset + begin);
      begin = i + 1;
    }
  }
  return parts;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

EvalPoints parse_eval_points(const std::string& text, const Case& the_case, const Solution& solution) {
  const SourceText source = SourceText::from_argument(text, "--at");
  EvalPoints result;
  for (const Axis& axis : solution.axes) result.points.push_back({axis.lower});
  if (text.empty()) return result;
  double total = 1.0;
  for (const auto& [part, offset] : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) throw_case_error(source, offset, "expected NAME=VALUE or NAME=FIRST:LAST:COUNT");
    const std::string name = trimmed(part.substr(0, equals));
    const auto found =
        std::find_if(solution.axes.begin(), solution.axes.end(), [&](const Axis& axis) { return axis.name == name; });
    if (found == solution.axes.end()) {
      std::string known;
      for (const Axis& axis : solution.axes) known += (known.empty() ? "" : ", ") + axis.name;
      throw_case_error(source, offset, fmt::format("'{}' is no dimension of this result; it has {}", name, known));
    }
    const auto axis = static_cast<std::size_t>(found - solution.axes.begin());
    if (std::find(result.given.begin(), result.given.end(), axis) != result.given.end())
      throw_case_error(source, offset, name + " is given twice");
    result.given.push_back(axis);

    std::vector<double> numbers;
    for (const auto& piece : split(part.substr(equals + 1), ':'))
      numbers.push_back(
          expression::evaluate_number(SourceText::from_argument(trimmed(piece.first), "--at"), the_case.constants));
    std::vector<double>& points = result.points[axis];
    if (numbers.size() == 1) {
      points = numbers;
    } else if (numbers.size() == 3 && numbers[2] >= 1 && numbers[2] <= kMaxPoints &&
               numbers[2] == std::floor(numbers[2])) {
      const auto count = static_cast<std::size_t>(numbers[2]);
      points.resize(count);
      for (std::size_t i = 0; i < count; ++i)
        points[i] = count == 1 ? numbers[0]
                               : numbers[0] + (numbers[1] - numbers[0]) * static_cast<double>(i) /
                                                  static_cast<double>(count - 1);
      if (count > 1) points.back() = numbers[1];
    } else {
      throw_case_error(source, offset, "expected NAME=VALUE or NAME=FIRST:LAST:COUNT with a whole COUNT of at least 1");
    }
    const StoredRange range = stored_range(*found, solution);
    for (double& z : points) {
      if (!range.holds(z)) throw_case_error(source, offset, outside_text(*found, range, z));
      z = range.clamped(z);
    }
    total *= static_cast<double>(points.size());
    if (total > kMaxPoints) throw_case_error(source, offset, "more than ten million points");
  }
  return result;
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& [part, offset] : split(text, ','))
    if (const std::size_t equals = part.find('='); equals != std::string::npos)
      names.push_back(trimmed(part.substr(0, equals)));
  return names;
}

}  // namespace gwrm::cli
