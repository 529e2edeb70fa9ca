#include "problems/recurrence_bvp/bvp_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/thread_errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"

namespace gwrm {
namespace {

constexpr Index kMaxCheckedPoints = Index{1} << 20;
constexpr Index kChunk = 4096;                        // points of which a thread finds the errors at once
constexpr Index kMaxCompletePoints = Index{1} << 26;  // beyond it `exact` alone takes longer than the solution
constexpr Index kWindows = 16, kMinWindows = 3;
constexpr Index kUsualWindow = Index{1} << 14, kLongestWindow = Index{1} << 22;  // half of them
constexpr Index kMaxWindowPoints = Index{1} << 24;                               // of all together
constexpr double kShare = 0.05;  // of what a check allows, that the rounding of u may take

std::vector<Index> consecutive(Index first, Index count) {
  std::vector<Index> points(static_cast<std::size_t>(count));
  std::iota(points.begin(), points.end(), first);
  return points;
}

// At most `most` points, equally spread from end to end.
std::vector<Index> spread(Index intervals, Index most) {
  const Index count = std::min(intervals + 1, most);
  std::vector<Index> points;
  for (Index i = 0; i < count; ++i)
    points.push_back(static_cast<Index>(
        std::llround(static_cast<double>(i) * static_cast<double>(intervals) / static_cast<double>(count - 1))));
  return points;
}

class Verifier {
 public:
  Verifier(const Case& the_case, const BvpModel& model, const GridValues& values, double shift, double rounding,
           bool judge_residual)
      : case_(the_case),
        model_(model),
        values_(values),
        shift_(shift),
        rounding_(rounding),
        judge_residual_(judge_residual) {
    const Index n = model.grid.intervals;
    step_ = model.grid.step();
    const std::vector<Index> points = spread(n, 4096);
    const std::vector<double> u = values.solution(points), f = values.source(points);
    double source = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      size_ = std::max(size_, std::abs(u[i]));
      source = std::max(source, std::abs(f[i] - model.reaction * u[i]));
    }
    // The second difference over a window of 2 l is l^2 p, the difference behind a slope l u', u rounded in both.
    half_ = half_window(std::sqrt(4.0 * rounding * size_ / (kShare * the_case.verification.residual * source)));
    slope_half_ = half_window(2.0 * rounding * (model.grid.upper - model.grid.lower) /
                              (kShare * the_case.verification.tolerance));
  }

  Verification run() {
    check_residual();
    for (const EndCondition& condition : model_.conditions) check_condition(condition);
    if (model_.exact != nullptr) check_exact();
    for (const ReferenceValue& value : case_.verification.values) check_value(value);
    return std::move(result_);
  }

 private:
  void add(const std::string& kind, const std::string& subject, double value, double tolerance, bool judged = true) {
    result_.checks.push_back({kind, subject, value, tolerance, judged});
  }

  static double relative(double error, double size) { return error == 0.0 ? 0.0 : error / size; }

  // In intervals, for half a window of that length.
  Index half_window(double length) const {
    const double enough = length / step_ < static_cast<double>(kLongestWindow) ? length / step_ : kLongestWindow;
    return std::clamp<Index>(model_.grid.intervals / 64, 1, std::max(kUsualWindow, static_cast<Index>(enough)));
  }

  // p = f - k^2 u at consecutive points.
  std::vector<double> sources(Index first, Index count) const {
    const std::vector<Index> points = consecutive(first, count);
    std::vector<double> p = values_.source(points);
    for (double& value : p) value += shift_;
    if (model_.reaction == 0.0) return p;
    const std::vector<double> u = values_.solution(points);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] -= model_.reaction * u[i];
    return p;
  }

  void check_residual() {
    const Index n = model_.grid.intervals;
    // Of the second difference: four roundings of u and those of two sums.
    const double h2 = step_ * step_, rounds = 8.0 * rounding_ * size_;
    double worst = 0.0, scale = 0.0;
    const Index n_windows = std::clamp<Index>(kMaxWindowPoints / (2 * half_), kMinWindows, kWindows);
    for (Index k = 0; k < n_windows; ++k) {
      const Index centre = half_ + (n - 2 * half_) * k / (n_windows - 1);
      const std::vector<double> u = values_.solution({centre - half_, centre, centre + half_});
      const std::vector<double> p = sources(centre - half_, 2 * half_ + 1);
      const std::size_t s = static_cast<std::size_t>(half_);
      double sum = 0.0, magnitude = 0.0;
      for (std::size_t j = 1; j < 2 * s; ++j) {
        const double weight = static_cast<double>(j < s ? j : 2 * s - j);
        sum += weight * p[j];
        magnitude += weight * std::abs(p[j]);
      }
      if (model_.order == 4) sum += (p[0] - 2.0 * p[s] + p[2 * s]) / 12.0;
      const double residual = -(u[0] - 2.0 * u[1] + u[2]) - h2 * sum;
      worst = std::isfinite(residual) ? std::max(worst, std::abs(residual)) : residual;
      scale = std::max(scale, h2 * magnitude);
      if (!std::isfinite(worst)) break;
    }
    // Where the source is nothing beside u, rounding is all that is left; it is no residual.
    const double beyond = worst > rounds ? worst - rounds : std::isfinite(worst) ? 0.0 : worst;
    const std::string& u = model_.unknown;
    add("residual",
        fmt::format("-d{0}({1},2){2} = source", model_.axis.name, u, model_.reaction > 0.0 ? " + reaction*" + u : ""),
        relative(beyond, scale + rounds), case_.verification.residual, judge_residual_);
  }

  // u'(a) from a window at that end; at b the same backwards.
  double end_slope(bool left) const {
    const Index n = model_.grid.intervals;
    const Index half = slope_half_;
    const std::vector<double> u = left ? values_.solution({0, half}) : values_.solution({n, n - half});
    std::vector<double> p = sources(left ? 0 : n - half, half + 1);
    if (!left) std::reverse(p.begin(), p.end());
    const std::size_t s = static_cast<std::size_t>(half);
    long double sum = 0.5 * static_cast<double>(s) * p[0];  // of millions of terms
    for (std::size_t j = 1; j < s; ++j) sum += static_cast<double>(s - j) * p[j];
    if (model_.order == 4) {
      // u + h^2 p/12 obeys the scheme of order 2, with a slope that the weights 7, 6, -1 make
      const std::vector<double> ends = s >= 2 ? p : three_sources(left);
      sum += (p[s] - p[0]) / 12.0 - static_cast<double>(s) * (3.0 * ends[0] - 4.0 * ends[1] + ends[2]) / 24.0;
    }
    const double slope = (u[1] - u[0] + step_ * step_ * static_cast<double>(sum)) / (static_cast<double>(s) * step_);
    return left ? slope : -slope;
  }

  std::vector<double> three_sources(bool left) const {
    std::vector<double> p = sources(left ? 0 : model_.grid.intervals - 2, 3);
    if (!left) std::reverse(p.begin(), p.end());
    return p;
  }

  void check_condition(const EndCondition& condition) {
    const std::vector<double> ends = values_.solution({0, model_.grid.intervals});
    const double length = model_.grid.upper - model_.grid.lower;
    double sum = -condition.value, magnitude = std::abs(condition.value);
    const auto add_term = [&](double coefficient, double value, double size) {
      if (coefficient == 0.0) return;
      sum += coefficient * value;
      magnitude += std::abs(coefficient) * std::max(size, std::abs(value));
    };
    add_term(condition.u_left, ends[0], size_);
    add_term(condition.u_right, ends[1], size_);
    if (condition.slope_left != 0.0) add_term(condition.slope_left, end_slope(true), size_ / length);
    if (condition.slope_right != 0.0) add_term(condition.slope_right, end_slope(false), size_ / length);
    if (condition.integral != 0.0) add_term(condition.integral, integral(), size_ * length);
    add("boundary", condition.text.text, relative(std::abs(sum), magnitude), case_.verification.tolerance);
  }

  // By Simpson's rule on points of the grid.
  double integral() const {
    const Index n = model_.grid.intervals;
    Index stride = std::max<Index>(1, n / kMaxCheckedPoints);
    while (stride > 1 && (n % stride != 0 || (n / stride) % 2 != 0)) --stride;
    std::vector<Index> points;
    for (Index i = 0; i <= n; i += stride) points.push_back(i);
    const std::vector<double> u = values_.solution(points);
    const double h = static_cast<double>(stride) * step_;
    const bool simpson = (u.size() - 1) % 2 == 0;
    double sum = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const bool end = i == 0 || i + 1 == u.size();
      sum += u[i] * (simpson ? end ? 1.0 / 3 : i % 2 == 1 ? 4.0 / 3 : 2.0 / 3 : end ? 0.5 : 1.0);
    }
    return h * sum;
  }

  struct Errors {
    double error = 0.0, size = 0.0, error_square = 0.0, size_square = 0.0;
    void add(const Errors& other) {
      error = std::isnan(other.error) ? other.error : std::max(error, other.error);
      size = std::max(size, other.size);
      error_square += other.error_square;
      size_square += other.size_square;
    }
  };

  Errors errors_at(const PointExpression& exact, const Index* points, const double* u, Index count) const {
    std::vector<double> x, values(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) x.push_back(model_.grid.point(points[i]));
    exact.evaluate(x.data(), count, values.data());
    Errors sums;
    for (double value : values) {
      const double difference = std::abs(*u++ - value);
      sums.add({difference, std::abs(value), difference * difference, value * value});
    }
    return sums;
  }

  void check_exact() {
    const PointExpression exact(*model_.pool, model_.exact);
    Errors all;
    const auto add_points = [&](const std::vector<Index>& points) {
      const std::vector<double> u = values_.solution(points);
      const auto count = static_cast<Index>(points.size());
      std::vector<Errors> of_chunks(static_cast<std::size_t>((count + kChunk - 1) / kChunk));
      ThreadErrors failures;
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < of_chunks.size(); ++c)
        failures.run([&] {
          const Index first = static_cast<Index>(c) * kChunk;
          of_chunks[c] = errors_at(exact, &points[static_cast<std::size_t>(first)], &u[static_cast<std::size_t>(first)],
                                   std::min(kChunk, count - first));
        });
      failures.rethrow();
      for (const Errors& chunk : of_chunks) all.add(chunk);
    };
    const Index n = model_.grid.intervals;
    if (n <= kMaxCompletePoints)
      for (Index first = 0; first <= n; first += kMaxCheckedPoints)
        add_points(consecutive(first, std::min(kMaxCheckedPoints, n + 1 - first)));
    else
      add_points(spread(n, kMaxCheckedPoints));
    add("error_max", model_.unknown, relative(all.error, all.size), case_.verification.tolerance);
    add("error_l2", model_.unknown, relative(std::sqrt(all.error_square), std::sqrt(all.size_square)),
        case_.verification.tolerance);
  }

  void check_value(const ReferenceValue& reference) {
    const expression::Expr e = expression::lower(*model_.pool, expression::parse(*model_.pool, reference.expr));
    std::string subject = reference.expr.text;
    Index point = 0;
    for (const auto& [axis, x] : reference.at) {
      point = values_.nearest(x);
      subject += fmt::format(" at {} = {:g}", axis, x);
      if (std::abs(model_.grid.point(point) - x) > 1e-9 * step_)
        throw_case_error(reference.expr, 0,
                         fmt::format("{} = {:g} is no point of the grid; the nearest is {:.17g}", axis, x,
                                     model_.grid.point(point)));
    }
    const double value = values_.evaluate(e, reference.expr, {point}).front();
    add("value", subject, relative(std::abs(value - reference.value), std::max(size_, std::abs(reference.value))),
        case_.verification.tolerance);
  }

  const Case& case_;
  const BvpModel& model_;
  const GridValues& values_;
  double shift_, rounding_;
  bool judge_residual_;
  Index half_ = 1, slope_half_ = 1;  // intervals of half a window
  double step_ = 0.0, size_ = 0.0;
  Verification result_;
};

}  // namespace

Verification verify_bvp(const Case& the_case, const BvpModel& model, const GridValues& values, double shift,
                        double rounding, bool judge_residual) {
  return Verifier(the_case, model, values, shift, rounding, judge_residual).run();
}

}  // namespace gwrm
