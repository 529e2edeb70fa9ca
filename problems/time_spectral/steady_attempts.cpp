#include "problems/time_spectral/steady_attempts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "core/log.hpp"
#include "expression/constant_value.hpp"
#include "problems/time_spectral/linear_method.hpp"
#include "problems/time_spectral/time_spectral.hpp"

namespace gwrm {
namespace {

constexpr double kSmallestDamping = 1.0 / 1024.0;
constexpr int kMostIterations = 150;
constexpr double kMostSirUnknowns = 400.0;  // a dense inverse in each iteration
constexpr double kVanished = 1e-9;          // of the guess
constexpr double kFarFromRight = 0.1;       // an estimated error that large, relative: another solution is sought

// The start on finer subdomains, and how it is described; nothing where no axis can be refined.
std::string refine_start(const Model& model, Case& the_case) {
  int n_space = 0;
  for (const AxisCase& axis : the_case.domain) n_space += axis.axis.kind == AxisKind::space ? 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < the_case.domain.size(); ++i) {
    AxisCase& axis = the_case.domain[i];
    if (axis.axis.kind != AxisKind::space) continue;
    std::string how;
    if (!make_basis(model.subdomains[i])->can_be_divided()) {
      axis.degree = 3 * model.subdomains[i].degree;
      how = fmt::format("degree {} along {}", axis.degree, axis.axis.name);
    } else {
      const int n = n_space == 1 ? 8 : 3;
      if (model.subdomains[i].n_subdomains() >= n) continue;
      std::vector<double> edges = model.subdomains[i].edges;  // those at features of the data stay
      for (int k = 1; k < n; ++k) edges.push_back(axis.axis.lower + (axis.axis.upper - axis.axis.lower) * k / n);
      std::sort(edges.begin(), edges.end());
      const double least = 0.2 * (axis.axis.upper - axis.axis.lower) / n;
      axis.edges = {edges.front()};
      for (double edge : edges)
        if (edge - axis.edges.back() > least ||
            std::find(model.subdomains[i].edges.begin(), model.subdomains[i].edges.end(), edge) !=
                model.subdomains[i].edges.end())
          if (edge > axis.edges.back()) axis.edges.push_back(edge);
      how = fmt::format("{} subdomains along {}", axis.edges.size() - 1, axis.axis.name);
    }
    text += (text.empty() ? "" : ", ") + how;
  }
  return text;
}

double starting_unknowns(const Model& model, const Case& the_case) {
  std::vector<AxisDescription> subdomains = model.subdomains;
  for (std::size_t i = 0; i < subdomains.size(); ++i) {
    if (the_case.domain[i].edges.size() > subdomains[i].edges.size()) subdomains[i].edges = the_case.domain[i].edges;
    subdomains[i].degree = std::max(subdomains[i].degree, the_case.domain[i].degree);
  }
  return window_size(model, subdomains).unknowns;
}

// An unknown number that has a guess and has gone to zero, "T"; empty: none. With a period or length T = 0 every
// constant solves T-scaled equations: that is not the answer that a guess of 5 asks for.
std::string vanished_number(const Model& model, const Solution& solution) {
  for (const FieldModel& field : model.fields) {
    if (!field.axes.empty() || field.guess == nullptr) continue;
    const std::optional<double> guess = expression::constant_value(model.pool->symbols(), field.guess);
    const FieldSolution* found = solution.find_field(field.name);
    if (!guess || found == nullptr || found->windows.empty() || found->windows.front().data.empty()) continue;
    if (std::abs(found->windows.front().data.front()) < kVanished * std::abs(*guess)) return field.name;
  }
  return {};
}

// The same start with the guesses of unknown numbers times a factor; false: there are none.
bool scale_numbers(const Model& model, Case& the_case, double factor) {
  bool found = false;
  for (const FieldModel& field : model.fields)
    for (NamedExpression& guess : the_case.guess)
      if (field.axes.empty() && guess.name == field.name) {
        guess.text.text = fmt::format("({})*{:g}", guess.text.text, factor);
        found = true;
      }
  return found;
}

double largest_error(const Verification& verification) {
  double error = 0.0;
  for (const Check& check : verification.checks)
    if (check.kind == "estimate" && !check.passed()) error = std::max(error, check.value);
  return error;
}

}  // namespace

std::vector<SteadyAttempt> steady_attempts(const Case& the_case, const Model& model) {
  std::vector<SteadyAttempt> attempts;
  const auto add = [&](const Case& start, const std::string& from) {
    const auto with = [&](GlobalisationChoice globalisation, double damping, const std::string& what) {
      SteadyAttempt& attempt = attempts.emplace_back(SteadyAttempt{start, damping, what + from});
      attempt.the_case.solver.newton.globalisation = globalisation;
      attempt.the_case.solver.newton.max_iterations = std::max(start.solver.newton.max_iterations, kMostIterations);
    };
    with(GlobalisationChoice::natural, kSmallestDamping, "damping down to 1/1024");
    with(GlobalisationChoice::none, NewtonOptions().smallest_damping, "undamped steps (`none`)");
    if (starting_unknowns(model, start) <= kMostSirUnknowns && start.solver.linear == LinearSolverChoice::automatic)
      with(GlobalisationChoice::sir, NewtonOptions().smallest_damping, "SIR (`sir`)");
  };
  add(the_case, "");
  for (const double factor : {1.3, 0.75, 1.6})
    if (Case scaled = the_case; scale_numbers(model, scaled, factor))
      add(scaled, fmt::format(" from guesses of numbers times {:g}", factor));
  if (!the_case.resolution.automatic()) return attempts;
  Case finer = the_case;
  if (const std::string start = refine_start(model, finer); !start.empty()) add(finer, " from " + start);
  return attempts;
}

bool TimeSpectral::may_solve_otherwise(const RunControl& control, const RunOutcome& outcome) const {
  if (is_attempt_ || is_trial_ || control.solution || control.restart || model_.linear || model_.time_axis() >= 0 ||
      case_.solver.newton.globalisation != GlobalisationChoice::natural ||
      case_.solver.newton.max_iterations != Case::Solver::Newton().max_iterations)  // prescribed by the user
    return false;
  if (outcome.complete)
    return outcome.status == ExitStatus::converged && (largest_error(outcome.report.verification) > kFarFromRight ||
                                                       !vanished_number(model_, outcome.solution).empty());
  return outcome.status == ExitStatus::not_converged || outcome.status == ExitStatus::not_finite;
}

bool TimeSpectral::solve_otherwise(const Context& given, const RunControl& control, RunOutcome& outcome) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  const auto is_over = [&] {
    return std::chrono::duration<double>(Clock::now() - began).count() > kMostSteadySeconds ||
           (control.interrupted && control.interrupted());
  };
  std::string tried;
  for (const SteadyAttempt& attempt : steady_attempts(case_, model_)) {
    if (is_over()) break;
    TimeSpectral problem(attempt.the_case);
    problem.is_attempt_ = problem.is_trial_ = true;
    problem.smallest_damping_ = attempt.smallest_damping;
    RunControl quiet;
    quiet.interrupted = is_over;
    RunOutcome found = problem.run(given, quiet);
    const ErrorEstimate& estimate = found.report.verification.estimate;
    if (found.status == ExitStatus::converged && found.report.verification.passed() &&
        estimate.status != ErrorEstimate::Status::missing && vanished_number(model_, found.solution).empty()) {
      found.report.warnings.push_back(
          fmt::format("Newton's iteration with damping down to 1/16 found no solution from the guess; {} found this "
                      "one (solver.newton.globalisation)",
                      attempt.what));
      remove_journal(outcome.journal);
      outcome = std::move(found);
      return true;
    }
    tried += (tried.empty() ? "" : ", ") + attempt.what;
  }
  if (outcome.complete) {
    if (const std::string name = vanished_number(model_, outcome.solution); !name.empty()) {
      outcome.complete = false;
      outcome.status = ExitStatus::not_converged;
      outcome.report.status = "no solution near the guess";
      outcome.report.reason = fmt::format(
          "Newton's iteration comes to {0} = 0, where the guess of {0} is not: give a guess of the unknowns that is "
          "nearer to the solution",
          name);
    }
    return false;
  }
  if (tried.empty()) return false;
  outcome.report.reason += fmt::format(
      "; tried without success (solver.newton.globalisation): {}. Perhaps there is no solution for these values of the "
      "constants, or the guess is far from it: follow the solution from values for which it is found (`continue`), or "
      "march to the steady state: dt(..) in the equations, t in `domain`, and an `initial` state",
      tried);
  return false;
}

}  // namespace gwrm
