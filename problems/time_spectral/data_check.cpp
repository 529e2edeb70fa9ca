#include "problems/time_spectral/data_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "basis/orthogonal_basis.hpp"
#include "expression/kinks.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "weighted_residual/model/statement_names.hpp"
#include "weighted_residual/window/discretisation.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::SampledAxis;

constexpr Index kFinerParameters = 4;
constexpr std::size_t kMaxEdges = 8, kMaxGroups = 8;

// --- points ---

std::vector<double> ascending(const Vector& points) {
  std::vector<double> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// The points of one window, from `start` to `end`, moved to every other one.
SampledAxis time_points(const Vector& points, double start, double end, const std::vector<double>& edges) {
  std::vector<double> times;
  for (std::size_t w = 0; w + 1 < edges.size(); ++w)
    for (double t : ascending(points))
      times.push_back(
          std::clamp(edges[w] + (t - start) * ((edges[w + 1] - edges[w]) / (end - start)), edges[w], edges[w + 1]));
  return {std::move(times), edges};
}

std::size_t n_windows_checked(const Model& model, const std::vector<AxisDescription>& subdomains) {
  return kMaxTimesChecked / (at(subdomains[at(model.time_axis())].degree) + 1);
}

std::vector<SampledAxis> points_of(const Model& model, const std::vector<AxisDescription>& subdomains,
                                   std::vector<double> windows) {
  const double start = windows.empty() ? 0.0 : windows[0], end = windows.empty() ? 1.0 : windows[1];
  std::vector<double> parameters(model.axes.size(), 0.0);
  for (std::size_t i = 0; i < model.axes.size(); ++i)
    parameters[i] = model.axes[i].lower;  // read for their points only
  const Discretisation grid(model, subdomains, parameters, start, end);
  if (!windows.empty()) windows.resize(std::min(windows.size(), n_windows_checked(model, subdomains) + 1));
  std::vector<SampledAxis> axes;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    const AxisDescription& description = subdomains[axis];
    if (axis == model.time_axis()) {
      axes.push_back(time_points(grid.points(axis), start, end, windows));
    } else if (model.is_collocated(axis) || distribution_of(description)) {
      const AxisDescription likely = likely_part(description);
      const auto basis = make_basis(likely);
      axes.emplace_back(ascending(basis->grid(kFinerParameters * basis->n_per_subdomain()).points), likely.edges);
    } else if (make_basis(description)->is_periodic()) {
      axes.push_back(
          SampledAxis::around(ascending(grid.points(axis)), model.axes[axis].upper - model.axes[axis].lower));
    } else {
      axes.emplace_back(ascending(grid.points(axis)), description.edges);
    }
  }
  return axes;
}

// --- what to say ---

// "{x: [0, 0.43, 1]}": the edges that are there and those that would show the data; empty where none can be put.
std::string domains_text(const Model& model, Expr e, const std::vector<std::pair<int, double>>& at,
                         const std::vector<AxisDescription>& subdomains, const std::vector<double>& windows) {
  std::string text;
  for (const auto& [axis, z] : at) {
    const bool time = axis == model.time_axis();
    if (time ? model.whole_time
             : model.axes[axis].kind != AxisKind::space || !make_basis(subdomains[axis])->can_be_divided())
      continue;
    std::vector<double> edges = time ? windows : subdomains[axis].edges;
    std::vector<double> wanted = expression::kinks_along(*model.pool, std::span(&e, 1), axis, kMaxEdges);
    if (wanted.empty() || wanted.size() > kMaxEdges) wanted = {z};
    edges.insert(edges.end(), wanted.begin(), wanted.end());
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    text += fmt::format("{}{}: [", text.empty() ? "" : ", ", model.axes[axis].name);
    if (edges.size() <= kMaxEdges)
      text += fmt::format("{:.10g}]", fmt::join(edges, ", "));
    else
      text += fmt::format("..., {:.10g}, ...]", fmt::join(wanted, ", "));
  }
  return text.empty() ? text : "{" + text + "}";
}

// Consecutive windows with the same subdomains.
struct WindowGroup {
  std::size_t first = 0, end = 1;
  Index n_coefficients = 1;
};

std::vector<WindowGroup> groups_of(const Solution& answer) {
  const int time = answer.windowed_axis();
  const auto same = [&](std::size_t a, std::size_t b) {
    for (std::size_t axis = 0; axis < answer.axes.size(); ++axis)
      if (static_cast<int>(axis) != time && answer.subdomains[a][axis] != answer.subdomains[b][axis]) return false;
    return true;
  };
  std::vector<WindowGroup> groups;
  for (std::size_t begin = 0, end = 0; begin < answer.n_windows(); begin = end) {
    while (end < answer.n_windows() && same(begin, end)) ++end;
    WindowGroup group{begin, end, 1};
    for (std::size_t axis = 0; axis < answer.axes.size(); ++axis)
      if (static_cast<int>(axis) != time) group.n_coefficients *= answer.subdomains[begin][axis].n_coefficients();
    groups.push_back(group);
  }
  if (groups.size() > kMaxGroups) {
    std::stable_sort(groups.begin() + 1, groups.end(),
                     [](const WindowGroup& a, const WindowGroup& b) { return a.n_coefficients < b.n_coefficients; });
    groups.resize(kMaxGroups);
  }
  return groups;
}

// "degree 24 along x would show it" of periodic axes, which no edges divide; empty where no degree is known to.
std::string degrees_text_of(const Model& model, Expr e, const std::vector<std::pair<int, double>>& at) {
  constexpr double kShown = 1e-2;  // what is left out
  std::string text;
  const Data data{e, {}};
  for (const DataSeries& series : series_of_data(model, std::span(&data, 1)))
    if (!series.falls_slowly(kShown) &&
        std::any_of(at.begin(), at.end(), [&](const auto& place) { return place.first == series.axis; }))
      text += fmt::format("{}degree {} along {}", text.empty() ? "" : ", ", series.degree_for(kShown),
                          model.axes[static_cast<std::size_t>(series.axis)].name);
  return text.empty() ? text : text + " would show it";
}

}  // namespace

namespace {

void add_equations(const Model& model, DataCollection& data) {
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    data.add_residual(*model.pool, model.equations[i].residual, equation_name(model, i), static_cast<int>(i));
}

void add_conditions(const Model& model, DataCollection& data) {
  for (const ConditionModel& condition : model.conditions)
    data.add_residual(*model.pool, condition.residual, shortened(condition.text.text));
  for (const FieldModel& field : model.fields)
    for (Expr initial : field.initial) data.add(initial, "the initial value of " + field.name, true);
}

}  // namespace

std::vector<Data> data_of_equations(const Model& model) {
  DataCollection data;
  add_equations(model, data);
  return data.take();
}

std::vector<Data> data_of_conditions(const Model& model) {
  DataCollection data;
  add_conditions(model, data);
  return data.take();
}

std::vector<Data> data_of(const Model& model) {
  DataCollection data;
  add_equations(model, data);
  add_conditions(model, data);
  for (const FieldModel& field : model.fields) data.add_exact(field.exact, field.name);
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    data.add_reciprocals(*model.pool, model.equations[i].residual, equation_name(model, i));
  return data.take();
}

std::vector<UnseenData> find_unseen_data(const Model& model, std::span<const Data> data,
                                         const std::vector<AxisDescription>& subdomains,
                                         const std::vector<double>& window_edges, long max_boxes) {
  if (data.empty()) return {};
  const auto shown_by = [&](Expr e, const std::vector<std::pair<int, double>>& at) {
    const std::string domains = domains_text(model, e, at, subdomains, window_edges);
    return domains.empty() ? degrees_text_of(model, e, at)
                           : "edges there would show it: resolution.domains: " + domains;
  };
  return find_unseen_data(*model.pool, data, points_of(model, subdomains, window_edges), shown_by, max_boxes);
}

namespace {

// Of runs with so many windows that not all are searched.
void warn_of_rest(const Model& model, const std::vector<AxisDescription>& subdomains,
                  const std::vector<double>& windows, std::vector<std::string>& warnings) {
  if (model.time_axis() < 0) return;
  if (const std::size_t n = n_windows_checked(model, subdomains); windows.size() > n + 1)
    warnings.push_back(fmt::format(
        "data between points were searched only up to t = {:.6g}, in {} windows: after it, only the residuals of the "
        "estimate show them",
        windows[n], n));
}

}  // namespace

std::vector<Check> check_data(const Case& the_case, const Model& model, std::vector<std::string>& warnings) {
  std::vector<Check> checks;
  if (the_case.resolution.automatic()) return checks;
  warn_of_rest(model, model.subdomains, model.window_edges, warnings);
  report_unseen(find_unseen_data(model, data_of(model), model.subdomains, model.window_edges, kMaxDataBoxes), checks,
                warnings);
  return checks;
}

std::vector<Check> check_data_of_answer(const Model& model, const Solution& answer,
                                        std::vector<std::string>& warnings) {
  std::vector<Check> checks;
  const int time = model.time_axis();
  if (time >= 0 && answer.window_edges.front() > model.window_edges.front())
    warnings.push_back(fmt::format(
        "data between points were checked from t = {:.6g} on: output.coefficients: none keeps no earlier windows",
        answer.window_edges.front()));
  warn_of_rest(model, answer.subdomains.front(), answer.window_edges, warnings);
  const auto varies = [](const Data& data, int axis) { return axis >= 0 && (data.e->facts.axes >> axis & 1u) != 0; };
  std::vector<Data> of_time, of_space;
  for (const Data& data : data_of(model))
    (time >= 0 && data.e->facts.axes == std::uint32_t{1} << time ? of_time : of_space).push_back(data);
  std::vector<UnseenData> findings =
      find_unseen_data(model, of_time, answer.subdomains.front(), answer.window_edges, kMaxDataBoxes);

  std::unordered_set<Expr> reported;  // one finding of each of the data is enough
  std::vector<std::vector<AxisDescription>> done;
  for (const WindowGroup& group : groups_of(answer)) {
    std::vector<double> windows;
    if (time >= 0)
      windows.assign(answer.window_edges.begin() + static_cast<std::ptrdiff_t>(group.first),
                     answer.window_edges.begin() + static_cast<std::ptrdiff_t>(group.end) + 1);
    std::vector<AxisDescription> space = answer.subdomains[group.first];
    if (time >= 0) space[time].edges = {0.0, 1.0};  // to be compared
    const bool is_new = std::find(done.begin(), done.end(), space) == done.end();
    done.push_back(space);
    std::vector<Data> data;
    for (const Data& each : of_space)
      if (each.initial ? group.first == 0 : varies(each, time) || is_new) data.push_back(each);
    for (UnseenData& finding : find_unseen_data(model, data, answer.subdomains[group.first], windows, kMaxDataBoxes))
      if (reported.insert(finding.e).second) findings.push_back(std::move(finding));
  }
  report_unseen(findings, checks, warnings);
  return checks;
}

}  // namespace gwrm
