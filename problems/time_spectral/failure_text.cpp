#include "problems/time_spectral/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "basis/axis_basis.hpp"
#include "expression/lowering.hpp"
#include "output/judged_check.hpp"
#include "problems/unseen_data.hpp"

namespace gwrm {
namespace {

ExitStatus exit_status(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::converged:
    case NewtonStatus::converged_at_roundoff:
      return ExitStatus::converged;
    case NewtonStatus::iteration_limit:
    case NewtonStatus::damping_failed:
      return ExitStatus::not_converged;
    case NewtonStatus::singular:
    case NewtonStatus::linear_failed:
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
             : status == NewtonStatus::iteration_limit
                 ? "try a better start under `guess`, or solver.newton.max_iterations"
                 : "try a better start under `guess`";
    case NewtonStatus::linear_failed:
      return has_time ? "try shorter time windows (resolution.domains.t), or solver: {linear: dense}"
                      : "march to the steady state (dt(..) in the equations, t in `domain`, an `initial` state: short "
                        "windows are easier to solve), try a better start under `guess`, or solver: {linear: dense}";
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

// The conditions for means of unknowns on periodic axes that the equations hold differentiated only, if there are any.
std::string missing_means(const Model& model) {
  std::string conditions;
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    const FieldModel& field = model.fields[static_cast<std::size_t>(f)];
    std::vector<int> axes;
    bool open = field.time_order == 0;
    for (int axis : field.axes) {
      if (!model.is_modal(axis)) continue;
      axes.push_back(axis);
      open = open && make_basis(model.subdomains[static_cast<std::size_t>(axis)])->is_periodic();
    }
    const auto holds_mean = [&](const expression::AtomUse& use) {
      return use.atom.field == f && std::all_of(axes.begin(), axes.end(), [&](int axis) {
               return use.atom.orders[static_cast<std::size_t>(axis)] == 0;
             });
    };
    const auto determines = [&](expression::Expr residual) {
      const std::vector<expression::AtomUse> uses = expression::atom_uses(*model.pool, residual);
      return std::any_of(uses.begin(), uses.end(), holds_mean);
    };
    for (const EquationModel& equation : model.equations) open = open && !determines(equation.residual);
    for (const ConditionModel& condition : model.conditions) open = open && !determines(condition.residual);
    if (!open || axes.empty()) continue;
    std::string mean = field.name;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
      mean = fmt::format("integral({}, {})", mean, model.axes[static_cast<std::size_t>(*axis)].name);
    conditions += (conditions.empty() ? "" : ", ") + fmt::format("\"{} = 0\"", mean);
  }
  return conditions;
}

// Where a window is; one too short for six digits by its length.
std::string window_text(double start, double end) {
  if (end - start > 1e-4 * std::max(std::abs(start), std::abs(end)))
    return fmt::format("t = {:.6g} .. {:.6g}", start, end);
  return fmt::format("t = {:.10g}, length {:.1e}", start, end - start);
}

// Windows this short, of the whole time, are no longer a matter of resolution.
constexpr double kVanishing = 1e-6;

// What windows that become ever shorter mean. A constraint on the unknowns with dt that has to be differentiated three
// times fixes an unknown without dt by differences over the window: the shorter, the rougher.
std::string vanishing_text(const Model& model, double t) {
  std::string text = fmt::format(
      "windows become ever shorter towards t = {:.6g}: the solution seems to become infinite or to jump there; look at "
      "it in the file of the finished windows, and end the domain before",
      t);
  std::string algebraic;
  for (const FieldModel& field : model.fields)
    if (field.time_order == 0) algebraic += (algebraic.empty() ? "" : ", ") + field.name;
  if (!algebraic.empty())
    text += fmt::format(
        "; or the equations without dt fix {} only after more than one differentiation in time (a "
        "differential-algebraic "
        "system of index 3, as a pendulum with x^2 + y^2 = 1): put the derivative of the constraint in its place",
        algebraic);
  return text;
}

}  // namespace

std::string describe_halvings(const std::vector<HalvedWindow>& windows) {
  const HalvedWindow &first = windows.front(), &last = windows.back();
  const std::string text =
      fmt::format("Newton failed in the window {} ({})", window_text(first.start, first.end), to_string(first.status));
  if (windows.size() == 1) return text + ": it was halved";
  return fmt::format("{} and {} more, the last at {}: they were halved", text, windows.size() - 1,
                     window_text(last.start, last.end));
}

Failure describe_failure(const Model& model, const MarchEnd& end, const std::vector<double>& parameter_point,
                         int n_windows_done) {
  Failure failure;
  const bool timed = !model.window_edges.empty();
  if (end.status == MarchStatus::unresolved) {
    failure.exit = ExitStatus::unresolved;
    failure.status = "tolerance not met";
    failure.reason = end.detail;
    if (timed) failure.reason = fmt::format("t = {:.6g}: {}", end.start, failure.reason);
    if (end.vanishing && n_windows_done > 0) {
      failure.reason += "; " + vanishing_text(model, end.start);
      return failure;
    }
    if (end.says_remedy) return failure;
    std::string cure = "ask for a larger tolerance";
    if (end.detail.find("resolution.limits") != std::string::npos) cure = "raise resolution.limits, or " + cure;
    const bool in_space = std::any_of(model.axes.begin(), model.axes.end(),
                                      [](const Axis& axis) { return axis.kind == AxisKind::space; });
    if (in_space) cure += ", or give the equations what smooths the solution there (viscosity)";
    failure.reason += "; " + cure;
    return failure;
  }
  failure.exit = exit_status(end.newton);
  failure.status = to_string(end.newton);
  if (timed)
    failure.reason =
        fmt::format("window {} of {} ({}), ", n_windows_done + 1,
                    std::max<std::size_t>(model.window_edges.size() - 1, static_cast<std::size_t>(n_windows_done) + 1),
                    window_text(end.start, end.end));
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if (model.is_collocated(static_cast<int>(axis)))
      failure.reason += fmt::format("{} = {:.6g}, ", model.axes[axis].name, parameter_point[axis]);
  const auto iterations = std::count_if(end.failed.begin(), end.failed.end(), [&](const NewtonRecord& record) {
    return record.parameter_point == end.parameter_point;
  });
  failure.reason += fmt::format("iteration {}", iterations);
  if (!end.detail.empty()) failure.reason += ": " + end.detail;
  std::string cure = advice(end.newton, timed);
  const bool vanishing =
      timed && end.end - end.start < kVanishing * (model.window_edges.back() - model.window_edges.front());
  if (vanishing && (end.newton == NewtonStatus::damping_failed || end.newton == NewtonStatus::iteration_limit))
    cure = vanishing_text(model, end.start);
  if (end.newton == NewtonStatus::singular && !model.linear)
    cure +=
        "; or, since the equations are nonlinear, for terms that differ by more than 16 digits at the guess, as "
        "exp(50*u) "
        "of u from 0 to 1: try another guess, or another unknown (the logarithm)";
  if (!end.lacks_guess.empty() && n_windows_done == 0)
    cure = fmt::format(
        "no values of {0} that satisfy the equations at the start were found from zero: give `guess: "
        "{{{1}: ..}}`, near their values there",
        end.lacks_guess, end.lacks_guess.substr(0, end.lacks_guess.find(',')));
  if (failure.exit == ExitStatus::singular)
    if (const std::string means = missing_means(model); !means.empty())
      cure = fmt::format("on periodic axes nothing determines a mean: add to `boundary` {}", means);
  if (!cure.empty()) failure.reason += "; " + cure;
  return failure;
}

namespace {

bool is_divisible_in_space(const AxisCase& axis) {
  AxisDescription description{2, {axis.axis.lower, axis.axis.upper}};
  description.basis = axis.basis;
  return axis.axis.kind == AxisKind::space && make_basis(description)->can_be_divided();
}

// A smaller tolerance by itself would be judged by itself.
std::string try_smaller_tolerance(const Case& the_case) {
  return fmt::format("try resolution: {{tolerance: {:.0e}}}, verification: {{tolerance: {:g}}}",
                     0.1 * the_case.resolution.tolerance, the_case.verification.tolerance);
}

constexpr double kNothingRight = 0.3;  // an error that large, relative: the answer has little to do with the equations

// What the estimate is judged by, for it may be below the tolerance itself.
std::string judged_part(const Check& check) {
  const JudgedTexts texts = judged_texts(check);
  return fmt::format("; {:g} times that, {}, exceeds the tolerance {}", check.margin, texts.value, texts.allowed);
}

std::string describe_estimate(const std::vector<Axis>& axes, const Verification& verification,
                              const std::string& finer) {
  const ErrorEstimate& estimate = verification.estimate;
  const auto worst = std::max_element(estimate.fields.begin(), estimate.fields.end(),
                                      [](const FieldError& a, const FieldError& b) { return a.total() < b.total(); });
  std::string where;
  for (std::size_t axis = 0; axis < std::min(worst->at.size(), axes.size()); ++axis)
    if (std::isfinite(worst->at[axis]))
      where += fmt::format("{}{} = {:.4g}", where.empty() ? " at " : ", ", axes[axis].name, worst->at[axis]);
  std::string text = fmt::format("the estimated error of {} is {:.1e}{}", worst->field, worst->total(), where);
  for (const Check& check : verification.checks)
    if (check.kind == "estimate" && check.subject == worst->field && !check.passed()) text += judged_part(check);
  if (!estimate.growth.empty()) return text + ": " + estimate.growth;
  if (!finer.empty()) text += ": " + finer;
  if (!(worst->total() > kNothingRight)) return text;
  const bool timed =
      std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.kind == AxisKind::time; });
  if (!timed)
    return text +
           "; or look for conditions that contradict each other or leave something undetermined, or for a guess that "
           "is near no solution";
  if (std::isfinite(estimate.lost_at))
    text += fmt::format("; the accuracy is lost from t = {:.6g} on", estimate.lost_at);
  return fmt::format(
      "{}; {}. Where the equations are chaotic no resolution helps for long: verification: {{after_loss: "
      "report}} judges the time before, and statistics are the answer",
      text, kIllPosedCure);
}

}  // namespace

std::string describe_verification(const Case& the_case, const Verification& verification, const std::vector<Axis>& axes,
                                  const std::string& why_not_finer) {
  const auto failed = [&](std::string_view kind) {
    return std::find_if(verification.checks.begin(), verification.checks.end(),
                        [&](const Check& check) { return check.kind == kind && !check.passed(); });
  };
  const auto none = verification.checks.end();
  const auto excess = [](const Check& check) {
    return check.passed() ? 0.0 : std::isnan(check.value) ? HUGE_VAL : check.value / check.tolerance;
  };
  const auto worst_tail = std::max_element(verification.checks.begin(), none, [&](const Check& a, const Check& b) {
    return (a.kind == "tail" ? excess(a) : 0.0) < (b.kind == "tail" ? excess(b) : 0.0);
  });
  const std::string& advice = verification.estimate.advice;
  const std::string finer = !advice.empty()                   ? advice
                            : !why_not_finer.empty()          ? why_not_finer
                            : the_case.resolution.automatic() ? try_smaller_tolerance(the_case)
                                                              : "try higher degrees or more divisions";
  std::vector<std::string> cures;
  if (std::string unseen = unseen_reason(verification.checks); !unseen.empty())
    cures.push_back(unseen + (advice.empty() ? "" : "; or " + advice));
  // Before the errors that it makes: no resolution mends it.
  if (failed("mean") != none)
    cures.push_back(
        fmt::format("the mean of {} does not vanish, in whose place a condition stands: there is a solution only if it "
                    "does; look for a source with a mean, or for boundary values with a net flux that contradicts it; "
                    "if these balance, {}",
                    failed("mean")->subject, finer));
  // An answer of which nothing is right says nothing about tolerances.
  const bool is_guess = advice.empty() && the_case.resolution.automatic() &&
                        std::any_of(verification.estimate.fields.begin(), verification.estimate.fields.end(),
                                    [](const FieldError& error) { return error.total() > kNothingRight; });
  if (failed("estimate") != none)
    cures.push_back(describe_estimate(axes, verification, is_guess ? why_not_finer : finer));
  if (const auto goal = failed("goal"); goal != none)
    cures.push_back(fmt::format("the estimated error of the goal {} is {:.1e}, relative{}: {}", goal->subject,
                                goal->value, judged_part(*goal), finer));
  if (failed("tail") != none)
    cures.push_back(fmt::format("the series of {} ends too early: {}", worst_tail->subject, finer));
  const auto n_space = std::count_if(the_case.domain.begin(), the_case.domain.end(),
                                     [](const AxisCase& axis) { return axis.axis.kind == AxisKind::space; });
  const bool is_divisible = std::any_of(the_case.domain.begin(), the_case.domain.end(), is_divisible_in_space);
  if (failed("initial") != none && cures.empty())
    cures.push_back(n_space > 0
                        ? "the initial values are not met between the points: " + finer +
                              (is_divisible ? ", or put an edge of resolution.domains where they have a kink" : "")
                        : "the first window starts with other derivatives than `initial` says: " + finer);
  if (failed("residual") != none && cures.empty())
    cures.push_back(
        "the series end early enough, but the equations are not met between the points: " + finer +
        (is_divisible ? ", or put an edge of resolution.domains where data have a kink" : "") +
        (n_space < 2 ? ""
                     : ". Corners in which equation and conditions are incompatible, as -lap(u) = 1 and u = 0, keep "
                       "the residual large although u is right: let the error be estimated"));
  if (failed("boundary") != none && cures.empty())
    cures.push_back("the boundary conditions are not met between the points: " + finer);
  if (failed("error_max") != none && std::isnan(failed("error_max")->value) && cures.empty())
    cures.push_back(fmt::format(
        "`exact` of {} is NaN or infinite at some point of the domain: look for a root or logarithm of a negative "
        "number and for quotients",
        failed("error_max")->subject));
  if ((failed("error_max") != none || failed("error_l2") != none || failed("value") != none) && cures.empty())
    cures.push_back(
        "the equations are met, but not what `exact` or `values` say: check these, and the initial and boundary data; "
        "or " +
        finer);
  const auto count = std::count_if(verification.checks.begin(), verification.checks.end(),
                                   [](const Check& check) { return !check.passed(); });
  if (count == 0) return {};
  return fmt::format("{} of {} checks failed; {}", count, verification.checks.size(),
                     cures.empty() ? finer : cures.front());
}

}  // namespace gwrm
