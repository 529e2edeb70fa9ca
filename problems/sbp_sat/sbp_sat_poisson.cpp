#include "problems/sbp_sat/sbp_sat_poisson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "core/log.hpp"
#include "core/memory.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/given_solution.hpp"
#include "problems/needed_intervals.hpp"
#include "problems/sbp_sat/device_solver.hpp"
#include "problems/sbp_sat/grid_operator.hpp"
#include "problems/sbp_sat/poisson_data_check.hpp"
#include "problems/sbp_sat/poisson_estimate.hpp"
#include "problems/sbp_sat/poisson_fields.hpp"
#include "problems/spare_accuracy.hpp"

namespace gwrm {
namespace {

using sbp::CgFailure;

// More values than this are not worth a line in the file: the first ones, and every so many.
constexpr std::size_t kMaxRecords = 20000;

// Grids up to here are made at once; before larger ones are made, their memory is estimated.
constexpr double kSmallGrid = 1 << 20;

std::vector<NewtonRecord> history_of(const sbp::PoissonAnswer& answer) {
  std::vector<NewtonRecord> records;
  const std::size_t step = 1 + answer.residuals.size() / kMaxRecords;
  for (std::size_t k = 0; k < answer.residuals.size(); k += step) {
    NewtonRecord record;
    record.iteration = static_cast<int>(k);
    record.residual = answer.residuals[k];
    record.correction = answer.residuals[k] * answer.error_factor;
    record.linear_iterations = static_cast<int>(k);
    records.push_back(record);
  }
  return records;
}

std::string kinds_of_sides(const sbp::Grid& grid) {
  int dirichlet = 0, flux = 0, robin = 0;
  for (const sbp::BoundarySide& side : grid.sides)
    ++(side.kind == sbp::ConditionKind::dirichlet ? dirichlet : side.kappa.empty() ? flux : robin);
  return fmt::format("{} with values, {} with fluxes, {} Robin", dirichlet, flux, robin);
}

// "x=0", and with several blocks along the side "x=0, y=0.5 .. 1".
std::string place_of(const Case& the_case, const sbp::BoundarySide& side) {
  const bool across_slow = side.side.across_slow;
  const Axis &across = the_case.domain[across_slow ? 0 : 1].axis, &along = the_case.domain[across_slow ? 1 : 0].axis;
  const std::string whole =
      fmt::format("{}={:g}", across.name, side.side.end == End::lower ? across.lower : across.upper);
  const std::vector<double>& edges = section_of<SbpSatCase>(the_case).edges[across_slow ? 1 : 0];
  if (edges.size() == 2) return whole;
  const std::size_t n_fast = section_of<SbpSatCase>(the_case).edges[1].size() - 1;
  const std::size_t part = across_slow ? at(side.block) % n_fast : at(side.block) / n_fast;
  return fmt::format("{}, {}={:g} .. {:g}", whole, along.name, edges[part], edges[part + 1]);
}

}  // namespace

SbpSatPoisson::SbpSatPoisson(const Case& the_case)
    : case_(the_case),
      model_(sbp::points_of(case_) > kSmallGrid ? sbp::outline_poisson_model(case_) : sbp::build_poisson_model(case_)),
      choice_(sbp::choose_solver(case_, model_.grid)),
      excess_(memory_excess()) {
  refuse_products(case_, "finite differences multiply no Chebyshev series");
  if (sbp::points_of(case_) > kSmallGrid && excess_.empty()) {
    model_ = sbp::build_poisson_model(case_);
    choice_ = sbp::choose_solver(case_, model_.grid);
  }
}

double SbpSatPoisson::memory_limit() const {
  return case_.solver.memory_gb > 0.0 ? case_.solver.memory_gb * 1e9 : static_cast<double>(available_memory());
}

std::string SbpSatPoisson::memory_excess() const {
  const double limit = memory_limit();
  const double needed = sbp::memory_of(choice_, model_.grid);
  if (needed <= limit) return {};
  const auto text = [](double bytes) { return format_bytes(static_cast<std::size_t>(bytes)); };
  const sbp::SolverChoice least{PoissonSolver::jacobi_cg, PoissonOperator::matrix_free, choice_.reduction};
  const double by_least = sbp::memory_of(least, model_.grid);
  const std::string other =
      by_least <= limit && by_least < needed
          ? fmt::format(", or sbp_sat.solver: jacobi_cg with operator: matrix_free, which needs {}", text(by_least))
          : "";
  return fmt::format("not enough memory: {} unknowns with {} need {}, there are {}: take fewer intervals{}{}",
                     model_.grid.size(), sbp::describe(choice_, model_.grid), text(needed), text(limit), other,
                     case_.solver.memory_gb > 0.0 ? ", or raise solver.memory" : "");
}

Summary SbpSatPoisson::summary() const {
  Summary summary;
  const auto line = [&](const std::string& name, const std::string& value) { summary.lines.emplace_back(name, value); };
  const sbp::Grid& grid = model_.grid;
  for (std::size_t d = 0; d < 2; ++d) {
    const Axis& axis = case_.domain[d].axis;
    const std::vector<int>& intervals = section_of<SbpSatCase>(case_).intervals[d];
    std::string counts;
    for (int n : intervals) counts += (counts.empty() ? "" : " + ") + std::to_string(n);
    line("dimension " + axis.name, fmt::format("[{:g}, {:g}], {} intervals", axis.lower, axis.upper, counts));
  }
  line("equation",
       fmt::format("-div(C grad {}) = {}", case_.unknowns.front().name, section_of<SbpSatCase>(case_).source.text));
  line("coefficient", fmt::format("{}{}", grid.constant() ? "constant" : "variable",
                                  model_.expressions->is_mapped() ? ", mapped" : ""));
  line("scheme", fmt::format("order {}, tau {:.6g} (bound {:.6g})", grid.order, grid.penalty(), grid.penalty_bound()));
  line("blocks", fmt::format("{}, {} interface{}", grid.blocks.size(), grid.interfaces.size(),
                             grid.interfaces.size() == 1 ? "" : "s"));
  line("sides", kinds_of_sides(grid));
  summary.n_unknowns = grid.size();
  summary.memory_bytes = static_cast<std::size_t>(sbp::memory_of(choice_, grid));
  summary.linear_solver = sbp::describe(choice_, grid);
  summary.device_pays = sbp::device_pays(choice_, grid);
  summary.one_thread = grid.size() < 20000;
  summary.scheme_order = grid.order;
  line("unknowns", std::to_string(grid.size()));
  line("linear solver", summary.linear_solver);
  line("memory", format_bytes(summary.memory_bytes) + (excess_.empty() ? "" : ", more than there is"));
  const sbp::PointExpressions& expressions = *model_.expressions;
  const std::string& u = case_.unknowns.front().name;
  summary.system = printed_definitions(expressions.pool());
  const expression::Expr source = expression::parse(expressions.pool(), section_of<SbpSatCase>(case_).source);
  summary.system.push_back({"equation", fmt::format("-div(C grad {}) = {}", u, expression::print(source)),
                            fmt::format("-\\nabla\\cdot(C\\nabla {}) = {}", u, expression::latex(source))});
  for (std::size_t i = 0; i < case_.boundary.size(); ++i) {
    const expression::Equation condition = expression::parse_equation(expressions.pool(), case_.boundary[i]);
    summary.system.push_back({fmt::format("condition {}", i + 1),
                              expression::print(condition.left) + " = " + expression::print(condition.right),
                              expression::latex(condition.left) + " = " + expression::latex(condition.right)});
  }
  if (model_.pure_neumann)
    summary.warnings.push_back(
        "fluxes on all sides: the unknown is determined but for a constant, its mean is set to 0");
  return summary;
}

RunOutcome SbpSatPoisson::run(const Context& given, const RunControl& control) {
  const auto seconds = [began = std::chrono::steady_clock::now()] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  if (!excess_.empty()) throw MemoryError(excess_);
  const Summary what = summary();
  const bool on_device = sbp::runs_on_device(given, choice_, model_.grid);
  const Context context = on_device ? given : given.without_device();
  if (given.backend() == Backend::cuda && !on_device)
    logger().info("this choice runs on the CPU: {}", sbp::why_not_on_device(choice_));
  if (control.solution) check_size(*control.solution, model_.grid.size());
  const sbp::PoissonAnswer answer = sbp::solve_poisson(context, case_, model_, choice_, control);
  RunOutcome outcome;
  RunReport& report = outcome.report = report_of(case_, what, context.device_name());
  if (control.solution) report.linear_solver = describe(*control.solution);
  report.n_linear_iterations = answer.iterations;
  if (answer.n_correction_iterations > 0)
    report.linear_solver += fmt::format(", then one correction for rounding of {} iteration{}",
                                        answer.n_correction_iterations, answer.n_correction_iterations == 1 ? "" : "s");
  report.warnings.insert(report.warnings.end(), answer.warnings.begin(), answer.warnings.end());
  report.newton = history_of(answer);
  const CgFailure failure = sbp::failure_of(answer, case_, choice_, model_.grid);
  outcome.status = failure.status;
  if (failure.status == ExitStatus::converged) {
    outcome.complete = true;
    sample(answer.u, outcome);
    sbp::PoissonEstimate estimate;
    if (case_.verification.estimate != EstimateChoice::off)
      estimate = sbp::estimate_poisson_error(context, case_, model_, choice_, answer, free_memory(), control);
    if (stopped_before_verdict(control, outcome)) return outcome;
    const bool is_made = estimate.error.status == ErrorEstimate::Status::made;
    report.verification = verify(answer, !is_made);
    sbp::check_poisson_data(case_, model_, is_made ? estimate.intervals : section_of<SbpSatCase>(case_).intervals,
                            report.verification.checks, report.warnings);
    check_data_files(case_, case_.verification.tolerance, report.verification.checks, report.warnings);
    add_estimate(report.verification, std::move(estimate.error), case_.verification.tolerance);
    advise_intervals(report.verification);
    if (!report.verification.passed()) {
      outcome.status = ExitStatus::unresolved;
      report.status = "verification failed";
      if (control.solution) report.reason = unsolved_reason(*control.solution, report.verification.checks);
      if (report.reason.empty()) report.reason = unseen_reason(report.verification.checks);
      if (report.reason.empty())
        report.reason = "the solution does not meet the tolerances of `verification`: " +
                        cure_of(given, control, report.verification, seconds());
      const std::string& why = report.verification.estimate.reason;
      if (!why.empty()) report.reason += "; " + why;
    }
    end_without_estimate(outcome);
  } else {
    report.status = failure.text;
    report.reason = failure.reason;
  }
  report.wall_seconds = seconds();
  return outcome;
}

// Of an answer that is far better than asked for.
void SbpSatPoisson::advise_intervals(Verification& verification) const {
  const double spare = spare_accuracy(case_, verification);
  if (spare == 0.0) return;
  const std::vector<std::vector<int>>& own = section_of<SbpSatCase>(case_).intervals;
  std::vector<std::vector<int>> enough = own;
  for (std::vector<int>& counts : enough)
    for (int& n : counts)
      n = static_cast<int>(enough_intervals(n, spare, model_.grid.order, model_.grid.least_intervals()));
  if (enough == own) return;
  std::vector<Check> unseen;
  std::vector<std::string> undecided;
  sbp::check_poisson_data(case_, model_, enough, unseen, undecided);
  if (unseen.empty() && undecided.empty())
    verification.estimate.advice = fmt::format("sbp_sat.intervals: {} may suffice", sbp::intervals_text(case_, enough));
}

// Of an answer that is not good enough.
std::string SbpSatPoisson::cure_of(const Context& context, const RunControl& control, const Verification& verification,
                                   double seconds) const {
  if (excess_error(case_, verification) == 0.0) return "try more intervals or a higher order";
  const auto with = [&](double finer) {
    auto section = std::make_shared<SbpSatCase>(section_of<SbpSatCase>(case_));
    for (std::vector<int>& counts : section->intervals)
      for (int& n : counts) n = static_cast<int>(finer_even(n, finer));
    Case result = case_;
    result.section = std::move(section);
    result.output.fields.clear();
    return result;
  };
  IntervalTrials trials;
  trials.order = model_.grid.order;
  trials.n_dimensions = 2;
  trials.points = static_cast<double>(model_.grid.size());
  trials.seconds = seconds;
  trials.interrupted = control.interrupted;
  trials.line = [&](double finer) {
    return "sbp_sat.intervals: " + sbp::intervals_text(case_, section_of<SbpSatCase>(with(finer)).intervals);
  };
  trials.fits = [&](double finer) {
    const Case finer_case = with(finer);
    const sbp::PoissonModel outline = sbp::outline_poisson_model(finer_case);
    return sbp::memory_of(sbp::choose_solver(finer_case, outline.grid), outline.grid) <= free_memory();
  };
  if (control.tries_proposals && !control.solution)
    trials.run = [&](double finer) {
      RunControl quiet;
      quiet.interrupted = control.interrupted;
      return SbpSatPoisson(with(finer)).run(context, quiet).report.verification;
    };
  const NeededIntervals needed = needed_intervals(case_, verification, trials);
  if (!needed.is_proposed) return "try a higher order; more intervals are not proposed: " + needed.text;
  return needed.text + "; or try a higher order";
}

// What an estimate may take once the solution is there.
double SbpSatPoisson::free_memory() const {
  return case_.solver.memory_gb > 0.0 ? case_.solver.memory_gb * 1e9 - sbp::memory_of_model(model_.grid)
                                      : static_cast<double>(available_memory());
}

Verification SbpSatPoisson::verify(const sbp::PoissonAnswer& answer, bool judge_system) const {
  Verification result;
  const double tolerance = case_.verification.tolerance;
  const std::string& name = case_.unknowns.front().name;
  const auto add = [&](const std::string& kind, const std::string& subject, double value, double allowed,
                       bool judged = true) {
    result.checks.push_back({kind, subject, value, allowed, judged});
  };
  const std::vector<double> weights = sbp::norm_weights(model_.grid);
  double square = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    square += weights[k] * answer.u[k] * answer.u[k];
    largest = std::max(largest, std::abs(answer.u[k]));
  }
  const double size = std::sqrt(square) > 0.0 ? std::sqrt(square) : 1.0;
  const double right_hand_side = answer.right_hand_side > 0.0 ? answer.right_hand_side : 1.0;
  add("system", "A u = b", answer.residual / right_hand_side, case_.verification.residual, judge_system);
  // No bound where the least eigenvalue was not found to be positive.
  const double factor = answer.error_factor > 0.0 ? answer.error_factor : std::numeric_limits<double>::infinity();
  add("algebraic", name, answer.residual * factor / size, tolerance, judge_system);
  for (std::size_t s = 0; s < model_.grid.sides.size(); ++s) {
    const sbp::BoundarySide& side = model_.grid.sides[s];
    if (side.kind != sbp::ConditionKind::dirichlet) continue;
    const sbp::SideLayout layout(model_.grid.blocks[side.block], side.side);
    double worst = 0.0;
    for (Index m = 0; m < layout.n; ++m)
      worst = std::max(worst, std::abs(answer.u[static_cast<std::size_t>(layout.first + m * layout.along)] -
                                       model_.data[s][static_cast<std::size_t>(m)]));
    add("boundary", fmt::format("{}({}), imposed weakly", name, place_of(case_, side)),
        worst / (largest > 0.0 ? largest : 1.0), tolerance);
  }
  if (model_.exact.empty()) return result;
  const sbp::FieldErrors errors = sbp::errors_against_exact(model_, answer.u, weights);
  add("error_max", name, errors.maximum, tolerance);
  add("error_l2", name, errors.l2, tolerance);
  add("error_h", name, errors.absolute, 0.0, false);
  return result;
}

void SbpSatPoisson::sample(const std::vector<double>& u, RunOutcome& outcome) const {
  for (const AxisCase& axis : case_.domain) {
    outcome.solution.axes.push_back(axis.axis);
    if (outcome.solution.subdomains.empty()) outcome.solution.subdomains.emplace_back();
    outcome.solution.subdomains.front().push_back({0, {axis.axis.lower, axis.axis.upper}});
  }
  outcome.grid = {model_.all_points.slow, model_.all_points.fast};
  outcome.fields = sbp::sampled_fields(case_, model_, u);
}

}  // namespace gwrm
