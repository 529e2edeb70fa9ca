#include "problems/ball/ball_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "core/log.hpp"
#include "core/memory.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "output/device_report.hpp"
#include "problems/ball/ball_samples.hpp"
#include "problems/ball/ball_verification.hpp"
#include "problems/ball/data_search.hpp"
#include "problems/ball/direct_windows.hpp"
#include "problems/ball/evolving_terms.hpp"
#include "problems/ball/given_flow.hpp"
#include "problems/ball/growth.hpp"
#include "problems/ball/order_sets.hpp"
#include "problems/ball/reactions.hpp"
#include "problems/ball/term_text.hpp"
#include "problems/ball/wall_conditions.hpp"

namespace gwrm {

using namespace ball;

namespace {

constexpr double kWindowsExpected = 48;

// Coefficients of the windows and the work on one, with the finer run of the estimate.
std::size_t memory_of(const BallSpace& space, std::size_t n_windows) {
  const double count = n_windows == 0 ? kWindowsExpected : static_cast<double>(n_windows);
  const auto t = static_cast<double>(space.degrees().t + 1), size = static_cast<double>(space.series().size());
  return static_cast<std::size_t>(8.0 * t * size * (2.5 * count + 8.0));
}

// The fields on the points of the products and the vectors of GMRES, in the finer run some two times as many.
std::size_t evolving_memory(const BallSpace& space, const EvolvingTerms& evolving) {
  if (!evolving.any()) return 0;
  const auto t = static_cast<double>(space.degrees().t), size = static_cast<double>(space.unknowns().size());
  return static_cast<std::size_t>(2.0 * 8.0 * t * (2.0 * static_cast<double>(evolving.n_numbers()) + 60.0 * size));
}

// " + a", " - a" of "-a".
std::string plus(const std::string& term) {
  return term.front() == '-' ? " - " + term.substr(1) : " + " + term;
}

// kappa*lap(u) - kappa_4*lap(lap(u)), in text and LaTeX.
std::pair<std::string, std::string> diffusion_text(const BallField& field, const std::string& name,
                                                   const std::string& in_latex) {
  std::string text, latex;
  if (field.diffusivity > 0.0) {
    text = fmt::format("{:g}*lap({})", field.diffusivity, name);
    latex = fmt::format("{:g}\\,\\nabla^2 {}", field.diffusivity, in_latex);
  }
  if (field.hyperdiffusion > 0.0) {
    text += fmt::format("{}{:g}*lap(lap({}))", text.empty() ? "-" : " - ", field.hyperdiffusion, name);
    latex += fmt::format(" - {:g}\\,\\nabla^4 {}", field.hyperdiffusion, in_latex);
  }
  return {text, latex};
}

std::string latex_of(std::string wall, double radius) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = wall.find(from); at != std::string::npos; at = wall.find(from, at + to.size()))
      wall.replace(at, from.size(), to);
  };
  replace("dr(", "\\partial_r (");
  replace("*", "\\,");
  return fmt::format("{} \\quad (r = {:g})", wall, radius);
}

void add_growth(const GrowthResult& growth, const GrowthCase& wanted, std::vector<Check>& checks) {
  for (std::size_t i = 0; i < growth.modes.size(); ++i)
    checks.push_back(
        {"growth",
         fmt::format("mode {}: {:.9g}, frequency {:.9g}", i + 1, growth.modes[i].rate, growth.modes[i].frequency),
         growth.modes[i].residual, wanted.tolerance});
}

void add_growth(const GrowthResult& growth, ArrayGroup& group) {
  NamedDimension numbers{"mode", "number of the mode, the fastest growing first", {}};
  NamedArray rate{"growth_rate", {"mode"}, {}, {}}, frequency{"growth_frequency", {"mode"}, {}, {}},
      residual{"growth_residual", {"mode"}, {}, {}};
  for (const GrowthMode& mode : growth.modes) {
    numbers.points.push_back(static_cast<double>(numbers.points.size() + 1));
    rate.values.push_back(mode.rate);
    frequency.values.push_back(mode.frequency);
    residual.values.push_back(mode.residual);
  }
  group.dimensions.push_back(std::move(numbers));
  for (NamedArray* array : {&rate, &frequency, &residual}) group.arrays.push_back(std::move(*array));
}

// Whether something has failed besides what the user knows better, whose mistake that may be.
bool is_for_degrees(const Verification& verification) {
  return std::any_of(verification.checks.begin(), verification.checks.end(), [](const Check& check) {
    return !check.passed() && check.kind != "error_max" && check.kind != "error_l2" && check.kind != "value";
  });
}

// Whether the space does not hold the data.
bool is_of_data(const Verification& verification) {
  return std::any_of(verification.checks.begin(), verification.checks.end(), [](const Check& check) {
    return !check.passed() && (check.kind == "initial" || check.kind == "data");
  });
}

// What to do if only growth rates fail: shorter windows of the run do not change them.
std::string reason_of(const Verification& verification) {
  double residual = 0.0;
  bool only_growth = true, in_finer_space = false;
  for (const Check& check : verification.checks) {
    if (check.passed()) continue;
    if (check.kind == "growth")
      residual = std::max(residual, check.value);
    else if (check.kind == "goal")
      in_finer_space = true;
    else
      only_growth = false;
  }
  if (!only_growth)
    return "the answer does not meet the tolerances of `verification`: raise the degrees of ball.degree, or lower "
           "ball.tolerance for shorter windows";
  if (residual > 0.0)
    return fmt::format(
        "the search for growth rates ended before the residuals met growth.tolerance: ask for fewer "
        "growth.modes, or set growth.tolerance to {:.1e}",
        2.0 * residual);
  return in_finer_space ? "the growth rates change in a finer space: raise r and l of ball.degree" : "";
}

}  // namespace

BallProblem::BallProblem(const Case& the_case)
    : case_(the_case), model_(case_), space_(model_.parts(), first_degrees(model_)) {
  if (model_.section().flow.is_there()) GivenFlow{model_};  // refuses what is none
  Reactions{model_};                                        // likewise
  check_orders(model_);
  check_array_names(model_);
  refuse_products(case_, "fields in the sphere are series of spherical harmonics");
}

Summary BallProblem::summary() const {
  Summary summary;
  const auto line = [&](const std::string& name, const std::string& value) { summary.lines.emplace_back(name, value); };
  const BallCase& section = model_.section();
  const Axis& time = case_.domain.front().axis;
  if (section.is_shell())
    line("shell", fmt::format("radii {:g} and {:g}", section.inner_radius, section.radius));
  else
    line("sphere", fmt::format("radius {:g}", section.radius));
  line("dimension t",
       fmt::format("[{:g}, {:g}], {}, degree {}", time.lower, time.upper,
                   section.windows.empty() ? fmt::format("windows by the tolerance {:g}", section.tolerance)
                                           : fmt::format("{} windows", section.windows.size() - 1),
                   section.degree_t));
  const Degrees& degrees = space_.degrees();
  line("degrees", fmt::format("r {}, l {}, m {}{}", degrees.r, degrees.l, orders_text(degrees),
                              section.chosen.any() ? "; those not given are raised as the answer wants" : ""));
  summary.system = printed_definitions(model_.expressions().pool());
  for (std::size_t part = 0; part < space_.parts().size(); ++part) {
    const Part& the_part = space_.parts()[part];
    const BallField& field = section.fields[the_part.field];
    const std::string name = model_.part_name(part);
    const char* const kinds[] = {"", "_{\\mathrm{tor}}", "_{\\mathrm{pol}}"};
    const std::string in_latex = field.name + kinds[static_cast<int>(the_part.kind)];
    const std::string number = std::to_string(part + 1);
    auto [right, latex] = diffusion_text(field, name, in_latex);
    if (!field.source.text.empty()) {
      const expression::Expr source = expression::parse(model_.expressions().pool(), field.source);
      right += " + " + expression::print(source);
      latex += " + " + expression::latex(source);
    }
    std::string left = fmt::format("dt({})", name), left_latex = "\\partial_t " + in_latex;
    if (the_part.of_curl) {
      left = fmt::format("dt(lap({}))", name);
      left_latex = "\\partial_t \\nabla^2 " + in_latex;
      right = fmt::format("lap({})", right);
      latex = fmt::format("\\nabla^2 ({})", latex);
    }
    for (const TermText& term : term_texts(model_, the_part)) {
      right += plus(term.text);
      latex += plus(term.latex);
    }
    summary.system.push_back({"equation " + number, left + " = " + right, left_latex + " = " + latex});
    std::string walls, in_latex_walls;
    for (const bool is_inner : {false, true}) {
      if (is_inner && !section.is_shell()) continue;
      const double radius = is_inner ? section.inner_radius : section.radius;
      const auto wall = [&](const std::string& function) {
        return wall_text(is_inner ? field.inner_boundary : field.boundary, the_part.kind, function, field.robin,
                         is_inner);
      };
      walls += fmt::format("{}{} at r = {:g}", is_inner ? "; " : "", wall(name), radius);
      in_latex_walls += (is_inner ? ",\\quad " : "") + latex_of(wall(in_latex), radius);
    }
    summary.system.push_back({"condition " + number, walls, in_latex_walls});
  }
  summary.n_unknowns = space_.unknowns().size() * section.degree_t;
  summary.memory_bytes = memory_of(space_, section.windows.empty() ? 0 : section.windows.size() - 1);
  const EvolvingTerms evolving(model_, space_);
  summary.memory_bytes += evolving_memory(space_, evolving);
  const std::string krylov = "GMRES, diffusion solved directly as the preconditioner";
  summary.linear_solver = evolving.any()          ? "Newton's method with " + krylov
                          : section.terms.empty() ? fmt::format("direct: Schur form in t, {} in r for every l",
                                                                section.is_shell() ? "diagonal" : "banded")
                                                  : krylov;
  if (const DirectCosts direct = direct_costs(model_, space_.degrees()); direct.possible && !evolving.any()) {
    summary.linear_solver +=
        fmt::format("; from {:.0f} iterations at one length of the windows on direct: LU, banded in l for every m",
                    std::ceil(direct.break_even()));
    summary.memory_bytes += static_cast<std::size_t>(direct.bytes);
  }
  summary.device_pays = false;
  line("unknowns", fmt::format("{} in a window", summary.n_unknowns));
  line("linear solver", summary.linear_solver);
  if (case_.backend == BackendChoice::cuda) {
    const std::string refusal = device_refusal();
    line("device", !refusal.empty() ? "the windows are solved on the CPU: " + refusal
                                    : fmt::format("takes the solve of a window, up to {} of its memory",
                                                  format_bytes(static_cast<std::size_t>(
                                                      device_memory(space_, BallTerms(model_, space_), evolving)))));
  }
  line("memory", format_bytes(summary.memory_bytes));
  return summary;
}

std::string BallProblem::device_refusal() const {
  return ball::device_refusal(space_, BallTerms(model_, space_), EvolvingTerms(model_, space_));
}

std::unique_ptr<WindowDevice> BallProblem::open_device(const Context& given) const {
  if (given.backend() != Backend::cuda) return nullptr;
  if (const std::string refusal = device_refusal(); !refusal.empty()) {
    logger().info("the windows are solved on the CPU: {}", refusal);
    return nullptr;
  }
  return make_window_device(given, case_.solver.memory_gb * 1e9);
}

RunOutcome BallProblem::run(const Context& given, const RunControl& control) {
  const auto began = std::chrono::steady_clock::now();
  const Summary what = summary();
  const double limit =
      case_.solver.memory_gb > 0.0 ? case_.solver.memory_gb * 1e9 : static_cast<double>(available_memory());
  if (static_cast<double>(what.memory_bytes) > limit)
    throw MemoryError(
        fmt::format("not enough memory: {} unknowns need {}, there are {}: "
                    "take lower degrees",
                    what.n_unknowns, format_bytes(what.memory_bytes), format_bytes(static_cast<std::size_t>(limit))));
  const std::unique_ptr<WindowDevice> device = open_device(given);
  const RunReport report =
      report_of(case_, what, device != nullptr ? given.device_name() : given.without_device().device_name());
  DegreeSearch search(model_, [&](const Degrees& degrees) {
    const BallSpace finer(model_.parts(), degrees);
    return static_cast<double>(memory_of(finer, 0) + evolving_memory(finer, EvolvingTerms(model_, finer))) <= limit;
  });
  auto space = std::make_shared<const BallSpace>(space_);
  for (RunControl now = control;; now.restart = false) {
    BallJournal journal(now, model_, search.tightening());
    if (now.restart)
      if (const std::optional<Degrees> begun = journal.open()) {
        space = std::make_shared<const BallSpace>(model_.parts(), *begun);
        search.tighten(journal.tightening());
      }
    RunOutcome outcome;
    outcome.report = report;
    outcome.report.n_unknowns = space->unknowns().size() * space->degrees().t;
    const std::optional<Degrees> wanted = attempt(*space, journal, search, now, device.get(), outcome);
    if (device != nullptr) add_use(device->use(), outcome.report);
    outcome.report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (!wanted) return outcome;
    space = std::make_shared<const BallSpace>(model_.parts(), *wanted);
    logger().info("degrees r {}, l {}, m {}", wanted->r, wanted->l, orders_text(*wanted));
    remove_journal(outcome.journal);
  }
}

std::optional<Degrees> BallProblem::attempt(const BallSpace& space, BallJournal& journal, DegreeSearch& search,
                                            const RunControl& control, WindowDevice* device,
                                            RunOutcome& outcome) const {
  RunReport& report = outcome.report;
  const bool estimates = case_.verification.estimate != EstimateChoice::off;
  if (device != nullptr && estimates) {  // before the work is done whose error has no room
    const BallSpace fine(model_.parts(), finer_degrees(model_, space.degrees(), 1));
    device->check_memory(fine, BallTerms(model_, fine), EvolvingTerms(model_, fine));
  }
  const Axis& time = case_.domain.front().axis;
  MarchControl march;
  march.edges = model_.section().windows;
  march.tolerance = search.window_tolerance();
  march.interrupted = control.interrupted;
  march.device = device;
  march.progress = [&](double now, double length) {
    if (control.progress)
      control.progress((now - time.lower) / (time.upper - time.lower),
                       fmt::format("t = {:.4g}, window {:.2g}", now, length));
  };
  if (control.restart && journal.has_windows()) march.start = journal.restore(space);
  march.finished = [&](const BallWindow& window, const Matrix& rows, double next) {
    journal.add(space, window, rows, next);
  };
  const MarchResult marched = march_ball(model_, space, time.lower, time.upper, march);
  report.n_windows = static_cast<int>(marched.solution.windows.size());
  report.n_factorisations = marched.n_factorisations;
  report.n_linear_iterations = marched.n_iterations;
  const bool stopped = control.interrupted && control.interrupted();
  if (stopped) journal.keep();
  outcome.journal = journal.hand_over();
  if (marched.complete && !stopped)
    if (const auto wanted = search.by_tails(space, marched.solution)) return wanted;
  if (!marched.solution.windows.empty()) fill(space, marched.solution, outcome);
  if (!marched.complete) {
    outcome.status = stopped ? ExitStatus::interrupted : ExitStatus::unresolved;
    report.status = stopped ? "interrupted" : "not resolved in time";
    report.reason = marched.reason;
    return std::nullopt;
  }
  const GrowthResult growth =
      model_.section().growth.modes > 0 ? find_growth(model_, space, control.interrupted, device) : GrowthResult{};
  if (!growth.failure.empty()) {
    outcome.status = ExitStatus::not_converged;
    report.status = "growth rates not found";
    report.reason = growth.failure;
    return std::nullopt;
  }
  outcome.complete = true;
  outcome.status = ExitStatus::converged;
  ErrorEstimate estimate;
  std::vector<Check> of_growth;
  if (estimates) {
    estimate = estimate_error(model_, space, marched.solution, control.interrupted, device);
    if (!growth.modes.empty()) of_growth = growth_errors(model_, space, growth, control.interrupted, device);
  }
  if (stopped_before_verdict(control, outcome)) return std::nullopt;
  report.verification.checks =
      check_answer(model_, space, marched.solution, estimate.status != ErrorEstimate::Status::made);
  search_data(model_, space, marched.solution, report.verification.checks, report.warnings);
  add_growth(growth, model_.section().growth, report.verification.checks);
  std::move(of_growth.begin(), of_growth.end(), std::back_inserter(report.verification.checks));
  add_estimate(report.verification, std::move(estimate), case_.verification.tolerance);
  if (!report.verification.passed()) {
    if (is_for_degrees(report.verification))
      if (const auto wanted = search.by_verdict(space, marched.solution, is_of_data(report.verification)))
        return wanted;
    outcome.status = ExitStatus::unresolved;
    report.status = "verification failed";
    report.reason = reason_of(report.verification);
  }
  end_without_estimate(outcome);
  if (!growth.modes.empty()) add_growth(growth, *outcome.module_arrays);
  return std::nullopt;
}

void BallProblem::fill(const BallSpace& space, const BallSolution& solution, RunOutcome& outcome) const {
  outcome.solution.window_edges = {solution.windows.front().start};
  for (const BallWindow& window : solution.windows) {
    outcome.solution.window_edges.push_back(window.end);
    outcome.solution.subdomains.emplace_back();
    outcome.solution.subdomains.back().push_back({0, {window.start, window.end}});
    for (std::size_t i = 1; i < case_.domain.size(); ++i)
      outcome.solution.subdomains.back().push_back({0, {case_.domain[i].axis.lower, case_.domain[i].axis.upper}});
  }
  for (const AxisCase& axis : case_.domain) outcome.solution.axes.push_back(axis.axis);
  outcome.grid = output_grid(case_);
  // Of an unfinished run the times that it has reached, at least its last one.
  std::vector<double>& times = outcome.grid.front();
  std::erase_if(times, [&](double time) { return time > outcome.solution.window_edges.back(); });
  if (times.empty()) times.push_back(outcome.solution.window_edges.back());
  for (const NamedExpression& field : case_.output.fields)
    outcome.fields.push_back(sampled_field(model_, space, solution, field, outcome.grid));
  outcome.module_arrays = answer_arrays(model_, space, solution, outcome.grid.front());
}

}  // namespace gwrm
