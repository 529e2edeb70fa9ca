#include "problems/time_spectral/data_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>
#include <unordered_set>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "expression/kinks.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/places_between.hpp"
#include "problems/time_spectral/time_kinks.hpp"
#include "weighted_residual/model/characteristic_walls.hpp"

namespace gwrm {
namespace {

constexpr double kOnEdge = 1e-9;  // of the axis: a kink whose digits the file gives is the file's edge
constexpr int kFinerDegrees = 4;  // what so many times the first degree does not see, tails do not see either
// More unseen extremes are an oscillation: its points differ, and tails see that.
constexpr std::size_t kMaxFeatures = 8;
constexpr double kOfTolerance = 0.1;                 // what the answer is to be solved to, features included
constexpr int kCells = 1000, kCellsOfSeveral = 100;  // along each axis, of the search for smaller ones
constexpr std::size_t kMostCutsToFeature =
    8;  // toward an extreme that is narrower than the points beside an edge on it
constexpr double kRatioToFeature = 0.15, kNarrowest = 100.0;
constexpr long kBoxes = 5000;  // of each of the data: they are checked again when the run is done

bool is_edge(const std::vector<double>& edges, double z) {
  const double near = kOnEdge * (edges.back() - edges.front());
  return std::any_of(edges.begin(), edges.end(), [&](double edge) { return std::abs(edge - z) <= near; });
}

void add_edge(std::vector<double>& edges, double z) {
  if (!is_edge(edges, z)) edges.insert(std::upper_bound(edges.begin(), edges.end(), z), z);
}

// Cuts both neighbours of the edge at z toward it.
void grade_toward(std::vector<double>& edges, double z) {
  const double near = kOnEdge * (edges.back() - edges.front());
  const auto edge = std::find_if(edges.begin(), edges.end(), [&](double e) { return std::abs(e - z) <= near; });
  const double at = *edge, below = edge == edges.begin() ? at : *std::prev(edge),
               above = std::next(edge) == edges.end() ? at : *std::next(edge);
  // By the same length on both sides, which then see as much of it.
  const double cut =
      kRatioToFeature * std::min(at > below ? at - below : above - at, above > at ? above - at : at - below);
  if (cut < kNarrowest * near) return;
  if (at > below) add_edge(edges, at - cut);
  if (above > at) add_edge(edges, at + cut);
}

bool can_be_divided(const Model& model, int axis) {
  return model.axes[axis].kind == AxisKind::space && make_basis(model.subdomains[axis])->can_be_divided() &&
         !is_closed_by_equation(model, axis);
}

// Edges at features that are smaller, as far as the tolerance feels them: of data along one axis, at two distances of
// points, and of all others. Those near an edge or a kink that is there have theirs.
void add_smaller_features(const Case& the_case, const Model& model, const std::vector<Data>& data,
                          const std::vector<std::vector<double>*>& divisible) {
  std::vector<std::vector<double>> there(divisible.size()), found(divisible.size());
  for (std::size_t axis = 0; axis < divisible.size(); ++axis) {
    if (divisible[axis] == nullptr) continue;
    there[axis] = *divisible[axis];
    if (static_cast<int>(axis) == model.time_axis())
      for (double t : times_of_kinks(model)) add_edge(there[axis], t);  // the march stops there
  }
  for (const int n : {kCells, kCells / 5, kCellsOfSeveral}) {
    const bool along_one = n != kCellsOfSeveral;
    std::vector<PointsAlong> axes;
    for (std::size_t axis = 0; axis < divisible.size(); ++axis) {
      const AxisDescription part = likely_part(model.subdomains[axis]);
      const double lower = model.axes[axis].lower, upper = model.axes[axis].upper;
      axes.push_back({{}, {lower, upper}, divisible[axis] == nullptr && make_basis(part)->is_periodic()});
      std::vector<double>& edges = axes.back().edges;
      if (model.is_collocated(static_cast<int>(axis))) edges = {part.edges.front(), part.edges.back()};
      const double first = edges.front(), last = edges.back(), cell = (last - first) / n;
      for (int i = 0; i < n; ++i) axes.back().points.push_back(first + cell * (i + 0.5));
      for (double edge : there[axis])  // with points between
        if (edge - *std::prev(edges.end(), 2) > 2.0 * cell && last - edge > 2.0 * cell)
          edges.insert(std::prev(edges.end()), edge);
    }
    std::vector<Data> chosen;
    for (const Data& each : data) {
      bool is_along_divisible = false;
      for (std::size_t axis = 0; axis < divisible.size(); ++axis)
        is_along_divisible |= divisible[axis] != nullptr && (each.e->facts.axes >> axis & 1u) != 0;
      if (is_along_divisible && !each.exact && std::has_single_bit(each.e->facts.axes) == along_one)
        chosen.push_back(each);
    }
    const GridPoints places =
        PlacesBetween(model, std::move(chosen), kOfTolerance * the_case.verification.tolerance).between(axes, true);
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
      if (divisible[axis] == nullptr) continue;
      const double near = kCellsOfFeature * (axes[axis].edges.back() - axes[axis].edges.front()) / n;
      const auto is_near = [&](double z, const auto& all) {
        return std::any_of(all.begin(), all.end(), [&](double other) { return std::abs(other - z) < near; });
      };
      for (double z : places[axis])
        if (!is_near(z, std::span(there[axis]).subspan(1, there[axis].size() - 2)) && !is_near(z, found[axis]))
          found[axis].push_back(z);
    }
  }
  for (std::size_t axis = 0; axis < found.size(); ++axis)
    if (found[axis].size() <= kMaxFeatures)
      for (double z : found[axis]) add_edge(*divisible[axis], z);
}

}  // namespace

std::vector<double> kinks_along(const Model& model, int axis) {
  std::vector<expression::Expr> texts;
  for (const EquationModel& equation : model.equations) texts.push_back(equation.residual);
  for (const ConditionModel& condition : model.conditions) texts.push_back(condition.residual);
  for (const FieldModel& field : model.fields) texts.insert(texts.end(), field.initial.begin(), field.initial.end());
  return expression::kinks_along(*model.pool, texts, axis);
}

Model with_edges_at_features(const Case& the_case, Model model) {
  if (!the_case.resolution.automatic()) return model;
  const int time = model.time_axis();
  std::vector<std::vector<double>*> divisible(model.axes.size(), nullptr);
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    std::vector<double>& edges = axis == time ? model.window_edges : model.subdomains[axis].edges;
    if (axis == time ? model.whole_time : !can_be_divided(model, axis)) continue;
    if (the_case.domain[at(axis)].edges.size() <= 2) divisible[axis] = &edges;
    if (axis == time) continue;  // the march stops at kinks by itself
    const std::vector<double> kinks = kinks_along(model, axis);
    if (2 * kinks.size() > static_cast<std::size_t>(the_case.resolution.max_domains)) continue;
    for (double z : kinks) add_edge(edges, z);
  }

  const std::vector<AxisDescription> subdomains = model.subdomains;
  const std::vector<double> window_edges = model.window_edges;
  const std::vector<Data> data = data_of(model);
  std::unordered_set<expression::Expr> found;
  for (std::size_t i = 0; i <= kMaxFeatures + kMostCutsToFeature; ++i) {
    std::vector<AxisDescription> finer = model.subdomains;
    for (std::size_t axis = 0; axis < finer.size(); ++axis)
      if (divisible[axis] != nullptr) finer[axis].degree *= kFinerDegrees;
    bool is_new = false, remains = false;
    std::vector<UnseenData> all = find_unseen_data(model, data, finer, model.window_edges, kBoxes);
    // What is known to be narrow along its only axis is to be seen by the points that the run begins with.
    std::vector<Data> narrow;
    for (const Data& each : data)
      if (found.contains(each.e) && std::has_single_bit(each.e->facts.axes) &&
          std::none_of(all.begin(), all.end(), [&](const UnseenData& one) { return one.e == each.e; }))
        narrow.push_back(each);
    for (UnseenData& unseen : find_unseen_data(model, narrow, model.subdomains, model.window_edges, kBoxes))
      all.push_back(std::move(unseen));
    for (const UnseenData& unseen : all) {
      remains = remains || found.contains(unseen.e);
      for (const auto& [axis, z] : unseen.at) {
        if (divisible[axis] == nullptr) continue;
        std::vector<double>& edges = *divisible[axis];
        const std::size_t n_before = edges.size();
        if (is_edge(edges, z))
          grade_toward(edges, z);
        else
          add_edge(edges, z);
        if (edges.size() == n_before) continue;
        found.insert(unseen.e);
        is_new = true;
      }
    }
    if (is_new) continue;
    if (remains) break;  // edges do not show it
    add_smaller_features(the_case, model, data, divisible);
    return model;
  }
  model.subdomains = subdomains;
  model.window_edges = window_edges;
  return model;
}

std::string describe_kinks_on_undivided_axes(const Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (model.axes[axis].kind != AxisKind::space || can_be_divided(model, axis)) continue;
    const std::vector<double> kinks = kinks_along(model, axis);
    if (kinks.empty()) continue;
    return fmt::format(
        "the data have a kink or a jump at {0} = {1:.10g}{2}, and {0} with basis: {3} cannot be divided there: its "
        "series converge slowly. Make the data smooth, or leave the basis out: with periodic conditions and edges of "
        "resolution.domains.{0} on such points they converge fast",
        model.axes[axis].name, kinks.front(),
        kinks.size() > 1 ? fmt::format(" and {} more points", kinks.size() - 1) : "", model.subdomains[axis].basis);
  }
  return {};
}

std::string describe_kinks_inside_subdomains(const Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!can_be_divided(model, axis)) continue;
    const std::vector<double>& edges = model.subdomains[axis].edges;
    std::vector<double> inside;
    for (double z : kinks_along(model, axis))
      if (!is_edge(edges, z)) inside.push_back(z);
    if (inside.empty()) continue;
    return fmt::format(
        "the data have a kink or a jump at {0} = {1:.10g}{2}, within a subdomain: the series in {0} converge slowly "
        "there; put edges of resolution.domains.{0} on such points, or give resolution.tolerance, which does",
        model.axes[axis].name, inside.front(),
        inside.size() > 1 ? fmt::format(" and {} more points", inside.size() - 1) : "");
  }
  return {};
}

}  // namespace gwrm
