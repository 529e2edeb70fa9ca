#include "cli/eval_scattered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "api/stored_range.hpp"
#include "case/quantities_section.hpp"
#include "cli/eval_columns.hpp"
#include "cli/eval_points.hpp"
#include "cli/written_names.hpp"
#include "core/context.hpp"
#include "core/log.hpp"
#include "expression/number_text.hpp"
#include "output/points_file.hpp"

namespace gwrm::cli {
namespace {

class ScatteredEvaluation {
 public:
  ScatteredEvaluation(const Options& options, const ScatteredAnswer& answer) : options_(options), answer_(answer) {}

  void read_coordinates(const Case& the_case) {
    std::vector<std::string> names;
    for (const Axis& axis : axes()) names.push_back(axis.name);
    columns_ = read_points(options_.points_file, names);
    column_of_.assign(axes().size(), -1);
    for (std::size_t axis = 0; axis < axes().size(); ++axis)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].name == axes()[axis].name) column_of_[axis] = static_cast<int>(c);
    fixed_ = parse_eval_points(options_.at, the_case, answer_.frame);
    for (std::size_t axis : fixed_.given) {
      if (column_of_[axis] >= 0)
        throw CaseError(fmt::format("--at: error: {} is in {}, too: give it once", names[axis], options_.points_file));
      if (fixed_.points[axis].size() != 1)
        throw CaseError(fmt::format("--at: error: with --points one value of {} for all points", names[axis]));
    }
  }

  void check_dimensions() const {
    for (std::size_t e = 0; e < answer_.texts.size(); ++e)
      for (std::size_t axis = 0; axis < axes().size(); ++axis)
        if (answer_.varies(e, axis) && column_of_[axis] < 0 &&
            std::find(fixed_.given.begin(), fixed_.given.end(), axis) == fixed_.given.end())
          throw_case_error(answer_.texts[e], 0,
                           fmt::format("this varies along {0}, and {1} has no {0}: add it there, or give one value for "
                                       "all points with --at {0}=...",
                                       axes()[axis].name, options_.points_file));
  }

  // Round-off at the ends is cut off; what is outside is counted.
  void find_outside() {
    std::vector<bool> is_outside(count(), false);
    std::string text;
    std::size_t first = count();
    for (std::size_t axis = 0; axis < axes().size(); ++axis) {
      if (column_of_[axis] < 0) continue;
      const StoredRange range = stored_range(axes()[axis], answer_.frame);
      std::vector<double>& z = columns_[at(column_of_[axis])].values;
      for (std::size_t p = 0; p < z.size(); ++p) {
        if (range.holds(z[p])) {
          z[p] = range.clamped(z[p]);
          continue;
        }
        is_outside[p] = true;
        if (p >= first) continue;
        first = p;
        text = outside_text(axes()[axis], range, z[p]);
      }
    }
    for (std::size_t p = 0; answer_.outside && p < count(); ++p) {
      std::vector<double> point;
      for (const std::span<const double> along : points().axes) point.push_back(along[along.size() == 1 ? 0 : p]);
      const std::string why = is_outside[p] ? "" : answer_.outside(point);
      if (why.empty()) continue;
      is_outside[p] = true;
      if (p < first) first = p, text = why;
    }
    n_outside_ = static_cast<std::size_t>(std::count(is_outside.begin(), is_outside.end(), true));
    if (n_outside_ > 0)
      logger().warn(
          "{} of {} points lie outside the answer and have no values (NaN); the first is point {} (counted "
          "from 0): {}",
          n_outside_, count(), first, text);
  }

  void evaluate() {
    ScatteredAnswer::Values found = answer_.evaluate(points());
    device_ = found.device;
    std::vector<std::string> texts;
    for (const SourceText& source : answer_.texts) texts.push_back(source.text);
    const std::vector<std::string> names = value_names(texts, axes(), !found.errors.empty());
    for (std::size_t e = 0; e < texts.size(); ++e) {
      const std::string &text = texts[e], &name = names[e];
      values_.push_back({name, text, std::move(found.values[e])});
      if (!found.errors.empty())
        values_.push_back({name + "_error", "error of " + text, std::move(found.errors[e]), name});
    }
  }

  void write_file(const Quantities& quantities) const {
    write_points(options_.output, {answer_.title, options_.command_line, device_, columns_, values_, quantities},
                 options_.overwrite);
    if (options_.json)
      std::cout << nlohmann::ordered_json{{"exit_status", 0},
                                          {"file", options_.output},
                                          {"n_points", count()},
                                          {"n_outside", n_outside_}}
                       .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                << "\n";
    else if (options_.verbosity != Verbosity::quiet)
      std::cout << fmt::format("wrote {}: {} points\n", options_.output, count());
  }

  void print_csv() const {
    std::string text;
    for (const PointColumn& column : columns_) text += (text.empty() ? "" : ",") + column.name;
    for (const PointValues& values : values_) text += "," + values.name;
    text += "\n";
    for (std::size_t p = 0; p < count(); ++p) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        text += (c > 0 ? "," : "") + expression::number_text(columns_[c].values[p]);
      for (const PointValues& values : values_) text += "," + expression::number_text(values.values[p]);
      text += "\n";
      if (text.size() < kBuffer) continue;
      std::cout << text;
      text.clear();
    }
    std::cout << text;
  }

  // The object of `gwrm eval --at`, row by row: it is never in memory as a whole.
  void print_json() const {
    nlohmann::ordered_json expressions = options_.expressions;
    std::cout << "{\n  \"exit_status\": 0,\n  \"expressions\": " << expressions.dump()
              << ",\n  \"n_outside\": " << n_outside_ << ",\n  \"points\": [";
    for (std::size_t p = 0; p < count(); ++p) {
      nlohmann::ordered_json row = nlohmann::ordered_json::object();
      for (const PointColumn& column : columns_) row[column.name] = column.values[p];
      std::vector<double> values, errors;
      for (const PointValues& one : values_) (one.error_of.empty() ? values : errors).push_back(one.values[p]);
      row["values"] = values;
      if (!errors.empty()) row["errors"] = errors;
      std::cout << (p > 0 ? ",\n    " : "\n    ") << row.dump();
    }
    std::cout << "\n  ]\n}\n";
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16;

  const std::vector<Axis>& axes() const { return answer_.frame.axes; }
  ScatteredPoints points() const {
    ScatteredPoints points;
    points.count = count();
    for (std::size_t axis = 0; axis < axes().size(); ++axis)
      points.axes.push_back(column_of_[axis] >= 0 ? std::span<const double>(columns_[at(column_of_[axis])].values)
                                                  : std::span<const double>(fixed_.points[axis]));
    return points;
  }
  std::size_t count() const { return columns_.front().values.size(); }

  const Options& options_;
  const ScatteredAnswer& answer_;
  std::vector<PointColumn> columns_;
  std::vector<int> column_of_;  // per axis of the solution; -1: not in the file
  EvalPoints fixed_;
  std::size_t n_outside_ = 0;
  std::string device_ = "cpu";
  std::vector<PointValues> values_;
};

}  // namespace

ScatteredAnswer scattered_answer(const Options& options, const StoredRun& stored, const expression::Pool& pool,
                                 const std::vector<WantedExpression>& wanted, const EvalErrors* errors) {
  ScatteredAnswer answer;
  answer.frame.axes = stored.solution.axes;
  answer.frame.window_edges = stored.solution.window_edges;
  answer.title = stored.report.title;
  for (const WantedExpression& one : wanted) answer.texts.push_back(one.source);
  answer.varies = [&wanted](std::size_t e, std::size_t axis) {
    return (wanted[e].lowered->facts.axes >> axis & 1u) != 0;
  };
  answer.evaluate = [&options, &stored, &pool, &wanted, errors](const ScatteredPoints& points) {
    std::vector<expression::Expr> lowered;
    for (const WantedExpression& one : wanted) lowered.push_back(one.lowered);
    const Context context =
        Context::create(options.backend == "cuda" ? BackendChoice::cuda : BackendChoice::cpu, options.threads);
    ScatteredAnswer::Values found;
    if (context.backend() == Backend::cuda) found.device = context.device_name();
    logger().info("{} points on {}", points.count, context.device_name());
    found.values = evaluate_points(context, pool, stored.solution, lowered, points);
    if (errors != nullptr)
      for (const WantedExpression& one : wanted)
        found.errors.push_back(errors->of(one.source, one.lowered, points, context));
    return found;
  };
  return answer;
}

ExitStatus eval_scattered(const Options& options, const Case& the_case, const ScatteredAnswer& answer) {
  if (!options.output.empty()) {
    check_written_names({options.output}, {options.file, options.points_file});
    check_output_path(options.output, options.overwrite);
  }
  ScatteredEvaluation evaluation(options, answer);
  evaluation.read_coordinates(the_case);
  evaluation.check_dimensions();
  evaluation.find_outside();
  evaluation.evaluate();
  if (!options.output.empty())
    evaluation.write_file(quantities_of(the_case));
  else if (options.json)
    evaluation.print_json();
  else
    evaluation.print_csv();
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
