#include "cli/eval_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/eval_rows.hpp"
#include "cli/eval_scattered.hpp"
#include "output/points_file.hpp"

namespace gwrm::cli {
namespace {

std::string joined(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) text += (text.empty() ? "" : ", ") + axis.name;
  return text;
}

bool has(const std::vector<Axis>& axes, const std::string& name) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
}

// The first system that has all names which the user gives.
std::size_t system_of(const Options& options, const std::vector<std::vector<Axis>>& systems) {
  std::vector<std::string> given = names_in(options.at), known;
  std::string all;
  for (const std::vector<Axis>& axes : systems) {
    for (const Axis& axis : axes)
      if (std::find(known.begin(), known.end(), axis.name) == known.end()) known.push_back(axis.name);
    all += (all.empty() ? "" : " or ") + joined(axes);
  }
  if (!options.points_file.empty())
    for (const PointColumn& column : read_points(options.points_file, known)) given.push_back(column.name);
  for (std::size_t i = 0; i < systems.size(); ++i)
    if (std::all_of(given.begin(), given.end(), [&](const std::string& name) { return has(systems[i], name); }))
      return i;
  throw CaseError(fmt::format("--at: error: points of this result are given by {}", all));
}

// Every combination of the coordinates, the last fastest.
std::vector<std::vector<double>> all_points(const GridPoints& points) {
  std::size_t n = 1;
  for (const std::vector<double>& along : points) n *= along.size();
  std::vector<std::vector<double>> columns(points.size(), std::vector<double>(n));
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t rest = p;
    for (std::size_t axis = points.size(); axis-- > 0; rest /= points[axis].size())
      columns[axis][p] = points[axis][rest % points[axis].size()];
  }
  return columns;
}

ExitStatus eval_grid(const Options& options, const Case& the_case, const Solution& frame, std::size_t system,
                     const std::vector<SourceText>& texts, const StoredAnswer& answer) {
  const EvalPoints at = parse_eval_points(options.at, the_case, frame);
  for (std::size_t axis = 0; axis < frame.axes.size(); ++axis)
    if (std::find(at.given.begin(), at.given.end(), axis) == at.given.end())
      throw_case_error(texts.front(), 0,
                       fmt::format("this is wanted at points in {0}: give {1} with --at {1}=...", joined(frame.axes),
                                   frame.axes[axis].name));
  const std::vector<std::vector<double>> columns = all_points(at.points);
  ScatteredPoints points{columns.front().size(), {}};
  for (const std::vector<double>& column : columns) points.axes.emplace_back(column);
  for (std::size_t p = 0; p < points.count; ++p) {
    std::vector<double> point;
    for (const std::vector<double>& column : columns) point.push_back(column[p]);
    if (const std::string why = answer.outside(system, point); !why.empty()) throw CaseError("--at: error: " + why);
  }
  std::vector<Array> values;
  Shape shape;
  for (const std::vector<double>& along : at.points) shape.push_back(static_cast<Index>(along.size()));
  for (std::vector<double>& of_text : answer.values(system, texts, points)) {
    values.emplace_back();
    values.back().shape = shape;
    values.back().data = std::move(of_text);
  }
  print_rows(options, frame.axes, at, values, {});
  return ExitStatus::converged;
}

}  // namespace

ExitStatus eval_answer(const Options& options, const Case& the_case, const StoredRun& stored,
                       const StoredAnswer& answer) {
  if (options.error)
    throw CaseError(options.file + ": error: --error: this result has no fields of errors: leave --error out; the " +
                    "estimated error of each field is in the group verification of the file");
  const std::vector<std::vector<Axis>> systems = answer.coordinates();
  const std::size_t system = system_of(options, systems);
  Solution frame;
  frame.axes = systems[system];
  frame.window_edges = stored.solution.window_edges;
  std::vector<SourceText> texts;
  for (const std::string& text : options.expressions) texts.push_back(SourceText::from_argument(text, "--expr"));
  if (options.points_file.empty()) return eval_grid(options, the_case, frame, system, texts, answer);
  ScatteredAnswer scattered{frame, stored.report.title, texts, {}, {}, {}};
  scattered.varies = [](std::size_t, std::size_t) { return true; };
  scattered.outside = [&](const std::vector<double>& point) { return answer.outside(system, point); };
  scattered.evaluate = [&](const ScatteredPoints& points) {
    return ScatteredAnswer::Values{answer.values(system, texts, points), {}};
  };
  return eval_scattered(options, the_case, scattered);
}

}  // namespace gwrm::cli
