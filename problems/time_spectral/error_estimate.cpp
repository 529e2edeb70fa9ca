#include "problems/time_spectral/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "basis/axis_basis.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr std::size_t kFewWindows = 8;
constexpr int kMaxHalvings = 4;            // of a part in which Newton fails
constexpr double kNewtonShare = 1e-2;      // of the tolerance: V - U is right to that
constexpr double kAllLost = 1e3;           // an error of so many times the size of the field: what follows says no more
constexpr double kBeyondLinear = 0.1;      // an error that large, relative: Newton may fail in the finer windows for it
constexpr double kRising = 1.05;           // errors are noted where they have risen by this factor
constexpr double kZeroToRounding = 1e-12;  // a field of this size beside the others is zero but for rounding

int finer_degree(int degree) {
  return degree + std::max(4, 2 * ((degree + 7) / 8));
}

MarchSettings settings_of(const MarchInput& run) {
  MarchSettings settings = run.settings;
  settings.newton.tolerance = std::max(settings.newton.tolerance, kNewtonShare * run.the_case.verification.tolerance);
  settings.newton.globalisation = Globalisation::natural;
  return settings;
}

SystemPlan plan_on_points(const MarchInput& run) {
  SystemPlan plan = run.plan;
  plan.series.reset();
  return plan;
}

// Chebyshev points with both ends, ascending.
std::vector<double> instants(double start, double end, int degree) {
  const int n = degree + 2;
  std::vector<double> times;
  for (int i = 0; i < n; ++i) times.push_back(0.5 * (start + end) - 0.5 * (end - start) * std::cos(M_PI * i / (n - 1)));
  times.back() = end;
  return times;
}

// Where errors are looked at along an axis of space: the points of the basis and the edges, ascending.
std::vector<double> places(const AxisDescription& axis) {
  const auto basis = make_basis(axis);
  const Vector points = ascending(basis->grid(basis->n_per_subdomain())).points;
  std::vector<double> all(points.begin(), points.end());
  all.insert(all.end(), axis.edges.begin(), axis.edges.end());
  std::sort(all.begin(), all.end());
  return all;
}

// Values of a series in a window, whose time is described by the edges of its axis.
Array values_at(const Context& context, const Model& model, const FieldModel& field, Array coefficients,
                const std::vector<AxisDescription>& window, const std::vector<std::vector<double>>& points) {
  for (int axis : field.axes) {
    if (points[axis].empty()) continue;  // a collocated parameter
    AxisDescription description = window[axis];
    if (axis == model.time_axis()) description.degree = static_cast<int>(coefficients.shape[axis]) - 1;
    coefficients = block_transform(context, coefficients, static_cast<std::size_t>(axis),
                                   make_basis(description)->at(points[axis]));
  }
  return coefficients;
}

}  // namespace

ErrorEstimator::ErrorEstimator(const MarchInput& run)
    : settings_(settings_of(run)),
      plan_(plan_on_points(run)),
      input_{run.context, run.the_case, run.model, plan_, settings_, run.points, run.linear, {}, run.interrupted},
      solver_(input_),
      largest_(run.model.fields.size()) {
  estimate_.status = ErrorEstimate::Status::made;
  if (run.the_case.output.error == ErrorFieldsChoice::on) sampler_.emplace(run.the_case, run.model);
}

void ErrorEstimator::update(const MarchWindow& window) {
  if (ended_) return;
  waiting_.push_back(window);
  waiting_.back().restart_state.clear();
  if (waiting_.size() > kFewWindows) n_parts_ = 2;
  if (n_parts_ > 0) follow_waiting();
}

void ErrorEstimator::follow_waiting() {
  for (; !waiting_.empty() && !ended_; waiting_.pop_front()) {
    try {
      const LogTime time("estimating the error");
      follow(waiting_.front());
    } catch (const MemoryError& error) {
      give_up(error.what());
    } catch (const std::bad_alloc&) {
      give_up("there is not enough memory for the finer windows");
    }
  }
  waiting_.clear();
}

void ErrorEstimator::follow(const MarchWindow& window) {
  const Model& model = input_.model;
  const bool divides = model.time_axis() >= 0 && !model.whole_time;
  const auto refined = [&](auto degree) {
    std::vector<AxisDescription> finer = window.subdomains;
    for (int axis = 0; axis < static_cast<int>(finer.size()); ++axis)
      if (model.is_modal(axis) || (axis == model.time_axis() && !divides))
        finer[axis].degree = degree(finer[axis].degree);
    return finer;
  };
  finer_ = refined(finer_degree);
  if (!solver_.memory_excess(finer_).empty()) finer_ = refined([](int degree) { return degree + 4; });
  if (std::string excess = solver_.memory_excess(finer_); !excess.empty())
    return give_up("not enough memory: " + excess);
  const int n_parts = divides ? n_parts_ : 1;
  const double length = window.end - window.start;
  double start = window.start;
  for (int part = 1; part <= n_parts && !ended_; ++part) {
    const double end = part == n_parts ? window.end : window.start + length * part / n_parts;
    if (!solve(window, start, end, 0)) return;
    start = end;
  }
}

bool ErrorEstimator::solve(const MarchWindow& window, double start, double end, int halvings) {
  const Model& model = input_.model;
  const PointResults found = solver_.attempt({origin_, finer_, start, end, {}, {}, 0, &window});
  solver_.take_spent();
  const std::size_t p = first_failure(found.newton);
  if (p == found.newton.size()) {
    compare(window, found.windows, start, end);
    if (sampler_) sampler_->add(found.windows);
    origin_ = {false, {}, finer_};
    for (const auto& finer : found.windows) origin_.states.push_back(finer->system.end_state(finer->x));
    return true;
  }
  const NewtonStatus status = found.newton[p].status;
  const bool divides = model.time_axis() >= 0 && !model.whole_time;
  if (status != NewtonStatus::interrupted && divides && halvings < kMaxHalvings) {
    const double middle = 0.5 * (start + end);
    return solve(window, start, middle, halvings + 1) && solve(window, middle, end, halvings + 1);
  }
  bool is_large = false;
  for (std::size_t f = 0; f < largest_.size(); ++f) is_large |= largest_[f].error > kBeyondLinear * size_of(f);
  // What determines an answer is not singular, and what is linear is solved on finer subdomains as well as on coarser
  // ones.
  if (is_large || status == NewtonStatus::singular || (model.linear && status != NewtonStatus::interrupted)) {
    for (Largest& largest : largest_) largest.error = largest.at_end = std::numeric_limits<double>::infinity();
    ended_ = true;
  } else {
    give_up(fmt::format("the finer equations were not solved at t = {:.6g}: {}", start, to_string(status)));
  }
  return false;
}

void ErrorEstimator::compare(const MarchWindow& window, const PointWindows& finer, double start, double end) {
  const Model& model = input_.model;
  const int time = model.time_axis();
  std::vector<AxisDescription> part = finer_;
  std::vector<std::vector<double>> points(model.axes.size());
  for (int axis = 0; axis < static_cast<int>(points.size()); ++axis) {
    if (axis == time) {
      part[axis].edges = {start, end};
      points[axis] = instants(start, end, finer_[axis].degree);
    } else if (model.is_modal(axis)) {
      points[axis] = places(finer_[axis]);
    }
  }
  for (std::size_t f = 0; f < largest_.size(); ++f) {
    Largest& largest = largest_[f];
    const FieldModel& field = model.fields[f];
    const bool in_time = time >= 0 && field.depends_on(time);
    double error = 0.0;
    largest.at_end = 0.0;
    for (std::size_t p = 0; p < finer.size(); ++p) {
      const Array u = values_at(input_.context, model, field, window.fields[p][f], window.subdomains, points);
      const Array v = values_at(input_.context, model, field,
                                finer[p]->system.coefficients(finer[p]->x, static_cast<int>(f)), part, points);
      const Index n_after = in_time ? u.size() / u.shape[time] : u.size();  // time is the first axis
      for (Index k = 0; k < u.size(); ++k) {
        const std::size_t i = static_cast<std::size_t>(k);
        const double e = std::isfinite(v.data[i]) ? std::abs(v.data[i] - u.data[i]) : HUGE_VAL;
        largest.size = std::max(largest.size, std::abs(u.data[i]));
        error = std::max(error, e);
        if (k >= u.size() - n_after) largest.at_end = std::max(largest.at_end, e);
        if (!(e > largest.error)) continue;
        largest.error = e;
        largest.at.assign(model.axes.size(), std::numeric_limits<double>::quiet_NaN());
        const std::vector<Index> index = unravel(u.shape, k);
        for (int axis : field.axes)
          largest.at[axis] =
              points[axis].empty() ? input_.points[p][axis] : points[axis][static_cast<std::size_t>(index[axis])];
      }
    }
    if (time >= 0 && (largest.rising.empty() || error > kRising * largest.rising.back().second))
      largest.rising.emplace_back(end, error);
    if (error > kAllLost * size_of(f)) ended_ = true;
  }
}

// A field that is zero, by `exact` or but for rounding, is as accurate as those it comes from.
double ErrorEstimator::size_of(std::size_t field) const {
  double others = 0.0;
  for (const Largest& largest : largest_) others = std::max(others, largest.size);
  const expression::Expr exact = input_.model.fields[field].exact;
  const bool is_zero =
      (exact != nullptr && expression::is_zero(exact)) || largest_[field].size <= kZeroToRounding * others;
  return is_zero ? others : largest_[field].size;
}

void ErrorEstimator::give_up(const std::string& why) {
  estimate_.status = ErrorEstimate::Status::missing;
  estimate_.reason = why;
  ended_ = true;
}

ErrorEstimate ErrorEstimator::result() {
  if (n_parts_ == 0) n_parts_ = 4;
  follow_waiting();
  if (estimate_.status == ErrorEstimate::Status::missing) return estimate_;
  const double tolerance = input_.the_case.verification.tolerance;
  for (std::size_t f = 0; f < largest_.size(); ++f) {
    const Largest& largest = largest_[f];
    const auto relative = [&](double error) { return error == 0.0 ? 0.0 : error / size_of(f); };
    std::vector<double> at = largest.at;
    at.resize(input_.model.axes.size(), std::numeric_limits<double>::quiet_NaN());
    estimate_.fields.push_back(
        {input_.model.fields[f].name, relative(largest.error), std::move(at), relative(largest.at_end), 0.0});
    for (const auto& [t, error] : largest.rising)
      if (kEstimateMargin * relative(error) > tolerance) {
        estimate_.lost_at = std::isnan(estimate_.lost_at) ? t : std::min(estimate_.lost_at, t);
        break;
      }
  }
  return estimate_;
}

void ErrorEstimator::sample(RunOutcome& outcome) {
  if (sampler_) sampler_->deliver(outcome);
}

}  // namespace gwrm
