#include "problems/time_spectral/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <random>
#include <utility>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/finer_share.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/uncertain_section.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr double kFewWindows = 8.0;
constexpr int kMaxPartHalvings = 4;      // of a part in which Newton fails
constexpr double kAllLost = 1e3;         // an error of so many times the size of the field: what follows says no more
constexpr int kMostGrowthParts = 200;    // of one window, for modes that grow
constexpr double kSensitive = 1e3;       // growth of a perturbation to the end, at a rate that is met
constexpr double kSmallerForFew = 1e-4;  // the linear tolerance
constexpr double kRising = 1.05;         // errors are noted where they have risen by this factor

MarchSettings settings_of(const MarchInput& run) {
  MarchSettings settings = run.settings;
  settings.newton = finer_newton(settings.newton, run.the_case.verification.tolerance);
  // An unknown with fewer dimensions than others, as a pressure gradient G(t), has so few numbers that a residual
  // hardly shows their errors.
  const auto n_axes = [](const FieldModel& field) { return field.axes.size(); };
  const auto [fewest, most] = std::ranges::minmax_element(run.model.fields, {}, n_axes);
  if (n_axes(*fewest) < n_axes(*most)) settings.newton.linear_tolerance *= kSmallerForFew;
  settings.lends_factors = true;
  settings.solution = nullptr;
  return settings;
}

bool needs_solution(const Case& the_case) {
  return the_case.output.error == ErrorFieldsChoice::on || !the_case.goals.empty();
}

// Between those of the run, where the answer is their interpolant. The finer solution, a polynomial of the same degree
// in the parameters, needs those of the run besides.
std::vector<std::vector<double>> points_of(const MarchInput& run, const MarchWindow* first) {
  std::vector<std::vector<double>> points = points_between(run.model, run.points.size() > 1 ? first : nullptr);
  if (needs_solution(run.the_case) && run.points.size() > 1)
    points.insert(points.begin(), run.points.begin(), run.points.end());
  return points;
}

SystemPlan plan_on_points(const MarchInput& run) {
  SystemPlan plan = run.plan;
  plan.series.reset();
  return plan;
}

}  // namespace

ErrorEstimator::ErrorEstimator(const MarchInput& run, const MarchWindow* first)
    : settings_(settings_of(run)),
      left_out_places_(left_out_of(settings_.starts)),
      points_(points_of(run, first)),
      plan_(plan_on_points(run)),
      input_{run.context, run.the_case, run.model, plan_,           settings_,
             points_,     run.linear,   {},        run.interrupted, run.places},
      solver_(input_),
      coupling_(run.model),
      of_run_(run.model.axes.size()),
      of_finer_(run.model.axes.size()),
      at_points_of_run_(run.model.axes.size()),
      largest_(run.model.fields.size()),
      losses_(run.model.fields.size(), Losses(run.model.axes.size())) {
  estimate_.status = ErrorEstimate::Status::made;
  if (!settings_.resolution.automatic()) n_expected_ = static_cast<double>(run.model.window_edges.size()) - 1.0;
  data_ = data_degrees(run.model, series_of_data(run.model, data_of(run.model)), run.the_case.verification.tolerance);
  n_points_of_run_ = run.points.size();
  const bool with_those_of_run = needs_solution(run.the_case) && run.points.size() > 1;
  const std::size_t n_first = with_those_of_run ? run.points.size() : 0;
  for (std::size_t p = 0; p < points_.size(); ++p)
    counts_.push_back(p >= n_first || is_likely_point(run.model, points_[p]));
  const bool mean_square = parameter_error_of(run.the_case) == ParameterError::mean_square;
  for (const std::vector<double>& point : points_)
    excess_.push_back(mean_square ? excess_over_mean_square(run.model, point) : 1.0);
  if (run.the_case.output.error == ErrorFieldsChoice::on) sampler_.emplace(run.the_case, run.model);
  if (run.the_case.verification.estimate == EstimateChoice::budget) budget_.emplace(run.model, points_.size());
  if (has_independent_points(run.model)) left_out_.emplace(input_);
  if (run.points.size() > 1)
    for (const std::vector<double>& point : points_) weights_.push_back(interpolation_weights(run.model, point));
}

void ErrorEstimator::update(const MarchWindow& window) {
  if (ended_) return;
  ++n_windows_;
  if (const FlowStarts& flows = settings_.flows; flows.is_one(window.start))
    for (LeftOut& one : left_out_of(flows, input_.model, window.start, window.end - window.start))
      left_out_places_.push_back(std::move(one));
  if (settings_.resolution.automatic() && window.next_step > 0.0)
    n_expected_ = n_windows_ + (input_.model.window_edges.back() - window.end) / window.next_step;
  try {
    const LogTime time("estimating the error");
    if (weights_.empty()) {
      follow(window);
    } else {
      take_sizes(window);
      follow(interpolated(window, weights_));
    }
  } catch (const MemoryError& error) {
    give_up(error.what());
  } catch (const std::bad_alloc&) {
    give_up("there is not enough memory for the finer windows");
  }
}

// Sets finer_; into how many parts windows are divided, 0 where there is no memory for them.
int ErrorEstimator::choose_finer(const std::vector<AxisDescription>& of_run) {
  const Model& model = input_.model;
  const bool divides = divides_time();
  const auto refined = [&](auto degree) {
    std::vector<AxisDescription> finer = of_run;
    for (int axis = 0; axis < static_cast<int>(finer.size()); ++axis)
      if (model.is_modal(axis) || (axis == model.time_axis() && !divides))
        finer[axis].degree = degree(finer[axis].degree);
    return finer;
  };
  // Another level toward corners shows what they do; what degrees leave out falls by a factor of 5 and more.
  finer_ = with_unseen_data(model, data_, of_run, refined([&](int degree) {
                              return settings_.corners.empty() ? finer_degree(degree) : degree + 2;
                            }));
  finer_ = with_another_level(settings_.corners, std::move(finer_));
  const int n_parts = !divides ? 1 : n_expected_ > kFewWindows ? 2 : 4;
  if (n_parts == 4) {
    int& degree = finer_[model.time_axis()].degree;
    degree = std::max(std::min(degree, 4), (3 * degree + 3) / 4);
  }
  if (const std::string excess = solver_.memory_excess(finer_); !excess.empty()) {
    finer_ = with_unseen_data(model, data_, of_run, refined(least_finer_degree));
    finer_ = with_another_level(settings_.corners, std::move(finer_));
    if (!std::exchange(is_barely_finer_, true))
      logger().warn("the estimate of the error rests on four more coefficients along each axis only: {}", excess);
  }
  if (std::string excess = solver_.memory_excess(finer_); !excess.empty()) {
    give_up("not enough memory: " + excess);
    return 0;
  }
  return n_parts;
}

void ErrorEstimator::prepare() {
  const Model& model = input_.model;
  if (settings_.resolution.automatic()) return;
  try {
    const LogTime time("preparing the estimate of the error");
    const bool steady = model.time_axis() < 0;
    const double start = steady ? 0.0 : model.window_edges[0], end = steady ? 1.0 : model.window_edges[1];
    if (const int n_parts = choose_finer(model.subdomains); n_parts > 0)
      solver_.prepare(finer_, start, n_parts == 1 ? end : start + (end - start) / n_parts);
  } catch (const std::exception& error) {
    logger().debug("not prepared: {}", error.what());  // it will be met again where it is in the way
  }
}

void ErrorEstimator::follow(const MarchWindow& window) {
  const int n_parts = choose_finer(window.subdomains);
  if (!settings_.corners.empty()) left_out_places_ = left_out_of(settings_.corners, window.subdomains);
  n_parts_ = 0.0;
  shares_.clear();
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
  WindowToSolve part{origin_, finer_, start, end, {}, {}, 0, &window};
  if (budget_)
    part.then = [&](std::size_t p, Window& finer, LinearSolver& linear) { budget_->carry(p, finer, linear, window); };
  const PointResults found = solver_.attempt(part);
  solver_.take_spent();
  const std::size_t p = first_failure(found.newton);
  if (p == found.newton.size()) {
    if (const int n_parts = parts_for_growth(found.windows); n_parts > 1) {
      if (ended_) return false;
      for (int k = 0; k < n_parts; ++k)
        if (!ended_ && !solve(window, start + (end - start) * k / n_parts,
                              k + 1 == n_parts ? end : start + (end - start) * (k + 1) / n_parts, halvings))
          return false;
      return true;
    }
    // Beside a jump series in time fall slowly and residuals are large, whatever the error elsewhere.
    const bool in_start_up = sudden_start_at(settings_.starts, start) != nullptr;
    const bool has_corners = !settings_.corners.empty();  // which have another level in V
    if (shares_.empty())
      shares_ = in_start_up || has_corners ? std::vector<double>(largest_.size(), 1.0)
                                           : shares_in_finer(input_, window, found.windows, is_barely_finer_);
    if (left_out_ && !in_start_up) {
      left_out_->leave_out_corners(left_out_places_);
      left_out_->correct(window, found.windows, solver_);
      if (settings_.starts.empty() && !has_corners)
        for (double& share : shares_) share = std::min(share, left_out_->share_at_start(window, found.windows));
    }
    compare(window, found.windows, start, end);
    carry_rounding(end - start);
    take_losses(found.windows);
    for (const NewtonResult& newton : found.newton) remaining_ = std::max(remaining_, newton.remaining);
    keep(found.windows);
    if (budget_) budget_->accept();
    origin_ = {false, {}, finer_};
    for (const auto& finer : found.windows) origin_.states.push_back(finer->system.end_state(finer->x()));
    if (grows_) perturb(origin_.states);
    return true;
  }
  const NewtonStatus status = found.newton[p].status;
  if (found.out_of_time) {
    give_up(fmt::format("{} would be over before the finer equations were solved",
                        settings_.is_trial
                            ? "the time for a trial"
                            : fmt::format("resolution.limits.time ({:g} s)", settings_.resolution.max_seconds)));
    return false;
  }
  if (status != NewtonStatus::interrupted && divides_time() && halvings < kMaxPartHalvings) {
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
  } else if (status == NewtonStatus::interrupted && settings_.out_of_time()) {
    give_up(fmt::format("resolution.limits.time ({:g} s) was over before the finer equations were solved{}",
                        settings_.resolution.max_seconds,
                        input_.model.time_axis() < 0 ? "" : fmt::format(" behind t = {:.6g}", start)));
  } else {
    give_up(fmt::format("the finer equations were not solved at t = {:.6g}: {}", start, to_string(status)));
  }
  return false;
}

int ErrorEstimator::parts_for_growth(const PointWindows& finer) {
  if (!divides_time()) return 1;
  const double length = finer.front()->length(), ahead = input_.model.window_edges.back() - finer.front()->start();
  double error = std::numeric_limits<double>::epsilon();
  for (std::size_t f = 0; f < largest_.size(); ++f)
    if (const double size = size_of(f); size > 0.0) error = std::max(error, largest_[f].at_end / size);
  const double tolerated = input_.the_case.verification.tolerance / kEstimateMargin;
  const std::vector<std::complex<double>>& modes = growing_modes_.at(finer);
  const FollowedLength followed =
      followed_length(modes, length, finer_[input_.model.time_axis()].degree, ahead, tolerated / error);
  grows_ = std::any_of(modes.begin(), modes.end(), [&](const std::complex<double>& lambda) {
    return lambda.real() * ahead > std::log(tolerated / std::numeric_limits<double>::epsilon());
  });
  is_sensitive_ |= std::any_of(modes.begin(), modes.end(), [&](const std::complex<double>& lambda) {
    return lambda.real() * ahead > std::log(kSensitive);
  });
  if (!(followed.length < length)) return 1;
  if (shortest_followed_ == 0.0 || followed.length < shortest_followed_) {
    shortest_followed_ = followed.length;
    fastest_ = followed.rate;
  }
  const double n_parts = std::ceil(length / followed.length);
  n_parts_ += n_parts;
  if (n_parts_ > kMostGrowthParts) {  // nothing is known of the error from here on
    for (Largest& largest : largest_) largest.error = largest.at_end = std::numeric_limits<double>::infinity();
    ended_ = true;
  }
  return static_cast<int>(std::min(n_parts, kMostGrowthParts + 1.0));
}

void ErrorEstimator::perturb(std::vector<State>& states) {
  std::minstd_rand random(static_cast<unsigned>(n_windows_));
  for (State& state : states)
    for (auto& field : state)
      for (Array& values : field)
        for (double& value : values.data)
          value *= 1.0 + (random() % 2 == 0 ? 1.0 : -1.0) * std::numeric_limits<double>::epsilon();
}

void ErrorEstimator::carry_rounding(double length) {
  const double factor = std::exp(growing_modes_.constant_rate() * length);
  for (Largest& largest : largest_)
    largest.rounding = factor * std::max(largest.rounding, std::numeric_limits<double>::epsilon() * largest.here);
}

double ErrorEstimator::grown_rounding() const {
  double rounding = 0.0;
  for (std::size_t f = 0; f < largest_.size(); ++f)
    rounding = std::max(rounding, relative_error(largest_[f].rounding, size_of(f)));
  return growing_modes_.constant_rate() > 0.0 ? rounding : 0.0;
}

void ErrorEstimator::keep(const PointWindows& finer) {
  if (!needs_solution(input_.the_case)) return;
  MarchWindow part;
  part.start = finer.front()->start();
  part.end = finer.front()->end();
  part.subdomains = finer.front()->discretisation.subdomains();
  for (const auto& window : std::span(finer).first(n_points_of_run_)) part.fields.push_back(window->own_coefficients());
  if (sampler_) sampler_->add(assemble_solution(input_.model, std::vector<MarchWindow>(1, part)));
  if (!input_.the_case.goals.empty()) kept_.push_back(std::move(part));
}

// Of a series in a window at the places of `part`, whose coordinates are `points`. Fields have their matrices in
// common, along space windows have, too.
Array ErrorEstimator::values(const FieldModel& field, Array coefficients, const std::vector<AxisDescription>& window,
                             const std::vector<AxisDescription>& part, const std::vector<std::vector<double>>& points,
                             std::vector<Values>& known) {
  const Model& model = input_.model;
  for (int axis : field.axes) {
    if (axis != model.time_axis() && !model.is_modal(axis)) continue;
    AxisDescription series = window[axis];
    if (axis == model.time_axis()) series.degree = static_cast<int>(coefficients.shape[axis]) - 1;
    Values& values = known[axis];
    if (!(values.series == series) || !(values.places == part[axis]))
      values = {series, part[axis], make_basis(series)->at(points[axis])};
    coefficients = block_transform(input_.context, coefficients, static_cast<std::size_t>(axis), values.matrix);
  }
  return coefficients;
}

void ErrorEstimator::compare(const MarchWindow& window, const PointWindows& finer, double start, double end) {
  const Model& model = input_.model;
  const int time = model.time_axis();
  std::vector<AxisDescription> part = finer_;
  std::vector<std::vector<double>> points(model.axes.size());
  for (int axis = 0; axis < static_cast<int>(points.size()); ++axis)
    if (model.is_modal(axis)) points[axis] = places(finer_[axis]);
  if (time >= 0) {
    part[time].edges = {start, end};
    points[time] = comparison_times(start, end, finer_[time].degree);
  }
  for (std::size_t f = 0; f < largest_.size(); ++f) {
    Largest& largest = largest_[f];
    const FieldModel& field = model.fields[f];
    double error = 0.0;
    largest.at_end = largest.here = 0.0;
    for (std::size_t p = 0; p < finer.size(); ++p) {
      if (!counts_[p]) continue;
      Array u = values(field, window.fields[p][f], window.subdomains, part, points, of_run_);
      Array v = values(field, finer[p]->system.coefficients(finer[p]->x(), static_cast<int>(f)), part, part, points,
                       of_finer_);
      if (!settings_.flows.unknowns.empty() && settings_.flows.unknowns[f])
        take_start(largest, field, points[time], start, excess_[p] * shares_[f], u, v);
      leave_out(left_out_places_, time, field, points, start, u, v);
      Distance distance = largest_distance(u.data, v.data);
      distance.value /= excess_[p] * shares_[f];
      const bool in_time = time >= 0 && field.depends_on(time);
      const Index n_at_end = in_time ? u.size() / u.shape[time] : u.size();  // time is the first axis
      const auto at_end = [&](const Array& all) {
        return std::span(all.data).last(static_cast<std::size_t>(n_at_end));
      };
      largest.here = std::max(largest.here, largest_magnitude(u.data));
      largest.size = std::max(largest.size, largest.here);
      largest.at_end =
          std::max(largest.at_end, largest_distance(at_end(u), at_end(v)).value / (excess_[p] * shares_[f]));
      error = std::max(error, distance.value);
      if (!(distance.value > largest.error)) continue;
      largest.error = distance.value;
      largest.at = coordinates_of(model, field, u.shape, distance.at, points, points_[p]);
    }
    if (time >= 0 && (largest.rising.empty() || error > kRising * largest.rising.back().second))
      largest.rising.emplace_back(end, error);
    if (!settings_.starts.empty()) largest.parts.push_back({start, end, error, largest.here});
    if (error > kAllLost * size_of(f)) ended_ = true;
  }
}

double ErrorEstimator::size_of(std::size_t field) const {
  std::vector<double> sizes;
  for (const Largest& largest : largest_) sizes.push_back(largest.size);
  return reference_size(input_.model, coupling_, sizes, field);
}

void ErrorEstimator::give_up(const std::string& why) {
  estimate_.status = ErrorEstimate::Status::missing;
  estimate_.reason = why;
  ended_ = true;
}

ErrorEstimate ErrorEstimator::result() {
  if (estimate_.status == ErrorEstimate::Status::missing) return estimate_;
  if (budget_) estimate_.budget = budget_->result();
  const double tolerance = input_.the_case.verification.tolerance;
  for (std::size_t f = 0; f < largest_.size(); ++f) {
    const Largest& largest = largest_[f];
    const auto relative = [&](double error) { return relative_error(error, size_of(f)); };
    std::vector<double> at = largest.at;
    at.resize(input_.model.axes.size(), std::numeric_limits<double>::quiet_NaN());
    const auto [passing, lost_at] =
        worst_passing(settings_.starts, largest.parts, size_of(f), tolerance / kEstimateMargin);
    double mean = 0.0;
    for (const LeftOut& place : left_out_places_) {
      if (place.unknown != input_.model.fields[f].name) continue;
      mean = relative(largest.integral / (settings_.flows.end - settings_.flows.times.front()));
      estimate_.left_out.push_back(place);
      estimate_.left_out.back().what = fmt::format("error up to {:.1e} there, {:.1e} in the mean over time; {}",
                                                   relative(largest.before), mean, place.what);
    }
    estimate_.fields.push_back({input_.model.fields[f].name, std::max({relative(largest.error), passing, mean}),
                                std::move(at), relative(largest.at_end), remaining_});
    estimate_.lost_at = std::fmin(estimate_.lost_at, lost_at);
    for (const auto& [t, error] : largest.rising)
      if (kEstimateMargin * relative(error) > tolerance) {
        estimate_.lost_at = std::isnan(estimate_.lost_at) ? t : std::min(estimate_.lost_at, t);
        break;
      }
  }
  if (shortest_followed_ > 0.0) {
    const std::vector<double>& edges = input_.model.window_edges;
    estimate_.growth = fmt::format(
        "a mode grows at the rate {:.3g}, which windows longer than {:.2g} damp: {:.0f} of them"
        " follow it",
        fastest_, shortest_followed_, std::ceil((edges.back() - edges.front()) / shortest_followed_));
  }
  return estimate_;
}

void ErrorEstimator::sample(RunOutcome& outcome) {
  if (sampler_) sampler_->deliver(outcome);
}

std::optional<Solution> ErrorEstimator::solution() {
  if (kept_.empty() || estimate_.status == ErrorEstimate::Status::missing) return std::nullopt;
  return assemble_solution(input_.model, std::exchange(kept_, {}));
}

}  // namespace gwrm
