#include "problems/time_spectral/point_solver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <limits>
#include <numeric>

#include "core/duration_text.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "problems/time_spectral/point_places.hpp"
#include "problems/time_spectral/window_linear_solver.hpp"
#include "weighted_residual/preconditioner/consistent_state.hpp"

namespace gwrm {
namespace {

double residual_on_cpu(WindowSystem& system, const std::vector<double>& x) {
  std::vector<double> f(x.size());
  system.residual(x, f);
  double sum = 0.0;
  for (double value : f) sum += value * value;
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

bool same_space(const Model& model, const std::vector<AxisDescription>& a, const std::vector<AxisDescription>& b) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && !(a[at(axis)] == b[at(axis)])) return false;
  return true;
}

}  // namespace

std::size_t first_failure(const std::vector<NewtonResult>& results) {
  for (std::size_t p = 0; p < results.size(); ++p)
    if (!succeeded(results[p].status)) return p;
  return results.size();
}

PointSolver::PointSolver(const MarchInput& input)
    : context_(input.context),
      point_context_(input.points.size() > 1 ? input.context.single_threaded() : input.context),
      case_(input.the_case),
      model_(input.model),
      plan_(input.plan),
      settings_(input.settings),
      points_(input.points),
      interrupted_(input.interrupted),
      choice_(input.linear),
      chosen_for_(input.model.subdomains),
      memories_(solver_memories(input.settings, input.points.size())),
      all_points_(input.points.size()),
      ranks_(input.settings.device == nullptr ? ranks_of_window(input.places, input.points.size()) : RanksOfWindow()) {
  std::iota(all_points_.begin(), all_points_.end(), 0);
  if (input.places != nullptr && (points_.size() > 1 || input.places->share_windows()))
    shared_ = std::make_unique<SharedPoints>(*input.places, input);
}

PointSolver::~PointSolver() = default;

std::vector<SolverMemory> solver_memories(const MarchSettings& settings, std::size_t n_points) {
  std::vector<SolverMemory> memories(n_points);
  for (SolverMemory& memory : memories) {
    memory.device = settings.device;
    memory.device_required = settings.device_required;
    memory.keeps_device_factors = n_points == 1;
    memory.lends_factors = settings.lends_factors;
  }
  return memories;
}

State PointSolver::state_for(const Origin& origin, std::size_t p, const std::vector<AxisDescription>& subdomains,
                             double start, double end) const {
  State state = origin.initial
                    ? initial_state(point_context_, model_, Discretisation(model_, subdomains, points_[p], start, end))
                    : on_subdomains(point_context_, model_, origin.states[p], origin.subdomains, subdomains);
  const bool on_others = !origin.initial && !same_space(model_, origin.subdomains, subdomains);
  if (model_.multipliers.empty() || !(origin.initial || on_others)) return state;
  const auto where = [&]() -> InstantaneousPlace {
    if (memories_[p].device == nullptr) return {};
    return instantaneous_place(memories_[p], demoted_ ? *demoted_ : choice_for(subdomains).method, model_, plan_,
                               subdomains);
  };
  return consistent_state(point_context_.without_device(), model_, plan_, subdomains, points_[p], start, end - start,
                          std::move(state), on_others, where())
      .state;
}

std::unique_ptr<Window> PointSolver::probe(const Origin& origin, std::size_t p,
                                           const std::vector<AxisDescription>& subdomains, double start,
                                           double end) const {
  return std::make_unique<Window>(point_context_, model_, plan_, subdomains, points_[p], start, end,
                                  state_for(origin, p, subdomains, start, end));
}

std::string PointSolver::linear_solver(const std::vector<AxisDescription>& subdomains) const {
  if (demoted_) return describe({*demoted_, "after the first choice failed"});
  return describe(choice_for(subdomains));
}

LinearChoice PointSolver::choice_for(const std::vector<AxisDescription>& subdomains) const {
  if (subdomains == chosen_for_) return choice_;
  const LinearChoice choice = choose_linear_method(case_, model_, plan_, subdomains);
  if (shared_ == nullptr || points_.size() > 1) return choice;
  return choose_shared_method(case_, model_, plan_, subdomains, choice, settings_.newton).choice;
}

std::string PointSolver::memory_excess(const std::vector<AxisDescription>& subdomains) const {
  return gwrm::memory_excess(case_, model_, plan_, choice_for(subdomains), subdomains, ranks_);
}

LinearMethod PointSolver::method_for(const std::vector<AxisDescription>& subdomains) {
  if (demoted_) return *demoted_;
  choice_ = choice_for(subdomains);
  chosen_for_ = subdomains;
  return choice_.method;
}

void PointSolver::prepare(const std::vector<AxisDescription>& subdomains, double start, double end) {
  const LinearMethod method = method_for(subdomains);
  for (std::size_t p = 0; p < points_.size(); ++p)
    factor_ahead(*probe(Origin(), p, subdomains, start, end), method, memories_[p]);
}

// A factorisation of a dense matrix cannot be interrupted.
double PointSolver::least_seconds(LinearMethod method, const std::vector<AxisDescription>& subdomains) const {
  constexpr double kFastestCore = 1e11;  // operations a second
  if (!is_dense(method)) return 0.0;
  return 2.0 / 3.0 * std::pow(window_size(model_, subdomains).unknowns, 3) / (kFastestCore * context_.n_threads());
}

bool PointSolver::exceeds_limit(double needed) const {
  const Case::Resolution& resolution = settings_.resolution;
  return resolution.automatic() && resolution.max_seconds > 0.0 &&
         settings_.seconds() + needed > resolution.max_seconds;
}

PointResults PointSolver::attempt(const WindowToSolve& window) {
  const std::vector<AxisDescription>& subdomains = window.subdomains;
  for (;;) {
    LinearMethod method = method_for(subdomains);
    PointResults found = attempt_with(method, window);
    const std::vector<NewtonResult>& results = found.newton;
    record(results, window.number);
    const std::size_t p = first_failure(results);
    if (p == results.size() || case_.solver.linear != LinearSolverChoice::automatic) return found;
    // The first full step solves a linear problem: what cannot be reduced then is the error of the linear solver.
    // Steady flow far from its start: damping is judged by corrections that the preconditioner, or GMRES to a
    // hundredth, gives, and those of the dense matrix may still pass (a cavity at Re = 1000 from rest).
    const bool by_blocks = method == LinearMethod::saddle && model_.time_axis() < 0;
    const bool misses_linear = (model_.linear || by_blocks) && results[p].status == NewtonStatus::damping_failed;
    const NewtonStatus status = misses_linear ? NewtonStatus::linear_failed : results[p].status;
    // Where the coefficients change too much within the window a shorter one is the cure.
    const bool too_long = status == NewtonStatus::linear_failed && model_.time_axis() >= 0 && !model_.whole_time &&
                          method != LinearMethod::tensor && method != LinearMethod::wavenumber &&
                          method != LinearMethod::banded;
    if ((status != NewtonStatus::singular && status != NewtonStatus::linear_failed) || too_long ||
        !more_robust(method, model_, plan_, subdomains))
      return found;
    if (const double needed = least_seconds(method, subdomains); exceeds_limit(needed)) {
      found.out_of_time = true;
      warnings_.push_back(fmt::format(
          "the linear solver does not converge ({}), and {} was not begun: it would take another {} at the least, "
          "longer than the limit of time leaves",
          to_string(status), describe({method, "instead"}), duration_text(needed)));
      return found;
    }
    warnings_.push_back(fmt::format("the linear solver was exchanged ({}): {}", to_string(status),
                                    describe({method, "after the first choice failed"})));
    demoted_ = method;
  }
}

void PointSolver::for_points(const std::vector<std::size_t>& points,
                             const std::function<void(std::size_t)>& work) const {
  // A device's handles serve one thread.
  const bool parallel = points_.size() > 1 && context_.backend() == Backend::cpu && settings_.device == nullptr;
  if (parallel) {
#pragma omp parallel for schedule(dynamic) num_threads(context_.n_threads())
    for (std::size_t i = 0; i < points.size(); ++i) work(points[i]);
  } else {
    // Outside of any parallel region, be it of one thread: loops inside one would start their threads anew each time.
    for (const std::size_t p : points) work(p);
  }
}

PointResults PointSolver::attempt_with(LinearMethod method, const WindowToSolve& source) {
  PointResults found{std::vector<NewtonResult>(points_.size()), PointWindows(points_.size())};
  std::vector<std::exception_ptr> errors(points_.size());
  const bool by_ranks = shared_ != nullptr && points_.size() == 1 && !source.then && settings_.solution == nullptr;
  const auto begin_together = [&](std::size_t p, const State& state) {
    shared_->begin_together({method, source.start, source.end, source.subdomains, {{p, state, {}}}});
  };
  const auto set_up = [&](std::size_t p) {
    try {
      const LogTime time("setting up the window");
      State state = state_for(source.origin, p, source.subdomains, source.start, source.end);
      // The other ranks set it up meanwhile.
      if (by_ranks && has_shared_factors(method) && shared_->expects_to_share()) begin_together(p, state);
      found.windows[p] = std::make_unique<Window>(point_context_, model_, plan_, source.subdomains, points_[p],
                                                  source.start, source.end, std::move(state));
      found.windows[p]->change_x() = first_guess(*found.windows[p], p, method, source);
    } catch (...) {
      errors[p] = std::current_exception();
    }
  };
  // Nothing where the ranks cannot share it.
  const auto solved_by_ranks = [&](std::size_t p) -> std::optional<NewtonResult> {
    Window& window = *found.windows[p];
    const std::string reason =
        sharing_unsupported_reason(window, method, settings_.newton, memories_.front(), shared_->n_ranks());
    if (!reason.empty()) {
      if (shared_->begun_together()) shared_->solve_together(nullptr);
      shared_->stay_alone(reason, case_.path);
      return {};
    }
    if (!shared_->begun_together()) begin_together(p, window.state);
    return shared_->solve_together(&window);
  };
  const auto solve_point = [&](std::size_t p) {
    set_up(p);
    if (errors[p]) {
      if (by_ranks && shared_->begun_together()) shared_->solve_together(nullptr);
      return;
    }
    try {
      const LogTime time("solving the window");
      std::function<void(LinearSolver&)> then;
      if (source.then) then = [&](LinearSolver& solver) { source.then(p, *found.windows[p], solver); };
      if (settings_.solution != nullptr)
        found.newton[p] = take_solution(*found.windows[p], *settings_.solution);
      else if (std::optional<NewtonResult> by_all = by_ranks ? solved_by_ranks(p) : std::nullopt)
        found.newton[p] = std::move(*by_all);
      else
        found.newton[p] =
            solve_window(*found.windows[p], method, source.newton != nullptr ? *source.newton : settings_.newton,
                         memories_[p], interrupted_, then);
    } catch (...) {
      errors[p] = std::current_exception();
    }
  };
  if (shared_ == nullptr || source.then || points_.size() == 1) {
    for_points(all_points_, solve_point);
  } else {
    // Those elsewhere first: they are solved while the own ones are.
    for_points(shared_->elsewhere(), set_up);
    WindowTask task{method, source.start, source.end, source.subdomains, {}};
    for (const std::size_t p : shared_->elsewhere())
      if (!errors[p]) task.points.push_back({p, found.windows[p]->state, found.windows[p]->x()});
    shared_->begin(std::move(task));
    for_points(shared_->own(), solve_point);
    for (PointAnswer& answer : shared_->finish()) {
      errors.at(answer.point) = answer.error;
      if (answer.error) continue;
      found.newton[answer.point] = std::move(answer.newton);
      found.windows[answer.point]->change_x() = std::move(answer.x);
    }
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return found;
}

double PointSolver::residual_size(Window& window, std::size_t p, LinearMethod method,
                                  const std::vector<double>& x) const {
  WindowSystem& system = window.system;
  const std::optional<SpatialMethod> on_device =
      device_method(method, system.model(), system.plan(), system.discretisation().subdomains());
  if (memories_[p].device == nullptr || !on_device)
    return residual_on_cpu(is_dense(method) ? system : window.on_fewer_points(), x);
  try {
    return memories_[p].device->residual_size(system, *on_device, x);
  } catch (const MemoryError&) {
    if (memories_[p].device_required && shared_ == nullptr) throw;
    return residual_on_cpu(window.on_fewer_points(), x);
  }
}

std::vector<double> PointSolver::first_guess(Window& window, std::size_t p, LinearMethod method,
                                             const WindowToSolve& source) const {
  if (source.known != nullptr) return unknowns_from(window.system, source.known->fields[p], source.known->subdomains);
  if (!source.guess.empty()) return carried_start(window.system, source.guess[p]->system, source.guess[p]->x());
  if (source.previous.empty()) return constant_start(window.system);
  const Window& before = *source.previous[p];
  std::vector<double> constant = constant_start(window.system, before.system, before.x());
  if (settings_.predictor == PredictorChoice::constant) return constant;
  std::vector<double> extrapolated = extrapolated_start(window.system, before.system, before.x());
  // Extrapolation can run away where the solution turns: the smaller residual tells.
  return residual_size(window, p, method, extrapolated) <= residual_size(window, p, method, constant) ? extrapolated
                                                                                                      : constant;
}

PointWindows PointSolver::rebuild(const std::vector<AxisDescription>& subdomains, double start, double end,
                                  const std::vector<std::vector<Array>>& fields) const {
  PointWindows windows;
  for (std::size_t p = 0; p < points_.size(); ++p) {
    windows.push_back(std::make_unique<Window>(point_context_, model_, plan_, subdomains, points_[p], start, end,
                                               state_at(model_, fields[p], start, end, start)));
    windows.back()->change_x() =
        unknowns_from(windows.back()->system, fields[p], windows.back()->discretisation.subdomains());
  }
  return windows;
}

void PointSolver::with_linear_solver(std::size_t p, Window& window, const std::function<void(LinearSolver&)>& body) {
  const std::vector<AxisDescription> subdomains = window.discretisation.subdomains();
  const LinearMethod method = method_for(subdomains);
  if (const std::string excess = gwrm::memory_excess(case_, model_, plan_, choice_for(subdomains), subdomains, {});
      !excess.empty())
    throw MemoryError(excess);
  gwrm::with_linear_solver(window, method, memories_[p], body);
}

void PointSolver::record(const std::vector<NewtonResult>& results, int window_number) {
  for (std::size_t p = 0; p < results.size(); ++p) {
    spent_.n_factorisations += results[p].n_factorisations;
    for (std::size_t i = 0; i < results[p].iterations.size(); ++i) {
      const NewtonIteration& iteration = results[p].iterations[i];
      spent_.newton.push_back({window_number, static_cast<int>(p), static_cast<int>(i), iteration.residual_norm,
                               iteration.correction_norm, iteration.damping, iteration.linear_iterations});
    }
  }
}

}  // namespace gwrm
