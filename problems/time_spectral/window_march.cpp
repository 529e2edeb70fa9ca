#include "problems/time_spectral/window_march.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/errors.hpp"
#include "core/log.hpp"
#include "weighted_residual/model/multipliers.hpp"

namespace gwrm {
namespace {

constexpr double kShortestWindow = 1e-13;  // relative to the whole time
// Unknowns without dt at the start.
constexpr double kWindowAtStart = 1e-6;  // relative to the whole time
constexpr double kSmallestDampingAtStart = 1.0 / 1024.0;
constexpr int kMostIterationsAtStart = 200;

// What the next window starts from, to the bit, the sizes it is judged by (those that only rejected attempts had cannot
// be found again from the accepted windows), and what this one started from: tails of it choose the next subdomains.
std::vector<SharedArray> make_restart_state(const Window& window, const State& end, const FieldScales& sizes) {
  std::vector<SharedArray> restart_state;
  for (int f = 0; f < static_cast<int>(end.size()); ++f) restart_state.push_back(window.shared_unknowns(f));
  for (const std::vector<Array>& field : end) restart_state.insert(restart_state.end(), field.begin(), field.end());
  Array known(Shape{std::ssize(sizes.seen())});
  known.data.assign(sizes.seen().begin(), sizes.seen().end());
  restart_state.emplace_back(std::move(known));
  for (const std::vector<Array>& field : window.state)
    restart_state.insert(restart_state.end(), field.begin(), field.end());
  return restart_state;
}

// OutputError where these are not the numbers of this window: they come from a file.
void take_restart_state(const std::vector<SharedArray>& restart_state, Window& window, State& end, FieldScales& sizes) {
  auto next = restart_state.begin();
  const auto take = [&](std::size_t size) {
    if (next == restart_state.end() || static_cast<std::size_t>(next->size()) != size)
      throw OutputError(
          "the state of the last window in the journal does not fit its case; delete the file and begin the "
          "run afresh");
    return std::span(next++->data.get(), size);
  };
  const auto take_state = [&](State& state) {
    for (std::vector<Array>& field : state)
      for (Array& value : field) std::ranges::copy(take(value.data.size()), value.data.begin());
  };
  for (const FieldLayout& layout : window.system.layouts()) {
    const auto unknowns = take(static_cast<std::size_t>(element_count(layout.extents)));
    std::ranges::copy(unknowns, window.change_x().begin() + layout.offset);
  }
  take_state(end);
  if (next == restart_state.end()) return;  // older journals end here, ...
  const auto known = take(sizes.seen().size());
  sizes = FieldScales(window.system.model());
  sizes.update({known.begin(), known.end()});
  if (next == restart_state.end()) return;  // ... or here
  take_state(window.state);
}

}  // namespace

WindowMarch::WindowMarch(const MarchInput& input)
    : model_(input.model),
      settings_(input.settings),
      points_(input.points),
      solver_(input),
      sizes_(input.model),
      subdomains_(input.model.subdomains),
      window_done_(input.window_done) {}

MarchEnd WindowMarch::run(const MarchSoFar& before) {
  if (before.n_windows > 0)
    continue_behind(before);
  else if (std::string bad = bad_data(); !bad.empty()) {
    end_.status = MarchStatus::newton_failed;
    end_.newton = NewtonStatus::not_finite;
    end_.detail = std::move(bad);
    end_.start = first_edge(0);
    end_.end = first_edge(1);
    return end_;
  }
  advance(before.last.next_step);
  // What the last window was solved with, and what was noticed on the way, whatever became of the march.
  end_.linear_solver = solver_.linear_solver(subdomains_);
  if (!halved_.empty()) end_.warnings.push_back(describe_halvings(halved_));
  const std::vector<std::string> warnings = solver_.warnings();
  end_.warnings.insert(end_.warnings.end(), warnings.begin(), warnings.end());
  return end_;
}

std::string WindowMarch::bad_data() const {
  for (const std::vector<double>& point : points_) {
    const Discretisation first(model_, subdomains_, point, first_edge(0), first_edge(1));
    if (std::string bad = locate_bad_data(model_, first); !bad.empty()) return bad;
  }
  return {};
}

bool WindowMarch::is_too_short(double length) const {
  return length < kShortestWindow * span();
}

bool WindowMarch::worth_shortening(NewtonStatus status) {
  return status == NewtonStatus::damping_failed || status == NewtonStatus::iteration_limit ||
         status == NewtonStatus::linear_failed || status == NewtonStatus::not_finite;
}

// As if the windows had just been solved.
void WindowMarch::continue_behind(const MarchSoFar& before) {
  const MarchWindow& last = before.last;
  // Everything that accept() leaves behind: sizes, number and time, subdomains, the last windows (for the predictor),
  // their end states as the origin. The journal's numbers take the place of those that were computed again: to the bit.
  sizes_ = before.sizes;
  n_windows_ = before.n_windows;
  now_ = last.end;
  subdomains_ = last.subdomains;
  previous_ = solver_.rebuild(last.subdomains, last.start, last.end, last.fields);
  origin_ = {false, {}, last.subdomains};
  for (std::size_t p = 0; p < previous_.size(); ++p) {
    // x and the state as computed from the coefficients, equal to round-off, ...
    Window& window = *previous_[p];
    State state = window.system.end_state(window.x());
    // ... and as they were.
    if (!last.restart_state.empty()) take_restart_state(last.restart_state[p], window, state, sizes_);
    origin_.states.push_back(std::move(state));
  }
}

std::vector<NewtonResult> WindowMarch::attempt(double start, double end, const PointWindows& guess) {
  const auto solve = [&] {
    const PointWindows& before = n_windows_ == 0 && !at_start_.empty() ? at_start_ : previous_;
    return solver_.attempt({origin_, subdomains_, start, end, before, guess, n_windows_});
  };
  PointResults found = solve();
  const std::size_t p = first_failure(found.newton);
  if (p < found.newton.size() && worth_shortening(found.newton[p].status) && origin_.initial && guess.empty() &&
      at_start_.empty() && end_.lacks_guess.empty() && solve_start(start))
    found = solve();
  windows_ = std::move(found.windows);
  return std::move(found.newton);
}

std::string WindowMarch::unknown_at_start() const {
  std::string names;
  for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
    const FieldModel& field = model_.fields[at(f)];
    if (field.time_order == 0 && field.guess == nullptr && multiplier_of(model_, f) == nullptr)
      names += (names.empty() ? "" : ", ") + field.name;
  }
  return names;
}

bool WindowMarch::solve_start(double start) {
  if (!can_divide_time() || model_.linear) return false;
  const std::string names = unknown_at_start();
  if (names.empty()) return false;
  for (const Globalisation globalisation : {Globalisation::natural, Globalisation::none}) {
    NewtonOptions options = settings_.newton;
    options.globalisation = globalisation;
    options.smallest_damping = kSmallestDampingAtStart;
    options.max_iterations = std::max(options.max_iterations, kMostIterationsAtStart);
    const PointWindows none;
    WindowToSolve window{origin_, subdomains_, start, start + kWindowAtStart * span(), previous_, none, n_windows_};
    window.newton = &options;
    PointResults found = solver_.attempt(window);
    if (first_failure(found.newton) < found.newton.size()) continue;
    logger().info("{}: found at the start of the run from zero, no guess being given", names);
    at_start_ = std::move(found.windows);
    return true;
  }
  end_.lacks_guess = names;
  return false;
}

void WindowMarch::fail(const std::vector<NewtonResult>& results, double start, double end) {
  const std::size_t p = first_failure(results);
  end_.status = MarchStatus::newton_failed;
  end_.newton = results[p].status;
  end_.detail = results[p].detail;
  end_.start = start;
  end_.end = end;
  end_.parameter_point = static_cast<int>(p);
  end_.failed = solver_.spent().newton;
}

// Hands the solved windows over and makes their ends the new origin.
void WindowMarch::accept(const std::vector<NewtonResult>& results, double next_step) {
  const LogTime time("coefficients and end of the window");
  // What leaves: times, subdomains, what was spent on it, rejected attempts included, ...
  MarchWindow done;
  done.start = windows_.front()->start();
  done.end = windows_.front()->end();
  done.next_step = next_step;
  done.subdomains = windows_.front()->discretisation.subdomains();
  Spent spent = solver_.take_spent();
  done.newton = std::move(spent.newton);
  done.n_factorisations = spent.n_factorisations;
  done.n_unknowns = windows_.front()->system.size();
  // ... per parameter point the coefficients of every field, whose sizes count from now on; u and its time derivatives
  // at the end are the origin of the next window.
  origin_ = {false, {}, done.subdomains};
  for (std::size_t p = 0; p < windows_.size(); ++p) {
    const Window& window = *windows_[p];
    done.fields.push_back(window.own_coefficients());
    // A flux that starts like 1/sqrt(t) is no size of what comes after it.
    if (settings_.starts.empty() || !is_passing(settings_.starts, done.start, model_.window_edges.back()))
      sizes_.update(model_, done.fields.back(), done.subdomains, window.system.context().n_threads());
    origin_.states.push_back(window.system.end_state(window.x()));
    if (results[p].reciprocal_condition > 0.0)
      done.reciprocal_condition = std::min(done.reciprocal_condition, results[p].reciprocal_condition);
  }
  for (std::size_t p = 0; p < windows_.size(); ++p)
    done.restart_state.push_back(make_restart_state(*windows_[p], origin_.states[p], sizes_));
  // The windows themselves stay for the predictor and for coarsening.
  now_ = done.end;
  ++n_windows_;
  previous_ = std::move(windows_);
  windows_.clear();
  window_done_(std::move(done));
}

void WindowMarch::give_up(const std::string& why, bool cures) {
  end_.status = MarchStatus::unresolved;
  end_.detail = why;
  if (cures && n_windows_ == 0 && !settings_.carried.empty()) {
    end_.detail = settings_.carried;
    end_.says_remedy = true;
  } else if (cures && n_windows_ == 0 && settings_.clash > 0.0)
    end_.detail +=
        settings_.incompatible_values
            ? "; initial values and boundary conditions contradict each other there (see the warnings): let the "
              "condition begin at the initial value and change within a short time, as u(x=0) = "
              "exp(-t/1e-6) for a wall that is cooled from 1 to 0"
            : "; the time derivative of the initial values contradicts the boundary conditions there (see "
              "the warnings)";
  end_.start = now_;
  end_.end = now_;
}

}  // namespace gwrm
