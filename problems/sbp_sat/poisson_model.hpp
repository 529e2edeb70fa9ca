// A case of problem sbp_sat_poisson as a grid, its coefficients and conditions, and the values of everything given.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "problems/sbp_sat/grid.hpp"
#include "problems/sbp_sat/point_expressions.hpp"
#include "problems/sbp_sat/side_conditions.hpp"

namespace gwrm::sbp {

struct PoissonModel {
  std::unique_ptr<PointExpressions> expressions;
  Grid grid;
  std::vector<Points> points;             // coordinates of each block
  std::vector<double> source;             // f (times |J|) at all points
  std::vector<std::vector<double>> data;  // g of every side of the grid
  std::vector<double> exact;              // empty where none is given
  Points all_points;                      // of the domain: those of blocks one behind the other, shared ones once
  bool pure_neumann = false;

  // Index of point (j, i) of a block in an array over all_points.
  Index merged(std::size_t block, Index j, Index i) const;
  std::vector<std::size_t> first_slow, first_fast;  // where each block begins in all_points
};

// CaseError for everything that does not fit, with the place in the case file; Error with status not_finite for data
// that are not numbers.
PoissonModel build_poisson_model(const Case& the_case);

// What a model of any size costs: that of a coarse grid, from which all values at points are taken away, with the
// sizes of the wanted grid. Coefficients that vary keep their coarse values: for estimates alone.
PoissonModel outline_poisson_model(const Case& the_case);

double points_of(const Case& the_case);  // of all blocks together

// Values over the blocks -> over all_points: at interfaces the mean of both sides (of four at inner corners).
std::vector<double> merge_blocks(const PoissonModel& model, const std::vector<double>& values);

}  // namespace gwrm::sbp
