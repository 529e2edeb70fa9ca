#include "problems/time_spectral/time_spectral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/memory.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/time_spectral/corner_conflicts.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/verification.hpp"

namespace gwrm {
namespace {

// Scaled Jacobians of well-posed problems stay far above; dependent equations polluted by round-off come out near eps.
constexpr double kSuspiciousCondition = 1e-15;

double first_start(const Model& model) {
  return model.window_edges.empty() ? 0.0 : model.window_edges.front();
}
double first_end(const Model& model) {
  return model.window_edges.empty() ? 1.0 : model.window_edges[1];
}

// Unknowns of one field in one linear system.
double field_unknowns(const Model& model, const FieldModel& field) {
  double count = 1.0;
  for (int axis : field.axes) {
    if (model.is_collocated(axis)) continue;
    const bool nodal = model.axes[at(axis)].kind == AxisKind::time && model.weighting == Weighting::radau;
    count *= model.degrees[at(axis)] + (nodal ? 0 : 1);
  }
  return count;
}

struct Size {
  double n_unknowns = 0.0;
  double bytes = 0.0;
};

// The Jacobian, its factored copy, and the largest block and axis kernel (linear_block.hpp) while it is assembled.
Size estimate(const Model& model) {
  Size size;
  double largest = 0.0, kernel = 0.0;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if (model.is_modal(static_cast<int>(axis))) kernel = std::max(kernel, 1.5 * std::pow(model.degrees[axis] + 1.0, 3));
  for (const FieldModel& field : model.fields) {
    const double n = field_unknowns(model, field);
    size.n_unknowns += n;
    largest = std::max(largest, n);
  }
  size.bytes = 8.0 * (2.0 * size.n_unknowns * size.n_unknowns + largest * largest + kernel);
  return size;
}

void check_degrees(const Model& model) {
  for (const EquationModel& equation : model.equations)
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      if (equation.orders[axis] > model.degrees[axis])
        throw_case_error(
            equation.text, 0,
            fmt::format("order {} along {} needs resolution.degree.{} of at least {}, it is {}", equation.orders[axis],
                        model.axes[axis].name, model.axes[axis].name, equation.orders[axis], model.degrees[axis]));
}

void check_memory(const Case& problem, const Model& model) {
  const Size size = estimate(model);
  const double limit =
      problem.solver.memory_gb > 0.0 ? problem.solver.memory_gb * 1e9 : static_cast<double>(available_memory());
  if (size.bytes <= limit) return;
  const auto bytes = [](double value) {
    return format_bytes(value < 9e18 ? static_cast<std::size_t>(value) : static_cast<std::size_t>(9e18));
  };
  throw MemoryError(
      fmt::format("not enough memory: the dense system of {:.0f} unknowns needs {}, {} {}. Lower resolution.degree "
                  "(half of it in one dimension "
                  "needs a quarter of the memory), use more time windows of lower degree (resolution.domains.t), or "
                  "solve parameters by "
                  "collocation",
                  size.n_unknowns, bytes(size.bytes), bytes(limit),
                  problem.solver.memory_gb > 0.0 ? "are allowed by solver.memory" : "are free"));
}

NewtonOptions newton_options(const Case::Solver::Newton& newton) {
  NewtonOptions options{newton.tolerance, newton.max_iterations, Globalisation::natural};
  if (newton.globalisation == GlobalisationChoice::none) options.globalisation = Globalisation::none;
  if (newton.globalisation == GlobalisationChoice::sir) options.globalisation = Globalisation::sir;
  return options;
}

ExitStatus exit_status(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::converged:
    case NewtonStatus::converged_at_roundoff:
      return ExitStatus::converged;
    case NewtonStatus::iteration_limit:
    case NewtonStatus::damping_failed:
      return ExitStatus::not_converged;
    case NewtonStatus::singular:
      return ExitStatus::singular;
    case NewtonStatus::not_finite:
      return ExitStatus::not_finite;
    case NewtonStatus::interrupted:
      return ExitStatus::interrupted;
  }
  return ExitStatus::internal_error;
}

std::string advice(NewtonStatus status, bool has_time) {
  switch (status) {
    case NewtonStatus::iteration_limit:
    case NewtonStatus::damping_failed:
      return has_time ? "try more time windows (resolution.domains.t), a higher degree, or solver.newton.max_iterations"
                      : "try a better start under `guess`, a higher degree, or solver.newton.max_iterations";
    case NewtonStatus::singular:
      return "look for a condition that says the same as another, a missing gauge (a constant that nothing fixes), or "
             "an unknown "
             "that an equation does not determine";
    case NewtonStatus::not_finite:
      return "look for a logarithm, root, power or quotient that leaves its domain, in the data or at the start "
             "(`guess`)";
    default:
      return {};
  }
}

std::vector<double> sample_points(const Case& problem, const Axis& axis) {
  for (const GridAxis& grid : problem.output.grid) {
    if (grid.axis != axis.name) continue;
    if (grid.count == 0) return grid.points;
    std::vector<double> points;
    for (int i = 0; i < grid.count; ++i) {
      const double s = grid.count == 1 ? 0.0 : static_cast<double>(i) / (grid.count - 1);
      points.push_back(axis.map == MapKind::log ? axis.lower * std::pow(axis.upper / axis.lower, s)
                                                : axis.lower + s * (axis.upper - axis.lower));
    }
    if (grid.count > 1) points.back() = axis.upper;
    return points;
  }
  return {axis.lower, axis.upper};
}

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

}  // namespace

TimeSpectral::TimeSpectral(const Case& problem) : case_(problem), model_(build_model(problem)) {
  check_degrees(model_);
  // The output's expressions and known values are checked before anything is computed.
  for (const NamedExpression& field : case_.output.fields)
    expression::lower(*model_.pool, expression::parse(*model_.pool, field.text));
  for (const ReferenceValue& value : case_.verification.values) known_value_expression(model_, value);
}

Summary TimeSpectral::summary() const {
  Summary summary;
  const Size size = estimate(model_);
  auto line = [&](const std::string& name, const std::string& value) { summary.lines.emplace_back(name, value); };
  for (std::size_t i = 0; i < model_.axes.size(); ++i) {
    const Axis& axis = model_.axes[i];
    const char* kind = axis.kind == AxisKind::time ? "time" : axis.kind == AxisKind::space ? "space" : "parameter";
    std::string how = fmt::format("{} in [{:g}, {:g}], degree {}", kind, axis.lower, axis.upper, model_.degrees[i]);
    if (axis.map == MapKind::log) how += ", log map";
    if (axis.kind == AxisKind::time)
      how += fmt::format(", {} window{}, {} weighting", model_.window_edges.size() - 1,
                         model_.window_edges.size() == 2 ? "" : "s",
                         model_.weighting == Weighting::radau ? "radau" : "chebyshev");
    if (model_.is_collocated(static_cast<int>(i)))
      how += ", solved at each of its " + std::to_string(model_.degrees[i] + 1) + " Gauss points";
    else if (axis.kind == AxisKind::parameter)
      how += ", coupled";
    line("dimension " + axis.name, how);
  }
  for (std::size_t e = 0; e < model_.equations.size(); ++e) {
    const EquationModel& equation = model_.equations[e];
    std::vector<std::string> orders;
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis)
      if (equation.orders[axis] > 0)
        orders.push_back(fmt::format("{} along {}", equation.orders[axis], model_.axes[axis].name));
    const int degree = equation.residual->facts.degree;
    const std::string kind = degree <= 1                            ? "linear"
                             : degree >= expression::kNonPolynomial ? "non-polynomial"
                                                                    : fmt::format("polynomial of degree {}", degree);
    line(fmt::format("equation {}", e + 1),
         fmt::format("{}   [for {}; {}; order {}]", equation.text.text, model_.fields[at(equation.field)].name, kind,
                     orders.empty() ? "0" : join(orders, ", ")));
  }
  for (std::size_t c = 0; c < model_.conditions.size(); ++c)
    line(fmt::format("condition {}", c + 1),
         fmt::format("{}   [closes {} of equation {}]", model_.conditions[c].text.text,
                     model_.axes[at(model_.conditions[c].axis)].name, model_.conditions[c].equation + 1));
  for (const FieldModel& field : model_.fields)
    line("unknown " + field.name,
         fmt::format("{:.0f} numbers, dt up to order {}", field_unknowns(model_, field), field.time_order));
  summary.n_unknowns = static_cast<Index>(size.n_unknowns);
  summary.memory_bytes = static_cast<std::size_t>(std::min(size.bytes, 9e18));
  summary.linear_solver = "dense LU";
  line("unknowns",
       fmt::format("{:.0f} per window{}", size.n_unknowns, model_.linear ? ", linear: one Newton step" : ""));
  line("memory", format_bytes(summary.memory_bytes));
  line("linear solver", summary.linear_solver);
  summary.warnings = model_.warnings;
  const Discretisation first(model_, parameter_points(model_).front(), first_start(model_), first_end(model_));
  for (const CornerConflict& conflict : corner_conflicts(model_, first))
    summary.warnings.push_back(describe(model_, conflict));
  return summary;
}

RunOutcome TimeSpectral::run(const Context& context, const ProgressSink& progress,
                             const std::function<bool()>& interrupted) {
  const auto began = std::chrono::steady_clock::now();
  check_memory(case_, model_);
  const Summary what = summary();
  RunOutcome outcome;
  RunReport& report = outcome.report;
  report.title = case_.title;
  report.case_text = case_.resolved_text;
  report.device = context.device_name();
  report.linear_solver = what.linear_solver;
  report.n_unknowns = static_cast<int>(what.n_unknowns);
  report.warnings = what.warnings;

  const SystemPlan plan(model_);
  const std::vector<std::vector<double>> points = parameter_points(model_);
  const int windows_per_point = std::max<int>(1, static_cast<int>(model_.window_edges.size()) - 1);
  const int total = windows_per_point * static_cast<int>(points.size());
  std::vector<std::vector<std::vector<Array>>> solved;
  std::size_t n_windows = 0;
  double smallest_condition = 1.0;
  outcome.status = ExitStatus::converged;
  for (std::size_t p = 0; p < points.size(); ++p) {
    int done = static_cast<int>(p) * windows_per_point;
    MarchResult result = march(
        context, model_, plan, newton_options(case_.solver.newton), points[p], static_cast<int>(p),
        [&](int, const NewtonResult& newton) {
          progress(
              ++done, total,
              fmt::format("{} Newton iteration{}", newton.iterations.size(), newton.iterations.size() == 1 ? "" : "s"));
        },
        interrupted);
    report.newton.insert(report.newton.end(), result.newton.begin(), result.newton.end());
    report.n_factorisations += result.n_factorisations;
    smallest_condition = std::min(smallest_condition, result.reciprocal_condition);
    n_windows = result.windows.size();
    solved.push_back(std::move(result.windows));
    if (succeeded(result.status)) continue;

    outcome.status = exit_status(result.status);
    std::string where;
    if (!model_.window_edges.empty())
      where =
          fmt::format("window {} of {} (t = {:.6g} .. {:.6g}), ", result.failed_window + 1, windows_per_point,
                      model_.window_edges[at(result.failed_window)], model_.window_edges[at(result.failed_window) + 1]);
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis)
      if (model_.is_collocated(static_cast<int>(axis)))
        where += fmt::format("{} = {:.6g}, ", model_.axes[axis].name, points[p][axis]);
    const std::size_t iteration =
        std::count_if(result.newton.begin(), result.newton.end(),
                      [&](const NewtonRecord& record) { return record.window == result.failed_window; });
    report.status = to_string(result.status);
    report.reason = fmt::format("{}iteration {}", where, iteration);
    if (!result.detail.empty()) report.reason += ": " + result.detail;
    const std::string cure = advice(result.status, !model_.window_edges.empty());
    if (!cure.empty()) report.reason += "; " + cure;
    break;
  }
  if (outcome.status == ExitStatus::converged && smallest_condition < kSuspiciousCondition)
    report.warnings.push_back(
        fmt::format("the Jacobian is nearly singular (1/cond = {:.1e}): look for a condition said twice or a "
                    "constant that nothing fixes; round-off may have chosen it",
                    smallest_condition));
  report.n_newton_iterations = static_cast<int>(report.newton.size());
  outcome.complete = outcome.status == ExitStatus::converged;
  // Windows complete for every parameter point: all of them, or what a single march has reached.
  const bool has_something = n_windows > 0 && solved.size() == points.size();
  if (has_something) {
    outcome.solution = assemble_solution(model_, solved, n_windows);
    for (const Axis& axis : model_.axes) {
      std::vector<double> grid = sample_points(case_, axis);
      if (axis.kind == AxisKind::time) {
        const double last = outcome.solution.window_edges.back();
        std::erase_if(grid, [&](double t) { return t > last; });
        if (grid.empty()) grid = {last};
      }
      outcome.grid.push_back(std::move(grid));
    }
    for (const NamedExpression& field : case_.output.fields) {
      const expression::Expr e = expression::lower(*model_.pool, expression::parse(*model_.pool, field.text));
      SampledField sampled{field.name, field.text.text, {}, {}};
      GridPoints grid = outcome.grid;
      for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        if ((e->facts.axes >> axis & 1u) != 0)
          sampled.axes.push_back(static_cast<int>(axis));
        else
          grid[axis].resize(1);
      }
      sampled.values = evaluate(*model_.pool, outcome.solution, e, grid);
      sampled.values.shape.clear();
      for (int axis : sampled.axes) sampled.values.shape.push_back(static_cast<Index>(grid[at(axis)].size()));
      outcome.fields.push_back(std::move(sampled));
    }
  }
  if (outcome.complete) {
    report.verification = verify(case_, model_, outcome.solution);
    if (!report.verification.passed()) {
      outcome.status = ExitStatus::unresolved;
      report.status = "verification failed";
      report.reason =
          "the solution does not meet the tolerances of `verification`: raise the degrees or the number of windows "
          "where the tails are large";
    }
  }
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return outcome;
}

}  // namespace gwrm
