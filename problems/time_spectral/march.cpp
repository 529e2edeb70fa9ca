#include "problems/time_spectral/march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/counted.hpp"
#include "core/log.hpp"
#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/window_pace.hpp"

namespace gwrm {
namespace {

constexpr int kMostHalvings = 10;  // of a fixed window in which Newton fails
constexpr double kShrinkAfterFailure = 0.4;
constexpr double kMostGrowth = 3.0;  // of a window over the one before
constexpr double kWorthRefactoring = 1.3;
constexpr double kShortestWindow = 1e-13;  // relative to the whole time
constexpr int kMostRefinements = 40;       // of one window's subdomains
// A window whose tail is this little above what the next length aims at is not worth solving again.
constexpr double kTimeSlack = 1.5;

constexpr double kTooLittleGain = 0.5;  // of the tail in time, from a rejected window to the next one from there

class March {
 public:
  March(const Context& context, const Case& problem, const Model& model, const SystemPlan& plan,
        const MarchSettings& settings, const std::vector<std::vector<double>>& points,
        const std::function<void(MarchWindow&&)>& window_done, const std::function<bool()>& interrupted)
      : model_(model),
        settings_(settings),
        points_(points),
        window_done_(window_done),
        interrupted_(interrupted),
        solver_(context, problem, model, plan, settings, points),
        sizes_(model),
        pieces_(model.pieces) {}

  MarchEnd run(const MarchSoFar& before) {
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
    if (settings_.resolution.automatic())
      automatic(before.last.next_step);
    else
      fixed();
    end_.linear_solver = solver_.linear_solver(pieces_);
    if (!halved_.empty()) end_.warnings.push_back(describe_halvings(halved_));
    const std::vector<std::string> warnings = solver_.warnings();
    end_.warnings.insert(end_.warnings.end(), warnings.begin(), warnings.end());
    return end_;
  }

 private:
  double first_edge(std::size_t i) const {
    return model_.window_edges.empty() ? static_cast<double>(i) : model_.window_edges[i];
  }
  double span() const { return model_.window_edges.back() - model_.window_edges.front(); }
  int time_degree() const { return model_.pieces[at(model_.time_axis())].degree; }
  bool can_divide_time() const { return model_.time_axis() >= 0 && !model_.whole_time; }

  std::string bad_data() const {
    for (const std::vector<double>& point : points_) {
      const Discretisation first(model_, pieces_, point, first_edge(0), first_edge(1));
      if (std::string bad = locate_bad_data(model_, first); !bad.empty()) return bad;
    }
    return {};
  }

  // As if the windows had just been solved.
  void continue_behind(const MarchSoFar& before) {
    const MarchWindow& last = before.last;
    sizes_ = before.sizes;
    n_windows_ = before.n_windows;
    now_ = last.end;
    pieces_ = last.pieces;
    previous_ = solver_.rebuild(last.pieces, last.start, last.end, last.fields);
    origin_ = {false, {}, last.pieces};
    for (std::size_t p = 0; p < previous_.size(); ++p) {
      Window& window = *previous_[p];
      State state = window.system.end_state(window.x);
      if (!last.carry.empty()) take_carry(last.carry[p], window, state);
      origin_.states.push_back(std::move(state));
    }
    if (settings_.resolution.automatic())
      coarsen(model_, previous_, sizes_, step_tolerances(model_, settings_.resolution.tolerance).space, pieces_);
  }

  static std::vector<Array> carry_of(const Window& window, const State& end) {
    std::vector<Array> carry;
    for (int f = 0; f < static_cast<int>(end.size()); ++f) carry.push_back(window.system.unknowns_of(window.x, f));
    for (const std::vector<Array>& field : end) carry.insert(carry.end(), field.begin(), field.end());
    return carry;
  }

  static void take_carry(const std::vector<Array>& carry, Window& window, State& end) {
    auto next = carry.begin();
    for (const FieldLayout& layout : window.system.layouts()) {
      std::copy(next->data.begin(), next->data.end(), window.x.begin() + layout.offset);
      ++next;
    }
    for (std::vector<Array>& field : end)
      for (Array& value : field) value = *next++;
  }

  std::vector<NewtonResult> attempt(double start, double end, const PointWindows& guess = {}) {
    return solver_.attempt(origin_, pieces_, start, end, previous_, guess, n_windows_, interrupted_, windows_);
  }

  void fail(const std::vector<NewtonResult>& results, double start, double end) {
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
  void accept(const std::vector<NewtonResult>& results, double next_step) {
    const LogTime time("coefficients and end of the window");
    MarchWindow done;
    done.start = windows_.front()->start();
    done.end = windows_.front()->end();
    done.next_step = next_step;
    done.pieces = windows_.front()->discretisation.pieces();
    Spent spent = solver_.take_spent();
    done.newton = std::move(spent.newton);
    done.n_factorisations = spent.n_factorisations;
    done.n_unknowns = static_cast<int>(windows_.front()->system.size());
    origin_ = {false, {}, done.pieces};
    for (std::size_t p = 0; p < windows_.size(); ++p) {
      const Window& window = *windows_[p];
      done.fields.emplace_back();
      for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f)
        done.fields.back().push_back(window.system.coefficients(window.x, f));
      sizes_.see(model_, done.fields.back(), done.pieces);
      origin_.states.push_back(window.system.end_state(window.x));
      done.carry.push_back(carry_of(window, origin_.states.back()));
      if (results[p].reciprocal_condition > 0.0)
        done.reciprocal_condition = std::min(done.reciprocal_condition, results[p].reciprocal_condition);
    }
    now_ = done.end;
    ++n_windows_;
    previous_ = std::move(windows_);
    windows_.clear();
    window_done_(std::move(done));
  }

  // ---- windows as given

  void fixed() {
    if (model_.window_edges.empty()) {
      const std::vector<NewtonResult> results = attempt(0.0, 1.0);
      if (first_failure(results) < results.size())
        fail(results, 0.0, 1.0);
      else
        accept(results, 0.0);
      return;
    }
    std::vector<double> edges = ends_to_come();  // the next last
    double start = origin_.initial ? first_edge(0) : now_;
    int halvings = 0;
    while (!edges.empty()) {
      const double end = edges.back();
      const std::vector<NewtonResult> results = attempt(start, end);
      const std::size_t p = first_failure(results);
      if (p == results.size()) {
        accept(results, 0.0);
        start = end;
        edges.pop_back();
        halvings = std::max(0, halvings - 1);
        continue;
      }
      const bool too_short = end - start < 2.0 * kShortestWindow * span();
      if (!worth_halving(results[p].status) || !can_divide_time() || halvings >= kMostHalvings || too_short) {
        fail(results, start, end);
        return;
      }
      ++halvings;
      halved_.push_back({start, end, results[p].status});
      edges.push_back(0.5 * (start + end));
    }
  }

  // The ends of the windows behind now_, the next last. Where now_ is the end of a half, the other halves come too.
  std::vector<double> ends_to_come() const {
    std::vector<double> ends;
    for (std::size_t i = model_.window_edges.size(); i-- > 1;) {
      double lower = model_.window_edges[i - 1], upper = model_.window_edges[i];
      if (!origin_.initial && now_ >= upper) break;
      ends.push_back(upper);
      if (origin_.initial || now_ <= lower) continue;
      while (now_ > lower) {
        const double middle = 0.5 * (lower + upper);
        if (!(lower < middle && middle < upper)) break;
        if (now_ < middle)
          ends.push_back(upper = middle);
        else
          lower = middle;
      }
    }
    return ends;
  }

  static bool worth_halving(NewtonStatus status) {
    return status == NewtonStatus::damping_failed || status == NewtonStatus::iteration_limit ||
           status == NewtonStatus::linear_failed;
  }

  // ---- windows, subdomains and degrees by the tolerance

  void automatic(double next_step) {
    const bool timed = !model_.window_edges.empty();
    const double stop = timed ? model_.window_edges.back() : 1.0;
    const StepTolerances tolerances = step_tolerances(model_, settings_.resolution.tolerance);
    if (origin_.initial) now_ = first_edge(0);
    if (origin_.initial && timed && !resolve_initial(tolerances.space)) return;
    double h = !timed ? 1.0 : next_step > 0.0 ? next_step : first_length();
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
      h = longer;
      coarsen(model_, previous_, sizes_, tolerances.space, pieces_);
      if (timed && now_ < stop && model_.n_modal_axes() > 1) anticipate(std::min(h, stop - now_), tolerances.space);
      if (!timed || now_ >= stop) continue;
      pace_.see(length);
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

  // Finer pieces where the next window will need them: in several dimensions an attempt on too coarse ones is dear.
  void anticipate(double length, double tolerance) {
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)  // where nothing became coarser just now
      if (model_.is_modal(axis) && pieces_[at(axis)] != previous_.front()->discretisation.pieces(axis)) return;
    Tails tails = expected_tails(*previous_.front(), sizes_, length);
    for (std::size_t p = 1; p < previous_.size(); ++p)
      tails = largest_of(tails, expected_tails(*previous_[p], sizes_, length));
    std::vector<AxisPieces> finer = pieces_;
    std::string limit;
    if (refine(model_, tails, tolerance, settings_.resolution, finer, limit) && limit.empty() &&
        solver_.memory_excess(finer).empty())
      pieces_ = std::move(finer);
  }

  // Of all parameter points.
  Tails tails_of(const PointWindows& windows) const {
    FieldSizes sizes = sizes_;
    for (const auto& window : windows) sizes.see(*window);
    Tails tails = measure_tails(*windows.front(), sizes);
    for (std::size_t p = 1; p < windows.size(); ++p) tails = largest_of(tails, measure_tails(*windows[p], sizes));
    return tails;
  }

  // Pieces on which the initial values are polynomials to the tolerance: else their truncation would clash with the
  // boundary conditions, and no window would be short enough.
  bool resolve_initial(double tolerance) {
    for (int refinement = 0; refinement <= kMostRefinements; ++refinement) {
      Tails tails;
      for (std::size_t p = 0; p < points_.size(); ++p) {
        const Tails own =
            measure_state(model_, pieces_, solver_.state_for(origin_, p, pieces_, first_edge(0), first_edge(1)));
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
    if (n_windows_ == 0 && settings_.clash > 0.0)
      end_.detail += "; initial values and boundary conditions contradict each other there (see the warnings)";
    end_.start = now_;
    end_.end = now_;
  }

  // One window, its subdomains refined until they are good. False: nothing accepted; `shorter` > 0 is the length to try
  // next.
  bool solve_resolved(double start, double end, const StepTolerances& tolerances, double& shorter, double& longer) {
    const bool timed = !model_.window_edges.empty();
    PointWindows guess = std::exchange(rejected_, {});
    for (int refinement = 0; refinement <= kMostRefinements; ++refinement) {
      std::vector<NewtonResult> results = attempt(start, end, guess);
      if (const std::size_t p = first_failure(results); p < results.size()) {
        if (timed && can_divide_time() && worth_halving(results[p].status)) {
          shorter = kShrinkAfterFailure * (end - start);
          if (shorter >= kShortestWindow * span()) return false;
        }
        shorter = 0.0;
        fail(results, start, end);
        return false;
      }
      const Tails tails = tails_of(windows_);
      spdlog::debug("t = {:.6g} .. {:.6g}, {}: tails {:.1e} in time, {:.1e} in space ({})", start, end, pieces_text(),
                    tails.time, worst(tails), tails.worst_space);
      const bool too_long = timed && tails.time > kTimeSlack * tolerances.time && can_divide_time();
      std::vector<AxisPieces> finer = pieces_;
      std::string limit;
      const bool coarse = refine(model_, tails, tolerances.space, settings_.resolution, finer, limit);
      if (coarse && limit.empty()) limit = solver_.memory_excess(finer);
      if (!limit.empty() && !too_long) {
        give_up(fmt::format("{}; the tail there is {:.1e} ({})", limit, worst(tails), tails.worst_space));
        end_.end = end;
        return false;
      }
      if (too_long) {
        // Where a shorter window brought no smaller tail, it is space that does not resolve what happens.
        const bool in_vain = start == rejected_start_ && tails.time > kTooLittleGain * rejected_tail_;
        if (coarse && in_vain && limit.empty()) pieces_ = std::move(finer);
        rejected_start_ = start;
        rejected_tail_ = tails.time;
        shorter = next_length(end - start, tails.time, tolerances.time, time_degree(), kSafetyOfRejected);
        rejected_ = std::move(windows_);
        return false;
      }
      if (!coarse) {
        longer = timed ? next_length(end - start, tails.time, tolerances.time, time_degree(), kMostGrowth) : 0.0;
        // A linear problem keeps its factors as long as the windows keep their length.
        if (model_.autonomous_jacobian && longer >= end - start && longer < kWorthRefactoring * (end - start))
          longer = end - start;
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

  // A window in which the first term of the Taylor series moves the fields by half their size, and, where initial and
  // boundary data clash, no more than the tolerance.
  double first_length() {
    if (settings_.resolution.first_window > 0.0) return settings_.resolution.first_window;
    double h = span() / 8.0;
    const double tiny = 1e-6 * span();
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const double rate = initial_rate(*solver_.probe(origin_, p, pieces_, now_, now_ + tiny));
      if (rate > 0.0) h = std::min(h, 0.5 / rate);
    }
    if (settings_.clash > 0.0)
      h = std::min(h, settings_.resolution.tolerance * span() / std::max(settings_.clash, 1e-3));
    return std::max(h, 10.0 * kShortestWindow * span());
  }

  const Model& model_;
  const MarchSettings& settings_;
  const std::vector<std::vector<double>>& points_;
  const std::function<void(MarchWindow&&)>& window_done_;
  const std::function<bool()>& interrupted_;

  PointSolver solver_;
  FieldSizes sizes_;                // over the accepted windows
  std::vector<AxisPieces> pieces_;  // of the next window
  Origin origin_;
  double now_ = 0.0;
  int n_windows_ = 0;
  WindowPace pace_;
  PointWindows windows_;   // of the attempt
  PointWindows previous_;  // the last accepted ones
  PointWindows rejected_;  // solved, but too long
  double rejected_start_ = std::numeric_limits<double>::quiet_NaN(), rejected_tail_ = 0.0;
  MarchEnd end_;
  std::vector<HalvedWindow> halved_;
};

}  // namespace

void MarchSoFar::see(const Model& model, const MarchWindow& window) {
  for (const std::vector<Array>& fields : window.fields) sizes.see(model, fields, window.pieces);
  ++n_windows;
  last = window;
}

MarchEnd march(const Context& context, const Case& problem, const Model& model, const SystemPlan& plan,
               const MarchSettings& settings, const std::vector<std::vector<double>>& parameter_points,
               const MarchSoFar& before, const std::function<void(MarchWindow&&)>& window_done,
               const std::function<bool()>& interrupted) {
  return March(context, problem, model, plan, settings, parameter_points, window_done, interrupted).run(before);
}

}  // namespace gwrm
