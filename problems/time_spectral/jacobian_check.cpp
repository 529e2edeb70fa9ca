#include "problems/time_spectral/jacobian_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "problems/time_spectral/window.hpp"
#include "weighted_residual/model/statement_names.hpp"

namespace gwrm {
namespace {

// Central differences: O(h^2) from the third derivative, eps/h from rounding. The best of these steps is taken.
constexpr std::array kSteps = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
constexpr int kDirections = 3;
constexpr double kTolerance = 1e-6;
// Of the random coefficients beside the largest of the start; smaller where the residual is not finite there.
constexpr std::array kAmplitudes = {0.3, 0.03, 0.003};

using Vectors = std::vector<double>;

std::string subject_of(const Model& model, const RowBlock& row) {
  const auto index = static_cast<std::size_t>(row.index);
  switch (row.kind) {
    case RowBlock::Kind::equation:
      return fmt::format("{}: {}", equation_name(model, index), model.equations[index].text.text);
    case RowBlock::Kind::condition:
    case RowBlock::Kind::mean:
      return fmt::format("{}: {}", condition_name(model, index), model.conditions[index].text.text);
    case RowBlock::Kind::degree:
      return fmt::format("degree of {} along {}", model.fields[model.equations[index].field].name,
                         model.axes[row.line_axis].name);
    case RowBlock::Kind::continuity:
      break;
  }
  return fmt::format("continuity across the subdomains of {}", model.axes[row.line_axis].name);
}

class JacobianCheck {
 public:
  JacobianCheck(const Context& context, const Model& model, const SystemPlan& plan, const Vectors& point)
      : model_(model),
        window_(
            context, model, plan, model.subdomains, point, start(model), end(model),
            initial_state(context, model, Discretisation(model, model.subdomains, point, start(model), end(model)))) {}

  std::vector<Check> run() {
    choose_fields();
    std::vector<Check> checks;
    for (const RowBlock& row : window_.system.rows())
      checks.push_back({"jacobian", subject_of(model_, row), 0.0, kTolerance, true});
    const Linearisation at_x = window_.system.linearise(x_);
    for (int direction = 0; direction < kDirections; ++direction) {
      const Vectors v = random(1.0);
      Vectors product(x_.size());
      window_.system.apply_jacobian(at_x, v, product);
      judge(v, product, checks);
    }
    return checks;
  }

 private:
  static double start(const Model& model) { return model.window_edges.empty() ? 0.0 : model.window_edges[0]; }
  static double end(const Model& model) { return model.window_edges.empty() ? 1.0 : model.window_edges[1]; }

  Vectors random(double amplitude) {
    std::uniform_real_distribution<double> uniform(-amplitude, amplitude);
    Vectors values(static_cast<std::size_t>(window_.system.size()));
    for (double& value : values) value = uniform(generator_);
    return values;
  }

  Vectors residual(const Vectors& x) {
    Vectors f(x.size());
    window_.system.residual(x, f);
    return f;
  }

  // Random fields where the residual is finite; log(u) is not everywhere.
  void choose_fields() {
    const Vectors begin = constant_start(window_.system);
    size_ = 0.0;
    for (double value : begin) size_ = std::max(size_, std::abs(value));
    if (size_ == 0.0) size_ = 1.0;
    for (double amplitude : kAmplitudes) {
      x_ = random(amplitude * size_);
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += begin[i];
      const Vectors f = residual(x_);
      if (std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); })) return;
    }
  }

  void judge(const Vectors& v, const Vectors& product, std::vector<Check>& checks) {
    const std::vector<RowBlock>& rows = window_.system.rows();
    std::vector<double> best(rows.size(), std::numeric_limits<double>::infinity());
    for (double step : kSteps) {
      const double h = step * size_;
      Vectors plus = x_, minus = x_;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        plus[i] += h * v[i];
        minus[i] -= h * v[i];
      }
      const Vectors above = residual(plus), below = residual(minus);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        double worst = 0.0, largest = 0.0;
        for (Index i = 0; i < element_count(rows[r].extents); ++i) {
          const auto k = static_cast<std::size_t>(window_.system.place_of(rows[r], i));
          const double difference = std::abs((above[k] - below[k]) / (2.0 * h) - product[k]);
          worst = std::isnan(difference) ? difference : std::max(worst, difference);
          largest = std::max(largest, std::abs(product[k]));
        }
        const double relative = largest > 0.0 ? worst / largest : worst;
        if (std::isfinite(relative)) best[r] = std::min(best[r], relative);
      }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) checks[r].value = std::max(checks[r].value, best[r]);
  }

  const Model& model_;
  Window window_;
  std::mt19937 generator_{20240501};  // the same fields every time
  Vectors x_;
  double size_ = 1.0;
};

}  // namespace

std::vector<Check> check_jacobian(const Context& context, const Model& model, const SystemPlan& plan,
                                  const std::vector<double>& parameter_point) {
  return JacobianCheck(context, model, plan, parameter_point).run();
}

}  // namespace gwrm
