#include "problems/time_spectral/automatic_march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/counted.hpp"
#include "core/log.hpp"
#include "problems/time_spectral/boundary_sizes.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/initial_degrees.hpp"
#include "problems/time_spectral/time_degree.hpp"
#include "problems/time_spectral/time_kinks.hpp"

namespace gwrm {
namespace {

constexpr double kShrinkAfterFailure = 0.4;
constexpr double kMaxGrowth = 3.0;  // of a window over the one before
constexpr double kSafetyOfRejected = 0.9;
constexpr double kWorthRefactoring = 1.3;
constexpr int kMaxRefinements = 40;  // of one window's subdomains
// A window whose tail is this little above what the next length aims at is not worth solving again.
constexpr double kTimeSlack = 1.5;
// A rejected attempt with larger tails, a pole stepped over perhaps, tells nothing of the size of the solution.
constexpr double kTrustedTail = 0.05;
// The first window is short, and what it costs goes with its nodes.
constexpr int kFirstTimeDegree = 4;
constexpr double kLooserBesideJump = 10.0;  // tails in space of several dimensions, where nothing is judged
constexpr double kLooserInFlow = 2.0;       // tails in space at the start of a flow, over the tolerance
constexpr int kStartUpDegree = 8;           // of a sudden start: with 4 nodes twice the windows keep the tolerance
// Windows over which a pace has to be steady before it is thought to last: those of ODEs are solved within a
// millisecond.
constexpr std::size_t kWatchedInSpace = 48, kWatchedWithoutSpace = 1024;
// A subdomain of this share of its axis is there for a front.
constexpr double kFrontWidth = 1e-3;
// Growth of a perturbation, from a window to the end of the run, from which on it has to be followed: errors of a tenth
// of the tolerance, such as the tails leave, then come near the tolerance.
constexpr double kGrowthThatCounts = 5.0;
constexpr double kSameLength = 1.0 + 1e-9;  // two lengths that differ by rounding only
constexpr double kTooLittleGain = 0.5;      // of the tail in time, from a rejected window to the next one from there

double worst(const Tails& tails) {
  double value = 0.0;
  for (const auto& axis : tails.space)
    for (double tail : axis) value = std::max(value, tail);
  return value;
}

// "x 4 * 17, y 1 * 33": subdomains and coefficients on each.
std::string subdomains_text(const Model& model, const std::vector<AxisDescription>& subdomains) {
  std::string text;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis))
      text += fmt::format("{}{} {} * {}", text.empty() ? "" : ", ", model.axes[axis].name,
                          subdomains[axis].n_subdomains(), make_basis(subdomains[axis])->n_per_subdomain());
  return text;
}

}  // namespace

AutomaticMarch::AutomaticMarch(const MarchInput& input, RunWatch& watch)
    : WindowMarch(input),
      chooses_time_degree_(can_divide_time() && input.model.n_modal_axes() > 1 &&
                           input.the_case.domain[static_cast<std::size_t>(input.model.time_axis())].degree < 0),
      keeps_first_degree_(has_derivative_conditions(input.model)),
      levels_(levels_that_show(input.settings.resolution, input.model)),
      plan_(input.plan),
      watch_(watch),
      pace_(input.model.n_modal_axes() > 0 ? kWatchedInSpace : kWatchedWithoutSpace) {}

void AutomaticMarch::advance(double next_step) {
  const bool timed = is_timed();
  const double stop = timed ? model_.window_edges.back() : 1.0;
  const double tolerance = settings_.resolution.tolerance;
  const StepTolerances tolerances =
      settings_.corners.empty() ? step_tolerances(model_, tolerance) : step_tolerances_at_corners(tolerance);
  const auto add_known_sizes = [&] {
    sizes_.update(sizes_by_conditions(model_, points_.front()));
    sizes_.update(settings_.sizes);
  };
  if (origin_.initial) {
    now_ = first_edge(0);
  } else {  // an interrupted run: as after every accepted window
    if (timed) add_known_sizes();
    choose_subdomains(next_step, tolerances);
  }
  if (!origin_.initial && timed && settings_.flows.is_one(previous_.front()->start()))
    flow_judged_ = settings_.flows.judged_from(previous_.front()->start(), previous_.front()->length());
  timed ? watch_.begin(now_, stop) : watch_.begin_steady();
  if (const std::string limit = beyond_limits(settings_.resolution, model_, expression::kUnseenFraction);
      !limit.empty()) {
    give_up(limit, false);
    end_.says_remedy = true;
    return;
  }
  if (settings_.is_hopeless) {
    give_up("");
    return;
  }
  if (origin_.initial && timed && !resolve_initial(tolerances.space)) return;
  const bool has_start_up = timed && (start_up() != nullptr || settings_.flows.is_one(now_));
  if (origin_.initial && chooses_time_degree_ && (!keeps_first_degree_ || has_start_up))
    subdomains_[model_.time_axis()].degree = settings_.flows.is_one(now_) ? flow_nodes(settings_.resolution.tolerance)
                                             : has_start_up               ? kStartUpDegree
                                                                          : kFirstTimeDegree;
  if (origin_.initial && timed) add_known_sizes();
  find_stops();
  // h: the length proposed for the next window.
  double h = !timed ? 1.0 : next_step > 0.0 ? next_step : first_length();
  while (timed ? now_ < stop : n_windows_ == 0) {
    // What would be left over is taken along, or shared with the window after this one.
    double shortest = 0.0;
    if (const SuddenStart* start = timed ? start_up() : nullptr) h = length_in_start_up(*start, h, shortest);
    if (timed && n_windows_ > 0 && flow_from_ != now_ && settings_.flows.is_one(now_))
      h = std::min(h, exact(length_at_flow_start()));
    flow_from_ = now_;
    double length = h;
    const double next = timed ? *std::upper_bound(stops_.begin(), stops_.end(), now_) : stop;
    if (timed) {
      const double rest = next - now_;
      if (length > 0.9 * rest)
        length = rest;
      else if (length > 0.5 * rest)
        length = exact(0.5 * rest);
    }
    // A window that a stop cuts short says nothing against the length that it would have had: that is tried again
    // behind it.
    const double end = timed && length >= next - now_ ? next : now_ + length;
    cut_from_ = end == next && next < stop ? h : 0.0;
    const Step step = solve_resolved(now_, end, tolerances, shortest);
    h = step.next_length;
    if (!step.accepted) {  // a shorter one from the same start
      if (h <= 0.0 || takes_too_long()) return;
      if (timed && is_too_short(h)) {
        give_up("windows would have to become shorter than any clock" + unmoved_text());
        end_.vanishing = true;
        return;
      }
      continue;
    }
    // Coarser or finer subdomains for the next one, and is there an end in sight?
    choose_subdomains(h, tolerances);
    if (!timed || now_ >= stop) continue;
    pace_.update(length);
    watch_.accept(now_, length, what_holds());
    if (takes_too_long()) return;
    const double ahead = pace_.windows_for(stop - now_), most = settings_.resolution.max_windows;
    if (n_windows_ >= most || n_windows_ + ahead > most) {
      give_up(n_windows_ >= most ? counted_are(n_windows_, "window") + " not enough (resolution.limits.windows)"
                                 : fmt::format("windows of about {:.1e} would have to follow each other {:.0f} times "
                                               "(resolution.limits.windows)",
                                               (stop - now_) / ahead, ahead));
      return;
    }
  }
}

// A multiple of the distance of numbers near the largest time: times are then sums without rounding, and windows that
// are to be equally long have the same length to the bit, and with it the same factors, whichever of them the factors
// were made in. So a run that is continued has the bits of one that was not interrupted.
double AutomaticMarch::exact(double length) const {
  if (!is_timed()) return length;
  const double largest = std::max(std::abs(model_.window_edges.front()), std::abs(model_.window_edges.back()));
  const double step = std::ldexp(std::numeric_limits<double>::epsilon(), std::ilogb(largest));
  return length > 1e6 * step ? step * std::nearbyint(length / step) : length;
}

void AutomaticMarch::find_stops() {
  if (!is_timed()) return;
  stops_ = {model_.window_edges.back()};
  if (!can_divide_time()) return;
  stops_.insert(stops_.end(), model_.window_edges.begin() + 1, model_.window_edges.end() - 1);
  const double near = 1e-9 * span();  // a kink whose digits the file gives is the file's edge
  for (double t : times_of_kinks(model_))
    if (std::none_of(stops_.begin(), stops_.end(), [&](double edge) { return std::abs(edge - t) <= near; }))
      stops_.push_back(t);
  for (const SuddenStart& start : settings_.starts) stops_.push_back(start.end);  // .. and where a start-up ends
  std::sort(stops_.begin(), stops_.end());
}

AutomaticMarch::Step AutomaticMarch::solve_resolved(double start, double end, const StepTolerances& tolerances,
                                                    double shortest) {
  const bool in_start_up = shortest > 0.0, flow_starts = settings_.flows.is_one(start);
  // Beside the start of a flow series fall by powers; of u a part of the last coefficients is the error.
  const double in_time =
      flow_starts || start < flow_judged_ ? settings_.resolution.tolerance / kTimeSlack : tolerances.time;
  // What series leave out in space beside a jump is smoothed as the jump is; beside the start of a flow the degree
  // follows from the slip of its acceleration, and tails fall like its fourth power or faster.
  const double space = in_start_up && model_.n_modal_axes() > 1 ? kLooserBesideJump * tolerances.space
                       : flow_starts && model_.n_modal_axes() > 1
                           ? std::max(tolerances.space, kLooserInFlow * settings_.resolution.tolerance)
                           : tolerances.space;
  const bool timed = is_timed();
  const int time = model_.time_axis();
  PointWindows guess = std::exchange(rejected_, {});
  for (int refinement = 0; refinement <= kMaxRefinements; ++refinement) {
    // 1. Solve. Newton fails: 0.4 of the length, as long as that is a length.
    watch_.begin_attempt(start, end, subdomains_text(model_, subdomains_));
    std::vector<NewtonResult> results = attempt(start, end, guess);
    if (const std::size_t p = first_failure(results); p < results.size()) {
      if (results[p].status == NewtonStatus::interrupted && takes_too_long()) return {};
      if (timed && can_divide_time() && worth_shortening(results[p].status)) {
        const double shorter = exact(kShrinkAfterFailure * (end - start));
        failed_start_ = start;
        watch_.shorten("; in longer ones Newton's iteration fails (" + to_string(results[p].status) + ")");
        if (!is_too_short(shorter)) return {false, shorter};
      }
      fail(results, start, end);
      return {};
    }
    // 2. Look at the last coefficients: too long where those in time are above 1.5 tol_t, too coarse where those in
    // space are above tol_x on some subdomain (then `finer` has the subdomains bisected, or higher degrees).
    const Tails tails = tails_ = tails_of(windows_);
    logger().debug("t = {:.6g} .. {:.6g}{}, {}: tails {:.1e} in time, {:.1e} in space ({})", start, end,
                   time < 0 ? "" : fmt::format(" ({} nodes)", subdomains_[time].degree),
                   subdomains_text(model_, subdomains_), tails.time, worst(tails), tails.worst_space);
    const double allowed = kTimeSlack * in_time;
    const double eta = timed && tails.time > allowed ? drop_unmoved(tails, allowed) : tails.time;
    const bool too_long = eta > allowed && can_divide_time() && !(end - start <= kSameLength * shortest);
    std::vector<AxisDescription> finer = subdomains_;
    std::string limit;
    const bool coarse = refine(model_, tails, space, settings_.resolution, finer, limit);
    if (coarse && limit.empty()) limit = solver_.memory_excess(finer);
    // 3. Too coarse, and nothing finer is allowed or fits: the end. (A shorter window may need nothing finer.)
    if (!limit.empty() && !too_long) {
      const bool by_growth = timed && rate_ * span() > -std::log(std::numeric_limits<double>::epsilon());
      give_up(fmt::format("{}; the tail there is {:.1e} ({}){}", limit, worst(tails), tails.worst_space,
                          by_growth ? fmt::format("; perturbations, rounding among them, grow at the rate {:.3g}: {}",
                                                  rate_, kIllPosedCure)
                                    : ""));
      end_.end = end;
      return {};
    }
    // 4. Too long: h clip(0.9 (tol_t/eta)^(1/K), 0.2, 0.9), from the same start; the attempt is Newton's guess there.
    if (too_long) {
      learn_sizes(tails);
      watch_.shorten(what_holds(fmt::format("; the last coefficients in t of {} are {:.1e}, wanted {:.1e}",
                                            tails.worst_time, tails.time, in_time)));
      // Where a shorter window brought no smaller tail, it is space that does not resolve what happens.
      const bool in_vain = start == rejected_start_ && tails.time > kTooLittleGain * rejected_tail_;
      if (coarse && in_vain && limit.empty()) subdomains_ = std::move(finer);
      rejected_start_ = start;
      rejected_tail_ = tails.time;
      TimeStep step = cheapest_step(windows_, start, in_time, kSafetyOfRejected);
      attempts_.add(start, end - start, subdomains_, tails.time_of);
      const double q = attempts_.exponent(allowed), K = subdomains_[time].degree;
      if (step.degree == 0)
        step.length = next_length(end - start, eta, in_time, flow_starts ? 1.0 : K, kSafetyOfRejected);
      else
        subdomains_[time].degree = step.degree;
      if (q > 0.0 && q < 0.5 * K)
        step.length = std::min(step.length, next_length(end - start, eta, in_time, q, kSafetyOfRejected));
      rejected_ = std::move(windows_);
      return {false, std::max(exact(step.length), shortest)};
    }
    // 5. Longer than a growing mode is followed: a shorter one, from the same start.
    double followed = std::numeric_limits<double>::infinity();
    if (timed && can_divide_time() && !coarse && !in_start_up) {
      const FollowedLength growth =
          followed_length(growing_modes_.at(windows_), kMaxGrowth * (end - start), subdomains_[time].degree,
                          model_.window_edges.back() - start, kGrowthThatCounts);
      if (growth.rate > 0.0) followed = growth.length;
      if (growth.length < end - start && !is_too_short(exact(growth.length))) {
        rate_ = growth.rate;
        watch_.shorten(fmt::format("; longer ones damp a mode that grows at the rate {:.3g}", growth.rate));
        rejected_ = std::move(windows_);
        return {false, exact(growth.length)};
      }
    }
    // 6. Resolved: accepted, and h clip(0.9 (tol_t/eta)^(1/K), 0.2, 3) proposed for the next one.
    if (!coarse) {
      double longer = 0.0;
      if (const TimeStep step = cheapest_step(windows_, end, tolerances.time, kMaxGrowth); step.degree > 0)
        longer = step.length;
      else if (timed)
        longer = next_length(end - start, eta, tolerances.time, subdomains_[time].degree, kMaxGrowth);
      if (timed && !flow_starts) longer = std::min(longer * growth_behind_start(), kMaxGrowth * (end - start));
      if (in_start_up) longer = std::max(longer, untested_ == start ? kMaxGrowth * (end - start) : end - start);
      if (flow_starts) {
        longer = std::max(longer, kMaxGrowth * (end - start));
        flow_judged_ = settings_.flows.judged_from(start, end - start);
      }
      // A linear problem keeps its factors as long as the windows keep their length.
      if (model_.autonomous_jacobian && longer >= end - start && longer < kWorthRefactoring * (end - start))
        longer = end - start;
      longer = exact(std::min(std::max(longer, cut_from_), followed));  // it is no shorter for a reason of its own
      accept(results, longer);
      return {true, longer};
    }
    // 7. The same window on finer subdomains, from this attempt, unless that goes on for too long.
    watch_.refine(worst(tails) / space,
                  fmt::format("; on {} the tail is still {:.1e} ({})", subdomains_text(model_, subdomains_),
                              worst(tails), tails.worst_space) +
                      what_holds());
    if (takes_too_long()) return {};
    subdomains_ = std::move(finer);
    guess = std::move(windows_);
  }
  give_up("the subdomains of one window did not settle");
  return {};
}

bool AutomaticMarch::takes_too_long() {
  if (!watch_.must_stop()) return false;
  give_up(watch_.text(), false);
  end_.out_of_time = true;
  return true;
}

std::string AutomaticMarch::what_holds(const std::string& else_this) const {
  std::string text;
  for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
    if (!model_.is_modal(axis)) continue;
    const std::string& name = model_.axes[axis].name;
    const std::vector<double>& edges = subdomains_[axis].edges;
    std::size_t shortest = 0;
    for (std::size_t p = 0; p + 1 < edges.size(); ++p)
      if (edges[p + 1] - edges[p] < edges[shortest + 1] - edges[shortest]) shortest = p;
    const EndPowers powers = tails_.powers.empty() ? EndPowers{} : tails_.powers[axis];
    if (edges.size() > 1 && edges[shortest + 1] - edges[shortest] < kFrontWidth * (edges.back() - edges.front()))
      text += fmt::format("; subdomains as short as {:.1e} follow a front, layer or shock near {} = {:.6g}",
                          edges[shortest + 1] - edges[shortest], name, 0.5 * (edges[shortest] + edges[shortest + 1]));
    else if (std::max(powers[0], powers[1]) > 0.0)
      text += fmt::format(
          "; toward the {} end of {} series fall by a power only: a corner singularity, where equation and conditions "
          "of the walls that meet there do not fit together",
          powers[0] > 0.0 ? "lower" : "upper", name);
  }
  if (settings_.clash > 0.0 && text.empty())
    text = "; initial values and boundary conditions contradict each other (see the warnings), which windows begin " +
           std::string("short for");
  return text.empty() ? else_this : text;
}

bool AutomaticMarch::resolve_initial(double tolerance) {
  resolve_initial_data(settings_.resolution, model_, subdomains_);
  for (int refinement = 0; refinement <= kMaxRefinements; ++refinement) {
    Tails tails;
    std::vector<State> states;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      states.push_back(solver_.state_for(origin_, p, subdomains_, first_edge(0), first_edge(1)));
      const Tails own = measure_state(model_, subdomains_, states.back());
      tails = p == 0 ? own : largest_of(tails, own);
    }
    std::string limit;
    const bool coarse = refine(model_, tails, tolerance, settings_.resolution, subdomains_, limit);
    if (!limit.empty()) {
      give_up(fmt::format("{}; the tail there is {:.1e} ({})", limit, worst(tails), tails.worst_space));
      return false;
    }
    if (coarse && takes_too_long()) return false;
    if (coarse) continue;
    if (model_.n_modal_axes() > 1 && keeps_its_values_on_walls(model_)) shorten(model_, states, tolerance, subdomains_);
    return true;
  }
  give_up("the subdomains of the initial values did not settle");
  return false;
}

void AutomaticMarch::choose_subdomains(double length, const StepTolerances& tolerances) {
  const double tolerance = tolerances.space;
  coarsen(model_, previous_, sizes_, tolerance, subdomains_, levels_);
  if (const TimeStep step = cheapest_step(previous_, now_, tolerances.time, kMaxGrowth); step.degree > 0)
    subdomains_[model_.time_axis()].degree = step.degree;
  if (!is_timed() || model_.n_modal_axes() < 2) return;
  const double rest = model_.window_edges.back() - now_;
  if (rest > 0.0) anticipate(std::min(length, rest), tolerance);
}

AutomaticMarch::TimeStep AutomaticMarch::cheapest_step(const PointWindows& windows, double from, double tolerance,
                                                       double growth) const {
  const double rest = is_timed() ? model_.window_edges.back() - from : 0.0;
  if (!chooses_time_degree_ || !(rest > 0.0) || sudden_start_at(settings_.starts, from) != nullptr ||
      (keeps_first_degree_ && from == first_edge(0)) || settings_.flows.is_one(windows.front()->start()))
    return {};
  FieldScales sizes = sizes_;
  for (const auto& window : windows) sizes.update(*window);
  const std::vector<double> levels = levels_in_time(windows, sizes);
  const double h = windows.front()->length();
  int degree = cheapest_time_degree(levels, h, tolerance, rest, growth);
  const int present = static_cast<int>(levels.size()) - 1;
  if (degree > present) {
    std::vector<AxisDescription> more = subdomains_;
    more[model_.time_axis()].degree = degree;
    if (!solver_.memory_excess(more).empty()) degree = present;
  }
  return {degree, next_length(h, tail_at_degree(levels, degree), tolerance, degree, growth)};
}

void AutomaticMarch::anticipate(double length, double tolerance) {
  for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)  // where nothing became coarser just now
    if (model_.is_modal(axis) && subdomains_[axis] != previous_.front()->discretisation.subdomains(axis)) return;
  Tails tails = expected_tails(*previous_.front(), sizes_, length, levels_);
  for (std::size_t p = 1; p < previous_.size(); ++p)
    tails = largest_of(tails, expected_tails(*previous_[p], sizes_, length, levels_));
  std::vector<AxisDescription> finer = subdomains_;
  std::string limit;
  if (refine(model_, tails, tolerance, settings_.resolution, finer, limit) && limit.empty() &&
      solver_.memory_excess(finer).empty())
    subdomains_ = std::move(finer);
}

void AutomaticMarch::learn_sizes(const Tails& tails) {
  if (from_zero_.empty() || n_windows_ > 0 || !(tails.time < kTrustedTail && worst(tails) < kTrustedTail)) return;
  FieldScales found(model_);
  for (const auto& window : windows_) found.update(*window);
  std::vector<double> sizes = found.seen();
  // What has no initial values, as pressure, begins at zero with the others.
  const bool any_from_zero = std::find(from_zero_.begin(), from_zero_.end(), true) != from_zero_.end();
  for (std::size_t f = 0; f < sizes.size(); ++f)
    if (!(from_zero_[f] || (any_from_zero && model_.fields[f].time_order == 0))) sizes[f] = 0.0;
  sizes_.update(sizes);
}

Tails AutomaticMarch::tails_of(const PointWindows& windows) const {
  FieldScales sizes = sizes_;
  if (!settings_.corners.empty()) return judged_tails(windows, std::move(sizes), levels_, settings_.corners);
  for (const auto& window : windows) sizes.update(*window);
  const std::vector<bool> ignored = settings_.flows.ignored_from(windows.front()->start());
  Tails tails = measure_tails(*windows.front(), sizes, levels_, ignored);
  for (std::size_t p = 1; p < windows.size(); ++p)
    tails = largest_of(tails, measure_tails(*windows[p], sizes, levels_, ignored));
  return tails;
}

}  // namespace gwrm
