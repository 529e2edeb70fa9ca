// Where the points of a check may miss a feature of the data that matters to the tolerance: found by the search for
// unseen extremes (expression/unseen_extremes.hpp), used as a locator. What a feature does is judged elsewhere, by
// residuals and conditions at points that are added there.
//
// allowed   A source that leaves what its points show by a fraction f of its size, in cells that are a share s of an
//           axis, acts on the answer by its integral, about f s of the answer. So f = tolerance/s is looked for, s of
//           the axis with the widest cells, but no less than the tolerance itself, which would matter if the data were
//           a value of the answer; along several axes no less than 1e-3, for the cost. What is larger than a tenth
//           problems/unseen_data.hpp judges by itself.
// Source: docs/method.md 8.
#pragma once

#include <map>
#include <vector>

#include "output/evaluate.hpp"
#include "problems/time_spectral/check_grid.hpp"
#include "problems/unseen_data.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// The points along one axis and the edges of the subdomains, or the window, that they lie in.
struct PointsAlong {
  std::vector<double> points, edges;
  bool is_periodic = false;  // the points are equidistant
};

class PlacesBetween {
 public:
  // The data outlive this no longer than the model's pool.
  PlacesBetween(const Model& model, std::vector<Data> data, double tolerance);

  // Along each axis of the model coordinates between those points, ascending. A parameter that is solved point by point
  // has one point. Data that do not vary in time are searched again only on other points. is_first: of the run, where
  // initial values are looked at.
  GridPoints between(const std::vector<PointsAlong>& axes, bool is_first);

 private:
  const GridPoints& places_of(std::size_t i, const std::vector<PointsAlong>& axes);

  const Model& model_;
  std::vector<Data> data_;
  double tolerance_;
  long boxes_left_;
  struct Known {
    std::vector<std::vector<double>> points;
    GridPoints places;  // along each axis of the model
  };
  std::map<std::size_t, Known> known_;  // by the data
};

// Places so many cells apart are those of several features: a feature shows in the cells around as well.
inline constexpr double kCellsOfFeature = 8.0;

// Each cell between the edges around these places is divided toward the place, by a factor of 4 down to 1e-9 of the
// axis; ascending, with the edges.
std::vector<double> edges_toward(const std::vector<double>& places, std::vector<double> edges, double cell);

// make_check_grids() with points where data of conditions and initial values have features between the others.
// is_first: the solution begins the run.
std::vector<CheckGrid> check_grids_toward_features(const Model& model, const Solution& solution, double tolerance,
                                                   bool is_first);

}  // namespace gwrm
