#include "cli/eval_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/parser.hpp"
#include "problems/time_spectral/time_reach.hpp"

namespace gwrm::cli {
namespace {

constexpr double kMostPoints = 1e7;

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

// The interval on which the file has the answer, and what round-off may add to it.
struct Range {
  double lower = 0.0, upper = 0.0;
  double slack() const { return 1e-12 * (upper - lower); }
  bool holds(double z) const { return z >= lower - slack() && z <= upper + slack(); }
};

Range range_of(const Axis& axis, const Solution& solution) {
  if (axis.kind != AxisKind::time) return {axis.lower, axis.upper};
  return {solution.window_edges.front(), solution.window_edges.back()};
}

std::string outside_text(const Axis& axis, const Range& range, double z) {
  const std::string text = fmt::format("{} = {:g} lies outside [{:g}, {:g}]", axis.name, z, range.lower, range.upper);
  if (z >= range.lower || range.lower <= axis.lower) return text;
  return text +
         "; the windows before were not kept (output: {coefficients: none}): their sampled fields are in the file, and "
         "a run with output: {coefficients: all} keeps them";
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
    } else if (numbers.size() == 3 && numbers[2] >= 1 && numbers[2] <= kMostPoints &&
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
    const Range range = range_of(*found, solution);
    for (double& z : points) {
      if (!range.holds(z)) throw_case_error(source, offset, outside_text(*found, range, z));
      z = std::clamp(z, range.lower, range.upper);
    }
    total *= static_cast<double>(points.size());
    if (total > kMostPoints) throw_case_error(source, offset, "more than ten million points");
  }
  return result;
}

void check_times(const SourceText& source, const expression::Pool& pool, expression::Expr e, const Solution& solution) {
  const int time = solution.time_axis();
  TimeReach reach = time_reach(pool, e, time);
  if (reach.none()) return;
  const Axis& axis = solution.axes[at(time)];
  const Range range = range_of(axis, solution);
  if (reach.whole) reach.times.insert(reach.times.end(), {axis.lower, axis.upper});
  for (double t : reach.times)
    if (!range.holds(t)) throw_case_error(source, 0, outside_text(axis, range, t));
}

}  // namespace gwrm::cli
