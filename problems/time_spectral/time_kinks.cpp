#include "problems/time_spectral/time_kinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_set>

#include "basis/axis_map.hpp"
#include "core/array.hpp"
#include "expression/lowering.hpp"
#include "expression/tape.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Function;
using expression::Pool;

constexpr std::size_t kSamples = 20000, kMax = 5000;

// What changes its sign where a call is not smooth; null for functions that are smooth.
Expr switch_of(Pool& pool, Expr call) {
  switch (call->function) {
    case Function::abs:
    case Function::sign:
    case Function::step:
      return call->args[0];
    case Function::min:
    case Function::max:
      return expression::lower(pool, pool.difference(call->args[0], call->args[1]));
    default:
      return nullptr;
  }
}

class Search {
 public:
  explicit Search(const Model& model) : model_(model), time_(model.time_axis()) {}

  std::vector<double> run() {
    for (const EquationModel& equation : model_.equations) visit(equation.residual);
    for (const ConditionModel& condition : model_.conditions) visit(condition.residual);
    std::sort(found_.begin(), found_.end());
    return found_;
  }

 private:
  void visit(Expr e) {
    if (!visited_.insert(e).second) return;
    for (Expr argument : e->args) visit(argument);
    if (e->op != expression::Op::call) return;
    const Expr s = switch_of(*model_.pool, e);
    if (s != nullptr && s->facts.degree == 0 && s->facts.axes == std::uint32_t{1} << time_ && visited_switch(s))
      look(s);
  }
  bool visited_switch(Expr s) { return switches_.insert(s).second; }

  void look(Expr s) {
    const std::array<Expr, 1> outputs{s};
    const expression::Tape tape(*model_.pool, outputs);
    const AxisMap map(model_.axes[time_]);
    std::vector<double> times(kSamples + 1);
    for (std::size_t i = 0; i <= kSamples; ++i)
      times[i] = map.from_reference(2.0 * static_cast<double>(i) / static_cast<double>(kSamples) - 1.0);
    const std::vector<int> signs = signs_at(tape, times);
    for (std::size_t i = 0; i < kSamples && found_.size() < kMax; ++i)
      if (signs[i] != signs[i + 1]) keep(bisected(tape, times[i], times[i + 1], signs[i]));
  }

  // The first double that has another sign than `left`.
  double bisected(const expression::Tape& tape, double a, double b, int left) const {
    while (true) {
      const double middle = 0.5 * (a + b);
      if (!(a < middle && middle < b)) return b;
      (signs_at(tape, {middle}).front() == left ? a : b) = middle;
    }
  }

  // -1, 0, 1; NaN counts as 0.
  std::vector<int> signs_at(const expression::Tape& tape, const std::vector<double>& times) const {
    Shape shape(model_.axes.size(), 1);
    shape[time_] = static_cast<Index>(times.size());
    Array t(shape);
    std::copy(times.begin(), times.end(), t.data.begin());
    const std::vector<Array> leaves(tape.leaves().size(), t);  // the coordinate t is the only one
    const Array values = tape.evaluate(leaves, {}).front();
    std::vector<int> signs;
    for (double v : values.data) signs.push_back(v > 0.0 ? 1 : v < 0.0 ? -1 : 0);
    return signs;
  }

  // At an end nothing has to be done; a zero that is met exactly is found from both sides.
  void keep(double t) {
    const double lower = model_.window_edges.front(), upper = model_.window_edges.back();
    const double near = 1e-12 * (upper - lower) + 8.0 * std::numeric_limits<double>::epsilon() * std::abs(t);
    const bool known =
        std::any_of(found_.begin(), found_.end(), [&](double other) { return std::abs(t - other) <= near; });
    if (!known && t > lower + near && t < upper - near) found_.push_back(t);
  }

  const Model& model_;
  int time_;
  std::unordered_set<Expr> visited_, switches_;
  std::vector<double> found_;
};

}  // namespace

std::vector<double> times_of_kinks(const Model& model) {
  if (model.time_axis() < 0) return {};
  return Search(model).run();
}

std::string describe_kinks_inside_windows(const Model& model) {
  std::vector<double> inside;
  for (double t : times_of_kinks(model)) {
    const auto edge = std::lower_bound(model.window_edges.begin(), model.window_edges.end(), t);
    const double near = 1e-9 * (model.window_edges.back() - model.window_edges.front());
    const bool on_edge = (edge != model.window_edges.end() && *edge - t <= near) ||
                         (edge != model.window_edges.begin() && t - *(edge - 1) <= near);
    if (!on_edge) inside.push_back(t);
  }
  if (inside.empty()) return {};
  return fmt::format(
      "the data have a kink or a jump at t = {:.10g}{}, within a window: the series in t converge slowly there; put "
      "edges of resolution.domains.t on such times, or give resolution.tolerance, which does",
      inside.front(), inside.size() > 1 ? fmt::format(" and {} more times", inside.size() - 1) : "");
}

}  // namespace gwrm
