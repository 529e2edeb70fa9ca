#include "problems/time_spectral/places_between.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "expression/interval_evaluation.hpp"
#include "expression/sampled_axis.hpp"
#include "problems/time_spectral/data_check.hpp"

namespace gwrm {
namespace {

using expression::SampledAxis;

constexpr std::size_t kMostPlaces = 32;   // of each of the data on the same points,
constexpr std::size_t kMostFeatures = 8;  // that lie apart: more are an oscillation
constexpr std::size_t kMostOfRidges = 3;  // along one axis, of more places
constexpr double kLeastOfSeveral = 1e-3;
constexpr long kBoxesOfSearch = 4000, kBoxesOfRun = 200000;  // enclosures of one search, and of all
constexpr long kOperationsOfOneBox = 32;                     // of an expression whose boxes count once
constexpr double kOfOnePoint = 1e-7;                         // of a parameter's axis: the interval around its point
constexpr double kRatioOfPanels = 0.25, kNarrowestPanel = 1e-9;

bool varies_along(const Data& data, std::size_t axis) {
  return (data.e->facts.axes >> axis & 1u) != 0;
}

// Periodic axes are searched once around, beyond their ends too.
double on_axis(const PointsAlong& axis, double z) {
  const double length = axis.edges.back() - axis.edges.front();
  return z < axis.edges.front() ? z + length : z > axis.edges.back() ? z - length : z;
}

// Adds z unless a place no farther than so many cells is there.
void take_apart(const PointsAlong& axis, double z, double n_cells, std::vector<double>& places) {
  z = on_axis(axis, z);
  const double cell = n_cells * (axis.edges.back() - axis.edges.front()) / static_cast<double>(axis.points.size());
  if (std::none_of(places.begin(), places.end(), [&](double other) { return std::abs(other - z) < cell; }))
    places.push_back(z);
}

}  // namespace

PlacesBetween::PlacesBetween(const Model& model, std::vector<Data> data, double tolerance)
    : model_(model), data_(std::move(data)), tolerance_(tolerance), boxes_left_(kBoxesOfRun) {}

const GridPoints& PlacesBetween::places_of(std::size_t i, const std::vector<PointsAlong>& axes) {
  const Data& data = data_[i];
  std::vector<std::vector<double>> points;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    if (varies_along(data, axis)) points.push_back(axes[axis].points);
  Known& known = known_[i];
  if (known.points == points) return known.places;
  known = {std::move(points), GridPoints(axes.size())};
  double share = 0.0;
  int n_axes = 0;
  std::vector<SampledAxis> sampled;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const Axis& whole = model_.axes[axis];
    const auto& [along, edges, is_periodic] = axes[axis];
    if (along.size() > 1) {
      sampled.push_back(is_periodic ? SampledAxis::around(along, edges.back() - edges.front())
                                    : SampledAxis(along, edges));
      if (!varies_along(data, axis)) continue;
      share = std::max(
          share, (edges.back() - edges.front()) / (whole.upper - whole.lower) / static_cast<double>(along.size()));
      ++n_axes;
    } else {
      const double around = kOfOnePoint * (whole.upper - whole.lower);
      sampled.emplace_back(along, std::vector<double>{along.front() - around, along.front() + around});
    }
  }
  const double fraction =
      std::min(std::max(tolerance_ / std::max(share, tolerance_), n_axes > 1 ? kLeastOfSeveral : tolerance_),
               expression::kUnseenFraction);
  const auto n_operations = static_cast<long>(expression::IntervalEvaluation(*model_.pool, data.e).n_operations());
  const long work = std::max(1L, n_operations / kOperationsOfOneBox),
             boxes = std::min(kBoxesOfSearch, boxes_left_) / work;
  if (boxes <= 0) return known.places;
  expression::UnseenPlaces places =
      expression::find_unseen_places(*model_.pool, data.e, sampled, fraction, boxes, kMostPlaces + 1);
  boxes_left_ -= places.boxes * work;
  // A ridge is narrow along one axis, and found at many places along the others. Where a point hits a feature, the
  // polynomials through it are wrong in the cells around as well.
  const bool are_many = places.at.size() > kMostPlaces;
  std::size_t k = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (!varies_along(data, axis)) continue;
    std::vector<double> apart, features;
    for (const std::vector<double>& place : places.at) {
      take_apart(axes[axis], place[k], 1.0, apart);
      take_apart(axes[axis], place[k], kCellsOfFeature, features);
    }
    if (axes[axis].points.size() > 1 && features.size() <= (are_many ? kMostOfRidges : kMostFeatures))
      known.places[axis] = std::move(apart);
    ++k;
  }
  return known.places;
}

GridPoints PlacesBetween::between(const std::vector<PointsAlong>& axes, bool is_first) {
  GridPoints found(axes.size());
  for (std::size_t i = 0; i < data_.size(); ++i) {
    if (data_[i].initial && !is_first) continue;
    const GridPoints& places = places_of(i, axes);
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      for (double z : places[axis]) take_apart(axes[axis], z, 1.0, found[axis]);
  }
  for (std::vector<double>& along : found) std::sort(along.begin(), along.end());
  return found;
}

std::vector<CheckGrid> check_grids_toward_features(const Model& model, const Solution& solution, double tolerance,
                                                   bool is_first) {
  PlacesBetween places(model, data_of_conditions(model), tolerance);
  std::vector<CheckGrid> grids = make_check_grids(solution);
  for (CheckGrid& grid : grids) {
    std::vector<PointsAlong> axes;
    for (std::size_t axis = 0; axis < grid.points.size(); ++axis) {
      const AxisDescription description = likely_part(solution.subdomains[grid.first_window][axis]);
      axes.push_back({grid.points[axis], description.edges, make_basis(description)->is_periodic()});
      if (static_cast<int>(axis) == solution.windowed_axis())
        axes.back().edges.assign(solution.window_edges.begin() + static_cast<std::ptrdiff_t>(grid.first_window),
                                 solution.window_edges.begin() + static_cast<std::ptrdiff_t>(grid.end_window) + 1);
    }
    grid = with_points(std::move(grid), places.between(axes, is_first && &grid == &grids.front()));
  }
  return grids;
}

std::vector<double> edges_toward(const std::vector<double>& places, std::vector<double> edges, double cell) {
  const double lower = edges.front(), upper = edges.back(), least = kNarrowestPanel * (upper - lower);
  for (double z : places)
    for (double distance = cell; distance > least; distance *= kRatioOfPanels)
      for (double edge : {z - distance, z + distance})
        if (lower < edge && edge < upper) edges.push_back(edge);
  std::sort(edges.begin(), edges.end());
  std::vector<double> apart{lower};
  for (double edge : edges)
    if (edge - apart.back() > 0.5 * least) apart.push_back(edge);
  apart.back() = upper;
  return apart;
}

}  // namespace gwrm
