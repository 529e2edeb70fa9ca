#include "problems/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "output/hdf5_file.hpp"
#include "problems/task_farm/task_farm.hpp"

namespace gwrm {
namespace {

// The fields of a complete run with the axes they lie on.
class FieldsOfRun {
 public:
  FieldsOfRun(const RunOutcome& outcome, SweepRun& run) : outcome_(outcome), run_(run) {}

  void add_samples() {
    for (const SampledField& field : outcome_.fields)
      run_.arrays.push_back(
          {"", field.name, field.expression, field.expression, field.error_of, axes_of(field.axes), field.values});
  }

  void add_statistics() {
    for (const FieldStatistics& field : outcome_.statistics)
      for (const StatisticsQuantity& quantity : kStatisticsQuantities) {
        std::vector<std::string> axes = axes_of(field.statistics.axes);
        if (quantity.per_parameter) axes.insert(axes.begin(), parameters(field.statistics.parameters));
        run_.arrays.push_back({"statistics", field.name + "_" + quantity.suffix, quantity.prefix + field.name,
                               field.expression, "", axes, field.statistics.*quantity.array});
        Shape& shape = run_.arrays.back().values.shape;
        if (quantity.per_parameter && shape.size() + 1 == axes.size())
          shape.insert(shape.begin(), static_cast<Index>(field.statistics.parameters.size()));
      }
    for (const FieldStatistics& field : outcome_.statistics)
      if (!field.statistics.quantile.data.empty()) add_quantiles(field);
  }

 private:
  std::vector<std::string> axes_of(const std::vector<int>& axes) {
    std::vector<std::string> names;
    for (const int number : axes) {
      const Axis& axis = outcome_.solution.axes.at(static_cast<std::size_t>(number));
      names.push_back(axis.name);
      add({axis.name, axis.kind == AxisKind::time, outcome_.grid.at(static_cast<std::size_t>(number)), {}});
    }
    return names;
  }

  void add_quantiles(const FieldStatistics& field) {
    std::vector<std::string> axes = axes_of(field.statistics.axes);
    add({"quantile", false, field.statistics.probabilities, {}});
    axes.insert(axes.begin(), "quantile");
    run_.arrays.push_back({"statistics", field.name + "_quantile", "quantiles of " + field.name, field.expression, "",
                           axes, field.statistics.quantile});
  }

  std::string parameters(const std::vector<int>& axes) {
    std::vector<std::string> names;
    for (const int axis : axes) names.push_back(outcome_.solution.axes.at(static_cast<std::size_t>(axis)).name);
    add({"parameter", false, {}, names});
    return "parameter";
  }

  void add(SweepAxis axis) {
    for (const SweepAxis& known : run_.axes)
      if (known.name == axis.name) return;
    run_.axes.push_back(std::move(axis));
  }

  const RunOutcome& outcome_;
  SweepRun& run_;
};

}  // namespace

SweepRun sweep_run_of(std::size_t number, const RunOutcome& outcome) {
  const RunReport& report = outcome.report;
  SweepRun run;
  run.run = number;
  run.exit_status = static_cast<int>(outcome.status);
  run.status = report.status;
  run.reason = report.reason;
  run.n_unknowns = report.n_unknowns;
  run.n_newton_iterations = report.n_newton_iterations;
  run.n_linear_iterations = report.n_linear_iterations;
  run.n_windows = report.n_windows;
  run.wall_seconds = report.wall_seconds;
  if (!outcome.complete) return run;
  const Verification& verification = report.verification;
  run.verdict = verification.verdict();
  for (const FieldError& error : verification.estimate.fields)
    run.estimates.push_back({error.field, error.total(), error.at_end});
  for (const Goal& goal : verification.goals) run.goals.push_back({goal.name, goal.value, goal.error});
  for (const Check& check : verification.checks) run.checks.push_back({check.kind, check.subject, check.value});
  FieldsOfRun fields(outcome, run);
  fields.add_samples();
  fields.add_statistics();
  return run;
}

std::string run_file_name(std::size_t run, std::size_t n_runs) {
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(n_runs - 1).size());
  return fmt::format("{:0{}}.h5", run, digits);
}

std::vector<std::size_t> order_of_runs(const std::vector<bool>& ended, const SweepCosts& costs) {
  std::vector<std::size_t> order;
  for (std::size_t run = 0; run < ended.size(); ++run)
    if (!ended[run]) order.push_back(run);
  if (!costs.unknowns.empty())
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return costs.unknowns[a] > costs.unknowns[b]; });
  return order;
}

}  // namespace gwrm
