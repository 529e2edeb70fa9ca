#include "solver/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "solver/bordered_system.hpp"
#include "solver/dense_solver.hpp"

namespace gwrm {
namespace {

constexpr double kTargetIterations = 3.0;  // more means that the prediction was poor, fewer that it was needlessly good
constexpr double kTargetAngle = 0.15;  // radians between neighbouring tangents: the cubic between is then good to 1e-5
constexpr double kMaxAngle = 0.4;
constexpr double kFirstArc = 0.05;
constexpr double kMaxOfRange = 0.1;  // a step covers no more of the parameter's range
constexpr double kMinStep = 1e-8;    // in the arc, whose unit is the size of everything
constexpr double kKinkStep = 1e-5;   // an angle that survives down to this step belongs to the branch (abs, min, max)
constexpr double kMaxKink = 1.2;     // radians
constexpr int kCorrectorIterations = 8;   // a step that needs more is better halved
constexpr double kFoldTolerance = 1e-10;  // of dp/ds over the range: p itself is then exact to its square
constexpr double kSamePoint = 1e-13;      // what lies nearer to the last point is that point
constexpr int kLocateEvaluations = 40;

class Branch {
 public:
  Branch(const BranchEquations& equations, const BranchSettings& settings, DenseLu& lu,
         const BranchPointSink& point_done, const std::function<bool()>& interrupted)
      : equations_(equations),
        settings_(settings),
        bordered_(equations.system, equations.free_row),
        lu_(lu),
        point_done_(point_done),
        interrupted_(interrupted),
        parameter_(static_cast<std::size_t>(equations.unknowns.parameter)),
        range_(std::abs(settings.to - settings.from)),
        direction_(settings.to > settings.from ? 1.0 : -1.0) {}

  BranchEnd run(std::vector<double> guess) {
    if (first_point(std::move(guess))) follow();
    return end_;
  }

 private:
  using Point = BranchPoint;

  double p(const Point& point) const { return point.x[parameter_]; }
  double slope(const Point& point) const { return point.tangent[parameter_] / range_; }  // of p, in [-1, 1]

  std::vector<double> parameter_border() const {
    std::vector<double> border(static_cast<std::size_t>(bordered_.size()), 0.0);
    border[parameter_] = 1.0;
    return border;
  }

  bool solve(std::vector<double>& x, const NewtonOptions& options) {
    DenseSolver corrections(bordered_, lu_);
    NewtonResult result = newton(bordered_, x, options, corrections, interrupted_);
    end_.n_factorisations += result.n_factorisations;
    end_.newton = result.status;
    end_.detail = std::move(result.detail);
    iterations_ = std::move(result.iterations);
    return succeeded(end_.newton);
  }

  // The tangent at point.x whose product with the border is 1.
  bool solve_tangent(Point& point) {
    const std::vector<double>& x = point.x;
    DenseSolver corrections(bordered_, lu_);
    const LinearOutcome outcome = corrections.linearise(x, true);
    end_.n_factorisations += corrections.n_factorisations();
    if (outcome.status != LinearStatus::solved) {
      end_.newton = outcome.status == LinearStatus::singular ? NewtonStatus::singular : NewtonStatus::not_finite;
      end_.detail = outcome.detail;
      return false;
    }
    point.tangent.assign(x.size(), 0.0);
    point.tangent[static_cast<std::size_t>(equations_.free_row)] = 1.0;
    corrections.solve(point.tangent, 0.0);
    return true;
  }

  bool first_point(std::vector<double> guess) {
    Point first;
    first.x = std::move(guess);
    first.x[parameter_] = settings_.from;
    bordered_.set_border(parameter_border(), first.x);
    std::vector<double> least(first.x.size(), 0.0);
    least[parameter_] = range_;
    bordered_.set_least_weights(std::move(least));
    end_.parameter = settings_.from;
    end_.status = BranchStatus::first_failed;
    if (!solve(first.x, settings_.newton)) {
      if (end_.newton == NewtonStatus::interrupted) end_.status = BranchStatus::interrupted;
      return false;
    }
    first.x[parameter_] = settings_.from;
    if (!solve_tangent(first)) return false;
    metric_.emplace(equations_.unknowns, first.x, first.tangent, range_);
    bordered_.set_least_weights(metric_->sizes());
    const double factor = direction_ / metric_->norm(first.tangent);
    for (double& value : first.tangent) value *= factor;
    accept(std::move(first));
    return true;
  }

  void accept(Point point) {
    end_.parameter = p(point);
    point_done_(point, iterations_);
    iterations_.clear();
    last_ = std::move(point);
    ++n_points_;
  }

  void stop(BranchStatus status) {
    end_.status = status;
    if (status == BranchStatus::step_failed || status == BranchStatus::interrupted) return;
    end_.newton = NewtonStatus::converged;
    end_.detail.clear();
  }

  void follow() {
    const double most_of_p = std::max(settings_.first_step, kMaxOfRange * range_) / range_;
    double h = settings_.first_step > 0.0 ? settings_.first_step / (range_ * std::abs(slope(last_))) : kFirstArc;
    double growth = 2.0;
    for (;;) {
      if (n_points_ >= settings_.max_points) return stop(BranchStatus::point_limit);
      if (std::abs(slope(last_)) * h > most_of_p) h = most_of_p / std::abs(slope(last_));
      std::optional<double> factor = step(h);
      if (finished_) return;
      if (factor) {
        h *= std::min(*factor, growth);
        growth = 2.0;
        continue;
      }
      if (end_.newton == NewtonStatus::interrupted) return stop(BranchStatus::interrupted);
      h /= 2.0;
      growth = 1.0;
      // Towards a fold natural steps shrink in p, whatever they are in the arc.
      if (h < kMinStep || (!settings_.arclength && h * std::abs(slope(last_)) < kMinStep))
        return stop(BranchStatus::step_failed);
    }
  }

  // One step of length h; the factor by which the next may be longer, or nothing where this one failed.
  std::optional<double> step(double h) {
    Point next;
    next.x = last_.x;
    for (std::size_t i = 0; i < next.x.size(); ++i) next.x[i] += h * last_.tangent[i];
    const std::vector<double> predicted = next.x;
    if (!correct(next, settings_.arclength ? metric_->applied(last_.tangent) : parameter_border())) return {};
    const auto n_iterations = static_cast<double>(iterations_.size());
    const double angle = std::acos(std::clamp(metric_->dot(last_.tangent, next.tangent), -1.0, 1.0));
    std::vector<double> miss = predicted;
    for (std::size_t i = 0; i < miss.size(); ++i) miss[i] -= next.x[i];
    const bool far = metric_->norm(miss) > 0.5 * h;
    if (h > kKinkStep ? far || angle > kMaxAngle : angle > kMaxKink) {
      end_.newton = NewtonStatus::converged;
      end_.detail = far ? fmt::format("a step of {:.1e} leads to a solution that is not near the predicted one", h)
                        : fmt::format("the branch turns by {:.2g} radians within a step of {:.1e}", angle, h);
      return {};
    }
    if (!settings_.arclength && slope(last_) * slope(next) <= 0.0) {
      end_.newton = NewtonStatus::converged;
      end_.detail = "the branch turns back";
      return {};
    }
    if (!take(std::move(next))) return {};
    return std::clamp(
        std::min(std::pow(2.0, (kTargetIterations - n_iterations) / 2.0), kTargetAngle / std::max(angle, 1e-6)), 0.5,
        2.0);
  }

  // Newton from point.x with this border, and the tangent there.
  bool correct(Point& point, std::vector<double> border) {
    NewtonOptions options = settings_.newton;
    options.globalisation = Globalisation::natural;
    options.max_iterations = std::min(options.max_iterations, kCorrectorIterations);
    bordered_.set_border(std::move(border), point.x);
    if (!solve(point.x, options)) return false;
    bordered_.set_border(metric_->applied(last_.tangent), point.x);
    if (!solve_tangent(point)) return false;
    const double norm = metric_->norm(point.tangent);
    for (double& value : point.tangent) value /= norm;
    return true;
  }

  // Accepts the point after what lies between it and the last one: a fold, the end of the branch.
  bool take(Point next) {
    const std::vector<NewtonIteration> iterations = iterations_;
    if (slope(last_) * slope(next) < 0.0) {
      std::optional<Point> fold = locate_fold(next);
      if (!fold) return false;
      fold->fold = true;
      fold->tangent[parameter_] = 0.0;  // its sign would be noise
      if (!take_monotone(std::move(*fold))) return false;
      if (finished_) return true;
      if (n_points_ >= settings_.max_points) return true;
    }
    iterations_ = iterations;
    return take_monotone(std::move(next));
  }

  // The same where p is monotone in between.
  bool take_monotone(Point next) {
    const bool reached = direction_ * (p(next) - settings_.to) >= 0.0,
               back = direction_ * (p(next) - settings_.from) <= 0.0;
    if (reached || back) {
      const double wanted = reached ? settings_.to : settings_.from;
      // A fold that touches the end: at this very value of p the equations are singular.
      if (!(next.fold && std::abs(p(next) - wanted) <= kFoldTolerance * range_)) {
        std::optional<Point> last = point_at(next, wanted);
        if (!last) return false;
        next = std::move(*last);
      }
      finished_ = true;
    }
    next.s = last_.s + arc_length(*metric_, last_, next);
    if (next.s - last_.s > kSamePoint * (1.0 + next.s)) accept(std::move(next));
    if (finished_) stop(reached ? BranchStatus::reached_end : BranchStatus::came_back);
    return true;
  }

  // The point between the last one and b at which p has this value exactly.
  std::optional<Point> point_at(const Point& b, double value) {
    const double length = arc_length(*metric_, last_, b);
    double low = 0.0, high = 1.0;  // bisection on the cubic
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      const bool beyond = (between(last_, b, length, middle)[parameter_] - value) * (p(b) - value) > 0.0;
      (beyond ? high : low) = middle;
    }
    Point point;
    point.x = between(last_, b, length, high);
    point.x[parameter_] = value;
    if (!correct(point, parameter_border())) return {};
    point.x[parameter_] = value;
    return point;
  }

  // dp/ds = 0 between the last point and b, by points on planes across the chord.
  std::optional<Point> locate_fold(const Point& b) {
    const double length = arc_length(*metric_, last_, b);
    std::vector<double> chord = b.x;
    for (std::size_t i = 0; i < chord.size(); ++i) chord[i] -= last_.x[i];
    const std::vector<double> border = metric_->applied(chord);
    double low = 0.0, high = 1.0, at_low = slope(last_), at_high = slope(b);
    int kept = 0;  // the end that stayed twice has its value halved (Illinois)
    for (int i = 0; i < kLocateEvaluations; ++i) {
      const double theta = (low * at_high - high * at_low) / (at_high - at_low);
      Point point;
      point.x = between(last_, b, length, theta);
      if (!correct(point, border)) return {};
      const double value = slope(point);
      if (std::abs(value) <= kFoldTolerance || high - low <= 1e-14) return point;
      if (value * at_low > 0.0) {
        low = theta;
        at_low = value;
        if (kept == 1) at_high /= 2.0;
        kept = 1;
      } else {
        high = theta;
        at_high = value;
        if (kept == -1) at_low /= 2.0;
        kept = -1;
      }
    }
    end_.detail = "a fold could not be located";
    return {};
  }

  const BranchEquations& equations_;
  const BranchSettings& settings_;
  BorderedSystem bordered_;
  DenseLu& lu_;
  const BranchPointSink& point_done_;
  const std::function<bool()>& interrupted_;
  std::size_t parameter_;
  double range_, direction_;

  std::optional<BranchMetric> metric_;
  Point last_;
  int n_points_ = 0;
  bool finished_ = false;
  std::vector<NewtonIteration> iterations_;  // of the point at work
  BranchEnd end_;
};

}  // namespace

BranchEnd follow_branch(const BranchEquations& equations, const BranchSettings& settings, DenseLu& lu,
                        std::vector<double> guess, const BranchPointSink& point_done,
                        const std::function<bool()>& interrupted) {
  return Branch(equations, settings, lu, point_done, interrupted).run(std::move(guess));
}

}  // namespace gwrm
