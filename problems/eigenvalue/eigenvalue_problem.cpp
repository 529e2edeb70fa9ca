#include "problems/eigenvalue/eigenvalue_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/counted.hpp"
#include "core/log.hpp"
#include "core/memory.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "problems/continuation/branch_window.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/eigenvalue/critical_problem.hpp"
#include "problems/eigenvalue/curve_problem.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/eigenvalue/left_modes.hpp"
#include "problems/eigenvalue/mode_polisher.hpp"
#include "problems/eigenvalue/mode_solution.hpp"
#include "problems/eigenvalue/refinement_gain.hpp"
#include "problems/eigenvalue/search_subdomains.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/data_edges.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"

namespace gwrm {
namespace {

constexpr Index kMostPolished = 3000;             // and of a complex matrix whose factors are made for each mode
constexpr double kAnyValue = 0.7390851332151607;  // of an eigenvalue, at which no term vanishes by chance
constexpr double kSpurious = kBeyondLinear;       // relative to the separation

std::vector<AxisDescription> refined(const Model& model, std::vector<AxisDescription> subdomains) {
  for (std::size_t axis = 0; axis < subdomains.size(); ++axis)
    if (model.is_modal(static_cast<int>(axis))) subdomains[axis].degree = finer_degree(subdomains[axis].degree);
  return subdomains;
}

// The error of a mode is at least what the search shows; false: nothing has changed.
bool take_moved(const SearchedModes& search, std::vector<JudgedMode>& modes) {
  bool taken = false;
  for (std::size_t k = 0; k < search.moved.size(); ++k) {
    if (!(search.moved[k] > modes[k].error)) continue;
    modes[k].error = search.moved[k];
    taken = true;
  }
  return taken;
}

Model on_subdomains(const std::vector<AxisDescription>& subdomains, Model model) {
  model.subdomains = subdomains;
  return model;
}

}  // namespace

EigenvalueProblem::EigenvalueProblem(const Case& the_case)
    : case_((check_eigenvalue_case(the_case), the_case)),
      steady_(case_with_eigenvalue_at(the_case, eigenvalue_of(the_case)->near.real())),
      model_(with_edges_at_features(the_case, build_model(case_with_eigenvalue_unknown(the_case)))),
      plan_(model_),
      at_shift_(on_subdomains(model_.subdomains,
                              build_model(case_with_eigenvalue_at(the_case, eigenvalue_of(the_case)->near.real())))),
      shift_plan_(at_shift_),
      summary_(describe()) {
  check_pencil();
}

// On few modes: what is wrong with the equations is wrong there, too.
void EigenvalueProblem::check_pencil() const {
  const Model anywhere = build_model(case_with_eigenvalue_at(case_, kAnyValue));
  for (const EquationModel& equation : anywhere.equations)
    if (equation.residual->facts.degree > 1)
      throw_case_error(
          equation.text, 0,
          "an eigenvalue problem is linear in its unknowns: linearise this equation about its steady state");
  for (const ConditionModel& condition : anywhere.conditions)
    if (condition.residual->facts.degree > 1)
      throw_case_error(condition.text, 0, "an eigenvalue problem is linear in its unknowns");
  std::vector<AxisDescription> few = model_.subdomains;
  for (AxisDescription& along : few) along.degree = std::min(along.degree, 12);
  if (eigenvalue_of(case_)->which == WhichModes::largest_real && !eigenvalue_of(case_)->near_given &&
      summary_.n_unknowns > kMostDense)
    throw_case_error(
        eigenvalue_of(case_)->where, 0,
        fmt::format("of {} unknowns only eigenvalues near a number are found: give eigenvalue.near, a guess "
                    "of the fastest growth, or lower degrees (all eigenvalues of up to {} unknowns)",
                    summary_.n_unknowns, kMostDense));
  const Pencil pencil(Context::of_one_thread(), model_, plan_, few);
  if (const std::string flaw = pencil.flaw(); !flaw.empty()) throw_case_error(case_.equations.front(), 0, flaw);
}

Summary EigenvalueProblem::describe() const {
  const EigenvalueCase& eigenvalue = *eigenvalue_of(case_);
  Summary summary = steady_.summary();
  const Index n = summary.n_unknowns;
  const char* which = eigenvalue.which == WhichModes::largest_real ? "with the largest real part"
                      : eigenvalue.which == WhichModes::nearest    ? "nearest to `near`"
                                                                   : "of smallest magnitude";
  summary.linear_solver = n <= kMostDense ? "all eigenvalues of the inverse pencil (LAPACK)"
                                          : "shift and invert, Arnoldi; " + steady_.summary().linear_solver;
  summary.memory_bytes = std::max(
      summary.memory_bytes, static_cast<std::size_t>(8 * n) * static_cast<std::size_t>(n <= kMostDense ? 12 * n : 500));
  for (auto& [name, value] : summary.lines) {
    if (name == "linear solver") value = summary.linear_solver;
    if (name == "memory") value = format_bytes(summary.memory_bytes);
  }
  summary.lines.emplace_back(
      "eigenvalue", fmt::format("{}, {} {}{}", eigenvalue.name, counted(eigenvalue.modes, "mode"), which,
                                eigenvalue.which != WhichModes::nearest ? ""
                                : eigenvalue.near.imag() == 0.0
                                    ? fmt::format(" = {:g}", eigenvalue.near.real())
                                    : fmt::format(" = {:g}{:+g}i", eigenvalue.near.real(), eigenvalue.near.imag())));
  std::string left;
  for (std::size_t e = 0; e + 1 < model_.equations.size(); ++e)
    left += fmt::format("{}{} of equation {}", left.empty() ? "" : ", ",
                        left_name(model_.fields[static_cast<std::size_t>(model_.equations[e].field)].name), e + 1);
  summary.lines.emplace_back("left modes", n <= kMostDense ? left : fmt::format("none beyond {} unknowns", kMostDense));
  summary.device_pays = false;
  if (case_.backend == BackendChoice::cuda)
    summary.warnings.emplace_back("eigenvalues are found on the CPU: backend: cuda changes nothing");
  return summary;
}

EigenvalueProblem::Found EigenvalueProblem::find(const Context& context, const Pencil& pencil, const Pencil& finer,
                                                 const RunControl& control) const {
  Found found;
  found.neighbours = candidates(context, pencil, control);
  if (control.interrupted && control.interrupted()) return found;
  if (found.neighbours.empty()) {
    found.failure =
        is_large(pencil)
            ? "no eigenvalue was found: the equations at eigenvalue.near could not be solved, or there is none "
              "near: try another eigenvalue.near, or solver: {linear: dense}"
            : "no eigenvalue was found: is there one? Try another eigenvalue.near";
    return found;
  }
  const bool estimated = case_.verification.estimate != EstimateChoice::off;
  const bool polished = finer.size() <= kMostPolished;
  const std::unique_ptr<ModePolisher> own = polished ? std::make_unique<ModePolisher>(pencil) : nullptr;
  const std::unique_ptr<ModePolisher> other = polished && estimated ? std::make_unique<ModePolisher>(finer) : nullptr;
  std::vector<Mode> finer_modes;
  if (!polished && estimated) finer_modes = candidates(context, finer, control);
  for (std::size_t k = 0; k < found.neighbours.size(); ++k) {
    if (static_cast<int>(found.modes.size()) == eigenvalue_of(case_)->modes || found.n_spurious > kMostPassedOver)
      break;
    if (control.interrupted && control.interrupted()) break;
    JudgedMode judged{found.neighbours[k]};
    if (own)
      if (std::optional<Mode> better = own->nearest(judged.mode, size_of(found.neighbours, k))) judged.mode = *better;
    // Of a real problem what has no imaginary part but for rounding is real.
    normalise(pencil, judged.mode);
    found.neighbours[k] = judged.mode;
    if (own) judged.residual = own->residual(judged.mode);
    if (estimated) {
      Mode start{judged.mode.value, carried(pencil, judged.mode.vector, finer)};
      std::optional<Mode> near;
      if (other) near = other->nearest(start, size_of(found.neighbours, k));
      double reach = 0.0;  // how far from the shift all eigenvalues of the finer subdomains are known
      for (const Mode& mode : finer_modes) {
        reach = std::max(reach, std::abs(mode.value - this->near()));
        if (!near || std::abs(mode.value - judged.mode.value) < std::abs(near->value - judged.mode.value)) near = mode;
      }
      const bool unknown = !other && std::abs(judged.mode.value - this->near()) > reach;
      judged.error = near ? std::abs(near->value - judged.mode.value) : HUGE_VAL;
      judged.size = size_of(found.neighbours, k);
      logger().debug("eigenvalue {:.12g}{:+.12g}i moves by {:.2e}", judged.mode.value.real(), judged.mode.value.imag(),
                     judged.error);
      if (!(judged.error <=
            std::max(kSpurious * separation_of(found.neighbours, k), case_.verification.tolerance * judged.size))) {
        ++(unknown ? found.n_unknown : found.n_spurious);
        continue;
      }
      const RoundingOfMode rounding = rounding_of(found.neighbours, k);
      judged.error += rounding.value;
      judged.finer_value = near->value;
      judged.moved = distances(pencil, judged.mode, finer, *near);
      for (double& moved : judged.moved) moved += rounding.mode;
    }
    found.modes.push_back(std::move(judged));
    if (control.progress)
      control.progress(static_cast<double>(found.modes.size()) / eigenvalue_of(case_)->modes,
                       fmt::format("mode {} of {}", found.modes.size(), eigenvalue_of(case_)->modes));
  }
  return found;
}

ErrorEstimate EigenvalueProblem::estimate_of(const Found& found) const {
  ErrorEstimate estimate;
  estimate.status = ErrorEstimate::Status::made;
  const std::size_t n_axes = 1 + model_.axes.size();
  const auto at = [&](std::size_t mode) {
    std::vector<double> place(n_axes, std::numeric_limits<double>::quiet_NaN());
    place.front() = static_cast<double>(mode);
    return place;
  };
  FieldError of_values{eigenvalue_of(case_)->name, 0.0, at(0), 0.0, 0.0};
  std::vector<FieldError> of_fields;
  for (std::size_t f = 0; f + 1 < model_.fields.size(); ++f)
    of_fields.push_back({model_.fields[f].name, 0.0, at(0), 0.0, 0.0});
  const auto take = [&](FieldError& error, double value, std::size_t k) {
    if (value > error.largest) error.largest = value, error.at = at(k);
    error.at_end = value;
  };
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    take(of_values, relative_error(found.modes[k].error, found.modes[k].size), k);
    for (std::size_t f = 0; f < of_fields.size(); ++f) take(of_fields[f], found.modes[k].moved[f], k);
  }
  estimate.fields.push_back(of_values);
  estimate.fields.insert(estimate.fields.end(), of_fields.begin(), of_fields.end());
  return estimate;
}

void EigenvalueProblem::deliver(const Pencil& pencil, const Pencil& finer, const Found& found,
                                RunOutcome& outcome) const {
  std::vector<Mode> modes;
  ModeNumbers error{
      eigenvalue_of(case_)->name + "_error", "estimated error of the eigenvalue", {}, eigenvalue_of(case_)->name},
      condition{"condition", "condition number of the eigenvalue: 1 of a self-adjoint problem", {}, {}};
  for (const JudgedMode& judged : found.modes) {
    modes.push_back(judged.mode);
    error.values.push_back(judged.error);
    condition.values.push_back(judged.mode.condition);
  }
  if (any_complex(modes)) error.error_of = parts_of(eigenvalue_of(case_)->name, true).front();
  std::vector<ModeNumbers> extra;
  if (case_.verification.estimate != EstimateChoice::off) extra.push_back(std::move(error));
  if (std::all_of(modes.begin(), modes.end(), [](const Mode& mode) { return mode.condition > 0.0; }))
    extra.push_back(std::move(condition));
  set_left_functions(pencil, modes);
  outcome.solution = mode_solution(case_, pencil, modes);
  sample_modes(case_, extra, outcome);

  RunReport& report = outcome.report;
  report.verification.checks = check_modes(case_, pencil, finer, modes);
  for (Check& check : check_known_values(case_, outcome.solution))
    report.verification.checks.push_back(std::move(check));
  const auto worst = std::max_element(found.modes.begin(), found.modes.end(),
                                      [](const JudgedMode& a, const JudgedMode& b) { return a.residual < b.residual; });
  Check rows{"residual", fmt::format("equations and conditions of the matrices (mode {})", worst - found.modes.begin()),
             worst->residual, case_.verification.tolerance};
  if (case_.verification.estimate == EstimateChoice::off) {
    report.verification.checks.push_back(std::move(rows));
    return;
  }
  judge_by(case_, estimate_of(found), report.verification);
  // The finer modes meet the conditions, too: of an unknown that is zero but for rounding these say nothing.
  for (Check& check : report.verification.checks)
    if (check.kind == "boundary" || check.kind == "mean") check.judged = false;
  report.verification.checks.push_back(std::move(rows));
}

RunOutcome EigenvalueProblem::run(const Context& given, const RunControl& control) {
  const auto began = std::chrono::steady_clock::now();
  const Context context = given.without_device();
  RunOutcome outcome;
  RunReport& report = outcome.report = report_of(case_, summary_, context.device_name());
  std::vector<std::string> undecided;
  std::vector<Check> data_checks =
      check_data(case_with_eigenvalue_at(case_, eigenvalue_of(case_)->near.real()), model_, undecided);
  outcome.status = ExitStatus::converged;

  std::vector<AxisDescription> subdomains = with_degrees_of_data(case_, model_).subdomains;
  RefinementGain gain(case_.verification.tolerance);
  std::string why_coarse;  // what keeps an automatic run from finer subdomains
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  for (bool again = true, graded = false; again;) {
    again = false;
    const Pencil pencil(context, model_, plan_, subdomains), finer(context, model_, plan_, refined(model_, subdomains));
    Found found = find(context, pencil, finer, control);
    report.n_unknowns = pencil.size();
    report.warnings = summary_.warnings;
    if (control.interrupted && control.interrupted()) {
      outcome.status = ExitStatus::interrupted;
      report.status = "interrupted";
      break;
    }
    if (!found.failure.empty()) {
      outcome.status = ExitStatus::not_converged;
      report.status = "no modes found";
      report.reason = found.failure;
      break;
    }
    const bool all = static_cast<int>(found.modes.size()) == eigenvalue_of(case_)->modes;
    if (!found.modes.empty()) deliver(pencil, finer, found, outcome);
    SearchedModes search;
    if (all && found.n_spurious == 0 && report.verification.passed() &&
        case_.verification.estimate != EstimateChoice::off) {
      search = searched(context, subdomains, found, control);
      if (take_moved(search, found.modes)) deliver(pencil, finer, found, outcome);
    }
    const bool unseen = !search.missed.empty() || (!search.moved.empty() && !report.verification.passed());
    if (unseen && case_.resolution.automatic() && !graded) {
      graded = true;  // once: subdomains on which the equations show what the search has found
      const std::vector<AxisDescription> before = subdomains;
      const std::vector<Model> models = at_ends(found);
      subdomains =
          graded_subdomains({&models.front(), &models.back()}, std::move(subdomains), case_.verification.tolerance);
      again = subdomains != before && std::all_of(subdomains.begin(), subdomains.end(), [&](const auto& along) {
                return along.n_subdomains() <= case_.resolution.max_domains;
              });
      if (again) continue;
      subdomains = before;
    }
    const bool accurate = all && found.n_spurious == 0 && search.missed.empty() && report.verification.passed();
    if (!accurate && case_.resolution.automatic()) {
      const auto too_high = [&](const AxisDescription& along) {
        return finer_degree(along.degree) > case_.resolution.max_degree;
      };
      const double most_seconds = case_.resolution.max_seconds;
      if (std::any_of(subdomains.begin(), subdomains.end(), too_high)) {
        why_coarse =
            fmt::format("resolution.limits.degree ({}) allows no finer subdomains", case_.resolution.max_degree);
      } else if (most_seconds > 0.0 && seconds() > most_seconds) {
        why_coarse = fmt::format("resolution.limits.time ({:g} s) is over", most_seconds);
      } else if (why_coarse = gain.why_over(found.modes, found.neighbours, eigenvalue_of(case_)->modes);
                 why_coarse.empty()) {
        subdomains = refined(model_, subdomains);
        again = true;
        continue;
      }
    }
    std::vector<Check>& checks = report.verification.checks;
    if (found.n_unknown > 0)
      checks.push_back({"modes", "not found on finer subdomains, nor looked for so far from eigenvalue.near",
                        static_cast<double>(found.n_unknown), 0.0});
    if (found.n_spurious > 0)
      checks.push_back(
          {"modes", "unresolved among those asked for, and passed over", static_cast<double>(found.n_spurious), 0.0});
    if (!search.missed.empty())
      checks.push_back({"modes", "of those asked for, not found: " + describe_missed(search.missed),
                        static_cast<double>(search.missed.size()), 0.0});
    checks.push_back({"modes", fmt::format("of {} asked for, missing", eigenvalue_of(case_)->modes),
                      static_cast<double>(eigenvalue_of(case_)->modes) - static_cast<double>(found.modes.size()), 0.0});
    const UnresolvedData unresolved = unresolved_data(case_, model_, subdomains, false);
    data_checks.insert(data_checks.end(), unresolved.checks.begin(), unresolved.checks.end());
    if (case_.resolution.automatic())
      report_unseen(find_unseen_data(model_, data_of(model_), subdomains, {}, kMaxDataBoxes), data_checks, undecided);
    check_data_files(case_, case_.verification.tolerance, data_checks, undecided);
    checks.insert(checks.end(), data_checks.begin(), data_checks.end());
    report.warnings.insert(report.warnings.end(), undecided.begin(), undecided.end());
    outcome.complete = !found.modes.empty();
    if (!report.verification.passed()) {
      outcome.status = ExitStatus::unresolved;
      report.status = "verification failed";
      report.reason =
          !all                   ? fmt::format("{} of {} modes are resolved: raise the degrees, or ask for fewer modes",
                                               found.modes.size(), eigenvalue_of(case_)->modes)
          : found.n_spurious > 0 ? fmt::format(
                                       "{} among those asked for {} no counterpart on finer subdomains and may be "
                                       "unresolved: raise the degrees, or give eigenvalue.near",
                                       counted(found.n_spurious, "eigenvalue"), found.n_spurious == 1 ? "has" : "have")
          : !search.missed.empty()
              ? fmt::format("modes are missing, {}, which finer subdomains show: {}", describe_missed(search.missed),
                            case_.resolution.automatic() ? "divide the domain where they are"
                                                         : "raise the degrees, or give resolution.tolerance")
              : describe_verification(case_, report.verification, outcome.solution.axes, why_coarse);
      if (!why_coarse.empty() && (!all || found.n_spurious > 0 || !search.missed.empty()))
        report.reason += "; " + why_coarse;
    }
  }
  end_without_estimate(outcome);
  report.wall_seconds = seconds();
  return outcome;
}

std::vector<AxisDescription> EigenvalueProblem::subdomains(int refinements) const {
  std::vector<AxisDescription> subdomains = model_.subdomains;
  for (int n = 0; n < refinements; ++n) subdomains = refined(model_, subdomains);
  return subdomains;
}

std::unique_ptr<const Pencil> EigenvalueProblem::pencil(const Context& context,
                                                        const std::vector<AxisDescription>& subdomains) const {
  return std::make_unique<const Pencil>(context, model_, plan_, subdomains);
}

std::optional<Mode> EigenvalueProblem::leading(const Context& context, int refinements,
                                               const std::function<bool()>& interrupted) const {
  const std::vector<AxisDescription> subdomains = this->subdomains(refinements);
  const Pencil pencil(context, model_, plan_, subdomains), finer(context, model_, plan_, refined(model_, subdomains));
  RunControl control;
  control.interrupted = interrupted;
  const Found found = find(context, pencil, finer, control);
  if (found.modes.empty()) return {};
  return found.modes.front().mode;
}

std::unique_ptr<Problem> make_eigenvalue_problem(const Case& the_case) {
  if (parameter_of(the_case) != nullptr) return std::make_unique<CurveProblem>(the_case);
  if (eigenvalue_of(the_case)->critical.active()) return std::make_unique<CriticalProblem>(the_case);
  return std::make_unique<EigenvalueProblem>(the_case);
}

}  // namespace gwrm
