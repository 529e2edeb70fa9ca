#include "problems/time_spectral/march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/log.hpp"

#include "problems/time_spectral/step_control.hpp"

namespace gwrm {
namespace {

constexpr int kMostHalvings = 10;         // of a fixed window in which Newton fails
constexpr double kShrinkAfterFailure = 0.4;
constexpr double kMostGrowth = 3.0;       // of a window over the one before
constexpr double kWorthRefactoring = 1.3;
constexpr double kShortestWindow = 1e-13;  // relative to the whole time
constexpr int kMostRefinements = 40;      // of one window's subdomains

// The state at the start of a window, on the pieces of the window that ended there.
struct Origin {
  bool initial = true;  // the initial values of the case: projected on whatever pieces are asked for
  std::vector<State> states;
  std::vector<AxisPieces> pieces;
};

class March {
 public:
  March(const Context& context, const Case& problem, const Model& model, const SystemPlan& plan,
        const MarchSettings& settings, const std::vector<std::vector<double>>& points,
        const std::function<void(MarchWindow&&)>& window_done, const std::function<bool()>& interrupted)
      : context_(context),
        point_context_(points.size() > 1 ? context.single_threaded() : context),
        problem_(problem),
        model_(model),
        plan_(plan),
        settings_(settings),
        points_(points),
        window_done_(window_done),
        interrupted_(interrupted),
        sizes_(model),
        memories_(points.size()),
        pieces_(model.pieces) {}

  MarchEnd run(const MarchWindow* last) {
    if (last != nullptr)
      continue_behind(*last);
    else if (std::string bad = bad_data(); !bad.empty()) {
      end_.status = MarchStatus::newton_failed;
      end_.newton = NewtonStatus::not_finite;
      end_.detail = std::move(bad);
      end_.start = first_edge(0);
      end_.end = first_edge(1);
      return end_;
    }
    if (settings_.resolution.automatic())
      automatic(last);
    else
      fixed();
    const LinearChoice choice = choose_linear_method(problem_, model_, plan_, pieces_);
    end_.linear_solver = describe(demoted_ ? LinearChoice{*demoted_, "after the first choice failed"} : choice);
    return end_;
  }

 private:
  double first_edge(std::size_t i) const { return model_.window_edges.empty() ? static_cast<double>(i) : model_.window_edges[i]; }
  double span() const { return model_.window_edges.back() - model_.window_edges.front(); }
  int time_degree() const { return model_.pieces[at(model_.time_axis())].degree; }

  std::string bad_data() const {
    for (const std::vector<double>& point : points_) {
      const Discretisation first(model_, pieces_, point, first_edge(0), first_edge(1));
      if (std::string bad = locate_bad_data(model_, first); !bad.empty()) return bad;
    }
    return {};
  }

  // The window's last values as the state: a polynomial in t ends where the next one starts.
  void continue_behind(const MarchWindow& last) {
    origin_.initial = false;
    origin_.pieces = last.pieces;
    pieces_ = last.pieces;
    now_ = last.end;
    for (const std::vector<Array>& fields : last.fields) origin_.states.push_back(end_state(model_, fields, last.start, last.end));
  }

  State state_for(std::size_t p, const std::vector<AxisPieces>& pieces, double start, double end) const {
    if (origin_.initial)
      return initial_state(point_context_, model_, Discretisation(model_, pieces, points_[p], start, end));
    return on_pieces(point_context_, model_, origin_.states[p], origin_.pieces, pieces);
  }

  // Solves [start, end] at all parameter points. `guess`: an earlier attempt on this window, or null.
  // A linear solver that does not serve gives way to a more robust one, for good.
  std::vector<NewtonResult> attempt(double start, double end, const std::vector<std::unique_ptr<Window>>* guess) {
    for (;;) {
      LinearMethod method = demoted_ ? *demoted_ : choose_linear_method(problem_, model_, plan_, pieces_).method;
      std::vector<NewtonResult> results = attempt_with(method, start, end, guess);
      const std::size_t p = first_failure(results);
      if (p == results.size() || problem_.solver.linear != LinearSolverChoice::automatic) return results;
      const NewtonStatus status = results[p].status;
      // Where the coefficients change too much within the window a shorter one is the cure.
      const bool too_long = status == NewtonStatus::linear_failed && can_divide_time() && method != LinearMethod::tensor;
      if ((status != NewtonStatus::singular && status != NewtonStatus::linear_failed) || too_long ||
          !more_robust(method, model_, pieces_))
        return results;
      end_.warnings.push_back(fmt::format("the linear solver was exchanged ({}): {}", to_string(status),
                                          describe({method, "after the first choice failed"})));
      demoted_ = method;
    }
  }

  std::vector<NewtonResult> attempt_with(LinearMethod method, double start, double end,
                                         const std::vector<std::unique_ptr<Window>>* guess) {
    std::vector<NewtonResult> results(points_.size());
    std::vector<std::exception_ptr> errors(points_.size());
    std::vector<std::unique_ptr<Window>> windows(points_.size());
    // A device's handles serve one thread.
    const bool parallel = points_.size() > 1 && context_.backend() == Backend::cpu;
#pragma omp parallel for schedule(dynamic) num_threads(context_.n_threads()) if (parallel)
    for (std::size_t p = 0; p < points_.size(); ++p) {
      try {
        windows[p] = std::make_unique<Window>(point_context_, model_, plan_, pieces_, points_[p], start, end,
                                              state_for(p, pieces_, start, end));
        Window& window = *windows[p];
        window.x = first_guess(window, p, guess);
        results[p] = solve_window(window, method, settings_.newton, memories_[p], interrupted_);
      } catch (...) {
        errors[p] = std::current_exception();
      }
    }
    for (const std::exception_ptr& error : errors)
      if (error) std::rethrow_exception(error);
    windows_ = std::move(windows);
    const std::vector<NewtonRecord> spent = records(results);
    spent_.insert(spent_.end(), spent.begin(), spent.end());
    for (const NewtonResult& result : results) spent_factorisations_ += result.n_factorisations;
    return results;
  }

  std::vector<double> first_guess(Window& window, std::size_t p,
                                  const std::vector<std::unique_ptr<Window>>* guess) const {
    if (guess != nullptr && (*guess)[p] != nullptr) return carried_start(window.system, (*guess)[p]->system, (*guess)[p]->x);
    if (previous_.empty()) return constant_start(window.system);
    const Window& before = *previous_[p];
    std::vector<double> constant = constant_start(window.system, before.system, before.x);
    if (settings_.predictor == PredictorChoice::constant) return constant;
    std::vector<double> extrapolated = extrapolated_start(window.system, before.system, before.x);
    // Extrapolation can run away where the solution turns: the smaller residual tells.
    return residual_size(window.system, extrapolated) <= residual_size(window.system, constant) ? extrapolated : constant;
  }

  static double residual_size(WindowSystem& system, const std::vector<double>& x) {
    std::vector<double> f(x.size());
    system.residual(x, f);
    double sum = 0.0;
    for (double value : f) sum += value * value;
    return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
  }

  static std::size_t first_failure(const std::vector<NewtonResult>& results) {
    for (std::size_t p = 0; p < results.size(); ++p)
      if (!succeeded(results[p].status)) return p;
    return results.size();
  }

  std::vector<NewtonRecord> records(const std::vector<NewtonResult>& results) const {
    std::vector<NewtonRecord> all;
    for (std::size_t p = 0; p < results.size(); ++p)
      for (std::size_t i = 0; i < results[p].iterations.size(); ++i) {
        const NewtonIteration& iteration = results[p].iterations[i];
        all.push_back({n_windows_, static_cast<int>(p), static_cast<int>(i), iteration.residual_norm,
                       iteration.correction_norm, iteration.damping, iteration.linear_iterations});
      }
    return all;
  }

  void fail(const std::vector<NewtonResult>& results, double start, double end) {
    const std::size_t p = first_failure(results);
    end_.status = MarchStatus::newton_failed;
    end_.newton = results[p].status;
    end_.detail = results[p].detail;
    end_.start = start;
    end_.end = end;
    end_.parameter_point = static_cast<int>(p);
    end_.failed = spent_;
  }

  // Hands the solved windows over and makes their ends the new origin.
  void accept(const std::vector<NewtonResult>& results, double next_step) {
    MarchWindow done;
    done.start = windows_.front()->start();
    done.end = windows_.front()->end();
    done.next_step = next_step;
    done.pieces = windows_.front()->discretisation.pieces();
    done.newton = std::exchange(spent_, {});
    done.n_factorisations = std::exchange(spent_factorisations_, 0);
    done.n_unknowns = static_cast<int>(windows_.front()->system.size());
    origin_.initial = false;
    origin_.pieces = done.pieces;
    origin_.states.clear();
    for (std::size_t p = 0; p < windows_.size(); ++p) {
      const Window& window = *windows_[p];
      done.fields.emplace_back();
      for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f)
        done.fields.back().push_back(window.system.coefficients(window.x, f));
      origin_.states.push_back(window.system.end_state(window.x));
      if (results[p].reciprocal_condition > 0.0)
        done.reciprocal_condition = std::min(done.reciprocal_condition, results[p].reciprocal_condition);
    }
    now_ = done.end;
    ++n_windows_;
    previous_ = std::move(windows_);
    windows_.clear();
    window_done_(std::move(done));
  }

  bool can_divide_time() const {
    const int time = model_.time_axis();
    if (time < 0 || model_.whole_time) return false;
    return true;
  }

  // ---- windows as given

  void fixed() {
    if (model_.window_edges.empty()) {
      const std::vector<NewtonResult> results = attempt(0.0, 1.0, nullptr);
      if (first_failure(results) < results.size())
        fail(results, 0.0, 1.0);
      else
        accept(results, 0.0);
      return;
    }
    std::vector<double> edges(model_.window_edges.rbegin(), model_.window_edges.rend());  // those to come, the next last
    while (!edges.empty() && edges.back() <= now_ && !origin_.initial) edges.pop_back();
    double start = origin_.initial ? edges.back() : now_;
    if (origin_.initial) edges.pop_back();
    int halvings = 0;
    while (!edges.empty()) {
      const double end = edges.back();
      const std::vector<NewtonResult> results = attempt(start, end, nullptr);
      const std::size_t p = first_failure(results);
      if (p == results.size()) {
        accept(results, 0.0);
        start = end;
        edges.pop_back();
        halvings = std::max(0, halvings - 1);
        continue;
      }
      if (!worth_halving(results[p].status) || !can_divide_time() || halvings >= kMostHalvings) {
        fail(results, start, end);
        return;
      }
      ++halvings;
      end_.warnings.push_back(fmt::format("Newton failed in the window t = {:.6g} .. {:.6g} ({}): it was halved", start, end,
                                          to_string(results[p].status)));
      edges.push_back(0.5 * (start + end));
    }
  }

  static bool worth_halving(NewtonStatus status) {
    return status == NewtonStatus::damping_failed || status == NewtonStatus::iteration_limit ||
           status == NewtonStatus::linear_failed;
  }

  // ---- windows, subdomains and degrees by the tolerance

  void automatic(const MarchWindow* last) {
    const bool timed = !model_.window_edges.empty();
    const double stop = timed ? model_.window_edges.back() : 1.0;
    const StepTolerances tolerances = step_tolerances(model_, settings_.resolution.tolerance);
    now_ = last != nullptr ? last->end : first_edge(0);
    if (last == nullptr && timed && !resolve_initial(tolerances.space)) return;
    double h = !timed ? 1.0 : last != nullptr && last->next_step > 0.0 ? last->next_step : first_length();
    while (timed ? now_ < stop : n_windows_ == 0) {
      // What would be left over is taken along, or shared with the window after this one.
      double length = h;
      if (timed) {
        const double rest = stop - now_;
        if (length > 0.9 * rest)
          length = rest;
        else if (length > 0.5 * rest)
          length = 0.5 * rest;
      }
      const double end = timed && length >= stop - now_ ? stop : now_ + length;
      double shorter = 0.0, longer = 0.0;
      if (!solve_resolved(now_, end, tolerances, shorter, longer)) {
        if (shorter <= 0.0) return;
        h = shorter;
        if (timed && h < kShortestWindow * span()) {
          give_up("windows would have to become shorter than any clock");
          return;
        }
        continue;
      }
      // A linear problem keeps its factors as long as the windows keep their length.
      const bool keep = model_.autonomous_jacobian && longer >= length && longer < kWorthRefactoring * length;
      h = keep ? length : longer;
      coarsen(model_, previous_, sizes_, tolerances.space, pieces_);
      if (n_windows_ >= settings_.resolution.max_windows && timed && now_ < stop) {
        give_up(fmt::format("{} windows are not enough (resolution.limits.windows)", n_windows_));
        return;
      }
    }
  }

  // Pieces on which the initial values are polynomials to the tolerance: else their truncation would clash with the boundary
  // conditions, and no window would be short enough.
  bool resolve_initial(double tolerance) {
    for (int refinement = 0; refinement <= kMostRefinements; ++refinement) {
      Tails tails;
      for (std::size_t p = 0; p < points_.size(); ++p) {
        const Tails own = measure_state(model_, pieces_, state_for(p, pieces_, first_edge(0), first_edge(1)));
        tails = p == 0 ? own : largest_of(tails, own);
      }
      std::string limit;
      const bool coarse = refine(model_, tails, tolerance, settings_.resolution, pieces_, limit);
      if (!limit.empty()) {
        give_up(fmt::format("{}; the tail there is {:.1e} ({})", limit, worst(tails), tails.worst_space));
        return false;
      }
      if (!coarse) return true;
    }
    give_up("the subdomains of the initial values did not settle");
    return false;
  }

  // "x 4 * 17, y 1 * 33": subdomains and coefficients on each.
  std::string pieces_text() const {
    std::string text;
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
      if (model_.is_modal(axis))
        text += fmt::format("{}{} {} * {}", text.empty() ? "" : ", ", model_.axes[at(axis)].name,
                            pieces_[at(axis)].n_pieces(), pieces_[at(axis)].degree + 1);
    return text;
  }

  void give_up(const std::string& why) {
    end_.status = MarchStatus::unresolved;
    end_.detail = why;
    end_.start = now_;
    end_.end = now_;
  }

  // One window, its subdomains refined until they are good. False: nothing accepted; `shorter` > 0 is the length to try next.
  bool solve_resolved(double start, double end, const StepTolerances& tolerances, double& shorter, double& longer) {
    const bool timed = !model_.window_edges.empty();
    std::vector<std::unique_ptr<Window>> guess = std::move(rejected_);
    rejected_.clear();
    for (int refinement = 0; refinement <= kMostRefinements; ++refinement) {
      std::vector<NewtonResult> results = attempt(start, end, guess.empty() ? nullptr : &guess);
      if (const std::size_t p = first_failure(results); p < results.size()) {
        if (timed && can_divide_time() && worth_halving(results[p].status)) {
          shorter = kShrinkAfterFailure * (end - start);
          if (shorter >= kShortestWindow * span()) return false;
        }
        shorter = 0.0;
        fail(results, start, end);
        return false;
      }
      for (const auto& window : windows_) sizes_.see(*window);
      Tails tails = measure_tails(*windows_.front(), sizes_);
      for (std::size_t p = 1; p < windows_.size(); ++p) tails = largest_of(tails, measure_tails(*windows_[p], sizes_));

      spdlog::debug("t = {:.6g} .. {:.6g}, {}: tails {:.1e} in time, {:.1e} in space ({})", start, end, pieces_text(),
                    tails.time, worst(tails), tails.worst_space);
      const bool too_long = timed && tails.time > tolerances.time && can_divide_time();
      std::vector<AxisPieces> finer = pieces_;
      std::string limit;
      const bool coarse = refine(model_, tails, tolerances.space, settings_.resolution, finer, limit);
      if (!limit.empty() && !too_long) {
        give_up(fmt::format("{}; the tail there is {:.1e} ({})", limit, worst(tails), tails.worst_space));
        end_.end = end;
        return false;
      }
      if (too_long) {
        shorter = next_length(end - start, tails.time, tolerances.time, time_degree(), kSafetyOfRejected);
        rejected_ = std::move(windows_);
        return false;
      }
      if (!coarse) {
        longer = timed ? next_length(end - start, tails.time, tolerances.time, time_degree(), kMostGrowth) : 0.0;
        accept(results, longer);
        return true;
      }
      pieces_ = std::move(finer);
      guess = std::move(windows_);
    }
    give_up("the subdomains of one window did not settle");
    return false;
  }

  static constexpr double kSafetyOfRejected = 0.9;

  static double worst(const Tails& tails) {
    double value = 0.0;
    for (const auto& axis : tails.space)
      for (double tail : axis) value = std::max(value, tail);
    return value;
  }

  // A window in which the first term of the Taylor series moves the fields by half their size, and, where initial and boundary
  // data clash, no more than the tolerance.
  double first_length() {
    if (settings_.resolution.first_window > 0.0) return settings_.resolution.first_window;
    double h = span() / 8.0;
    const double tiny = 1e-6 * span();
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const Window probe(point_context_, model_, plan_, pieces_, points_[p], now_, now_ + tiny,
                         state_for(p, pieces_, now_, now_ + tiny));
      const double rate = initial_rate(probe);
      if (rate > 0.0) h = std::min(h, 0.5 / rate);
    }
    if (settings_.clash > 0.0) h = std::min(h, settings_.resolution.tolerance * span() / std::max(settings_.clash, 1e-3));
    return std::max(h, 10.0 * kShortestWindow * span());
  }

  // Size of the time derivative at the start over that of the fields; 0 if it is not known.
  double initial_rate(const Window& probe) const {
    WindowSystem& system = const_cast<Window&>(probe).system;
    std::vector<double> x(static_cast<std::size_t>(system.size()), 0.0), f(x.size());
    system.residual(x, f);
    double change = 0.0, size = 0.0;
    for (const RowBlock& row : system.rows())
      if (row.kind == RowBlock::Kind::equation)
        for (Index i = 0; i < element_count(row.extents); ++i) {
          const double value = f[static_cast<std::size_t>(row.offset + i)];
          change = std::max(change, std::abs(value));
        }
    for (const auto& field : probe.state)
      for (const Array& value : field)
        for (double v : value.data) size = std::max(size, std::abs(v));
    return size > 0.0 && std::isfinite(change) ? change / size : 0.0;
  }

  const Context& context_;
  const Context point_context_;
  const Case& problem_;
  const Model& model_;
  const SystemPlan& plan_;
  const MarchSettings& settings_;
  const std::vector<std::vector<double>>& points_;
  const std::function<void(MarchWindow&&)>& window_done_;
  const std::function<bool()>& interrupted_;

  FieldSizes sizes_;
  std::optional<LinearMethod> demoted_;  // in place of the automatic choice
  std::vector<SolverMemory> memories_;  // per point
  std::vector<AxisPieces> pieces_;      // of the next window
  Origin origin_;
  double now_ = 0.0;
  int n_windows_ = 0;
  std::vector<NewtonRecord> spent_;                // since the last accepted window
  int spent_factorisations_ = 0;
  std::vector<std::unique_ptr<Window>> windows_;   // of the attempt, per point
  std::vector<std::unique_ptr<Window>> previous_;  // the last accepted ones
  std::vector<std::unique_ptr<Window>> rejected_;  // solved, but too long
  MarchEnd end_;
};

}  // namespace

MarchEnd march(const Context& context, const Case& problem, const Model& model, const SystemPlan& plan,
               const MarchSettings& settings, const std::vector<std::vector<double>>& parameter_points,
               const MarchWindow* last, const std::function<void(MarchWindow&&)>& window_done,
               const std::function<bool()>& interrupted) {
  return March(context, problem, model, plan, settings, parameter_points, window_done, interrupted).run(last);
}

}  // namespace gwrm
