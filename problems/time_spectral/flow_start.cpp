#include "problems/time_spectral/flow_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/log.hpp"
#include "expression/kinks.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/incompatible_data.hpp"
#include "problems/time_spectral/linear_method.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/step_control.hpp"
#include "weighted_residual/preconditioner/consistent_state.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm {
namespace {

constexpr double kErrorOfWindow = 0.09;    // c_K K^2
constexpr double kShareOfTolerance = 0.3;  // for the first window
constexpr double kLongestFirst = 0.01;     // of the run
constexpr double kErrorOfDegree = 3.0;
constexpr double kShareForDegree = 0.5;  // of the tolerance
constexpr int kLeastNodes = 8, kMostNodes = 16;
constexpr double kMostChange = 0.5;     // of u in the first window, by its rate
constexpr double kJudgedAfter = 2.0;    // first windows
constexpr double kLatestJudged = 0.05;  // of the run
constexpr double kSameTime = 1e-9;      // of the run
constexpr int kMostRefinements = 6;     // of the degrees on which initial values are looked at
constexpr double kMostUnknowns = 1e6;   // of a window: its initial values are looked at in passing

// The initial values on subdomains that resolve them.
struct ResolvedStart {
  std::vector<AxisDescription> subdomains;
  State state;
};
ResolvedStart resolved_start(const Context& context, const Case& the_case, const Model& model, const SystemPlan& plan,
                             const std::vector<double>& point) {
  ResolvedStart start{model.subdomains, {}};
  const bool automatic = the_case.resolution.automatic();
  const double tolerance = step_tolerances(model, tolerance_of_answer(the_case)).space;
  if (automatic) resolve_initial_data(the_case.resolution, model, start.subdomains);
  const double t = model.window_edges[0], end = model.window_edges[1];
  for (int refinement = 0;; ++refinement) {
    const Discretisation discretisation(model, start.subdomains, point, t, end);
    start.state = initial_state(context, model, discretisation);
    std::string limit;
    if (!automatic || refinement == kMostRefinements ||
        !refine(model, measure_state(model, start.subdomains, start.state), tolerance, the_case.resolution,
                start.subdomains, limit) ||
        !limit.empty())
      break;
  }
  start.state =
      consistent_state(context, model, plan, start.subdomains, point, t, end - t, std::move(start.state), false).state;
  return start;
}

// What drives the unknowns: the equations that hold them, their own, the conditions of both.
std::vector<expression::Expr> data_of_flow(const Model& model, const std::vector<bool>& constrained) {
  std::vector<bool> belongs = constrained;
  std::vector<expression::Expr> data;
  for (const EquationModel& equation : model.equations) {
    const bool holds = std::any_of(equation.fields.begin(), equation.fields.end(),
                                   [&](const expression::FieldOrders& held) { return constrained[at(held.field)]; });
    if (!holds && !(equation.field >= 0 && constrained[at(equation.field)])) continue;
    data.push_back(equation.residual);
    if (equation.field >= 0) belongs[at(equation.field)] = true;
  }
  for (const ConditionModel& condition : model.conditions)
    if (std::any_of(condition.fields.begin(), condition.fields.end(),
                    [&](const expression::FieldOrders& held) { return belongs[at(held.field)]; }))
      data.push_back(condition.residual);
  return data;
}

std::string names_of(const Model& model, const std::vector<bool>& unknowns) {
  std::string names;
  for (std::size_t f = 0; f < unknowns.size(); ++f)
    if (unknowns[f]) names += (names.empty() ? "" : ", ") + model.fields[f].name;
  return names;
}

std::string elapsed(const Model& model, double t) {
  const std::string& name = model.axes[at(model.time_axis())].name;
  return t == 0.0 ? name : t > 0.0 ? fmt::format("{} - {:.6g}", name, t) : fmt::format("{} + {:.6g}", name, -t);
}

std::string reason(const Model& model, const FlowStarts& starts, double t, const std::string& name) {
  const bool at_start = t == starts.start && starts.slip > 0.0;
  return fmt::format("{} start{} like sqrt({}): {}", name, name.find(',') == std::string::npos ? "s" : "",
                     elapsed(model, t),
                     at_start ? fmt::format("the initial flow would slip along {} with an acceleration of {:.2g}",
                                            starts.where, starts.slip)
                              : std::string("forces or walls change abruptly"));
}

}  // namespace

bool FlowStarts::is_one(double t) const {
  return std::any_of(times.begin(), times.end(),
                     [&](double one) { return std::abs(one - t) <= kSameTime * (end - start); });
}

double FlowStarts::judged_from(double t, double length) const {
  return t + std::min(kJudgedAfter * length, kLatestJudged * (end - start));
}

FlowStarts flow_starts(const Case& the_case, const Model& model, const SystemPlan& plan) {
  FlowStarts starts;
  const std::vector<bool> unknowns = constrained_unknowns(model);
  const std::vector<std::vector<double>> points = parameter_points(model);
  if (unknowns.empty() || points.size() > 1 || plan.series || !may_slip(model, unknowns)) return {};
  starts.start = model.window_edges.front();
  starts.end = model.window_edges.back();
  try {
    if (window_size(model, model.subdomains).unknowns > kMostUnknowns) return {};
    const Context context = Context::of_one_thread();
    const ResolvedStart at_start = resolved_start(context, the_case, model, plan, points.front());
    const double span = starts.end - starts.start;
    const WallSlip slip = wall_slip(context, model, plan, at_start.subdomains, points.front(), starts.start,
                                    model.window_edges[1] - starts.start, at_start.state);
    double size = 0.0, largest = 0.0;
    for (std::size_t f = 0; f < unknowns.size(); ++f)
      if (slip.driven[f]) {
        size = std::max({size, slip.values[f], slip.rates[f] * span});
        largest = std::max(largest, slip.slip[f]);
      }
    logger().debug("slip of the initial acceleration along walls: {:.6g}{}", largest,
                   slip.where.empty() ? "" : " at " + slip.where);
    for (std::size_t f = 0; f < unknowns.size(); ++f)
      starts.starts_from_rest = starts.starts_from_rest || (slip.driven[f] && slip.values[f] == 0.0);
    if (largest * span > tolerance_of_answer(the_case) * size) {
      starts.times.push_back(starts.start);
      starts.slip = largest;
      starts.where = slip.where;
    }
    for (double t : expression::kinks_along(*model.pool, data_of_flow(model, unknowns), model.time_axis()))
      starts.times.push_back(t);
  } catch (const Error& error) {
    logger().debug("slip of the initial acceleration: {}", error.what());
    return {};
  }
  if (starts.times.empty()) return {};
  starts.unknowns = unknowns;
  return starts;
}

namespace {

// Per unknown, what a slip of it is compared with: of a driven one the largest of those. rest: length of time in which
// what is not known becomes what its rate makes of it.
std::vector<double> compared_sizes(const WallSlip& slip, const std::vector<double>& sizes, double rest) {
  std::vector<double> compared(sizes.size(), 0.0);
  double velocity = 0.0;
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    compared[f] = std::max({sizes[f], slip.values[f], sizes[f] == 0.0 ? rest * slip.rates[f] : 0.0});
    if (slip.driven[f]) velocity = std::max(velocity, compared[f]);
  }
  for (std::size_t f = 0; f < sizes.size(); ++f)
    if (slip.driven[f]) compared[f] = velocity;
  return compared;
}

}  // namespace

int flow_nodes(double tolerance) {
  return std::clamp(static_cast<int>(std::ceil(std::log(1.0 / tolerance) / std::log(4.0))), kLeastNodes, kMostNodes);
}

std::vector<AxisDescription> flow_degrees(const FlowStarts& starts, const WallSlip& slip,
                                          const std::vector<double>& sizes, double tolerance, int most,
                                          std::vector<AxisDescription> subdomains) {
  const std::vector<double> compared = compared_sizes(slip, sizes, kLongestFirst * (starts.end - starts.start));
  for (const WallSlip::Layer& layer : slip.layers) {
    AxisDescription& mine = subdomains[at(layer.axis)];
    const auto field = static_cast<std::size_t>(layer.field);
    const std::size_t last = mine.edges.size() - 1;
    const double l = 0.5 * (layer.is_upper ? mine.edges[last] - mine.edges[last - 1] : mine.edges[1] - mine.edges[0]);
    if (!(compared[field] > 0.0)) continue;
    const double wanted = std::ceil(
        std::pow(kErrorOfDegree * layer.curvature * l * l / (kShareForDegree * tolerance * compared[field]), 0.25));
    if (wanted <= most) mine.degree = std::max(mine.degree, static_cast<int>(wanted));
  }
  return subdomains;
}

double first_flow_window(const FlowStarts& starts, const WallSlip& slip, const std::vector<double>& sizes,
                         double tolerance, int K) {
  const double span = starts.end - starts.start;
  double h = kLongestFirst * span;
  const std::vector<double> compared = compared_sizes(slip, sizes, h);
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    const double size = compared[f];
    if (!(size > 0.0)) continue;
    if (slip.slip[f] > 0.0)
      h = std::min(h, kShareOfTolerance * tolerance * size / (kErrorOfWindow / (K * K) * slip.slip[f]));
    if (slip.rates[f] > 0.0) h = std::min(h, kMostChange * size / slip.rates[f]);
  }
  return h;
}

std::vector<LeftOut> left_out_of(const FlowStarts& starts, const Model& model, double t, double length) {
  std::vector<LeftOut> left_out;
  for (std::size_t f = 0; f < starts.unknowns.size(); ++f)
    if (starts.unknowns[f]) {
      LeftOut one;
      one.start = t;
      one.end = starts.judged_from(t, length);
      one.unknown = model.fields[f].name;
      one.what = reason(model, starts, t, one.unknown);
      left_out.push_back(std::move(one));
    }
  return left_out;
}

std::vector<std::string> describe(const Model& model, const FlowStarts& starts) {
  std::vector<std::string> texts;
  for (double t : starts.times) {
    const std::string names = names_of(model, starts.unknowns);
    texts.push_back(fmt::format(
        "{}; the error of {} is judged from twice the length of the first window after {} = {:.6g} on (at most {:.3g} "
        "after it), and in its mean over time. Initial velocities without this slip, or forces that are switched on "
        "smoothly, avoid it",
        reason(model, starts, t, names), names, model.axes[at(model.time_axis())].name, t,
        kLatestJudged * (starts.end - starts.start)));
  }
  return texts;
}

}  // namespace gwrm
