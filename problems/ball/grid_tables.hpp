// The transforms between the unknowns of some nodes of time and fields on points, and back, as lists of matrix products
// (kernels/transform/ragged_products.hpp): sphere_transform.hpp with all nodes, parts, degrees and orders in one pass a
// direction.
//
// Radius    the tables are of the functions that meet the conditions, so that unknowns go in and tested moments come
// out:
//           what BallSpace::to_series() and test() do is in them, as are l (l+1), powers of the radius and weights.
// Fields    scalar Theta: value. Vector, with T, P: B_r from l (l+1) P/(r R), B_theta and B_phi from (r P)'/(r R) and
// T.
//           Curl: the same with T in the place of P and -Lapl P / R^2 in that of T (vector_fields.hpp).
// Arrays    stage    [slot][order c][l][node][r], a slot for every function of r;
//           rows     [component][order c][theta][node][r];
//           values   [component][phi][theta][node][r].
// Steps     to points: radius (unknowns -> stage), polar (stage -> rows), azimuth (rows -> values); back: azimuth
// (values
//           -> rows), polar (rows -> stage), radius (stage -> tested unknowns, added).
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/transform/ragged_products.hpp"
#include "problems/ball/grid_products.hpp"

namespace gwrm::ball {

// Extents of the arrays, and how many numbers of each a node takes.
struct GridSizes {
  Index n_radii = 0, n_theta = 0, n_phi = 0, n_orders = 0, n_degrees = 0;  // n_degrees: l = 0 .. L
  Index n_components = 0, n_results = 0, n_field_slots = 0, n_target_slots = 0;
  Index n_functions = 0;  // of r, at most

  GridSizes(const BallSpace& space, const GridProducts& products);

  Index n_points() const { return n_phi * n_theta * n_radii; }
  Index stage() const { return std::max(n_field_slots, n_target_slots) * n_orders * n_degrees * n_radii; }
  Index rows() const { return std::max(n_components, n_results) * n_orders * n_theta * n_radii; }
  Index values() const { return n_components * n_points(); }
  Index results() const { return n_results * n_points(); }
  // Of all tables together, nearly.
  Index tables() const;
};

class GridTables {
 public:
  GridTables(const BallSpace& space, double radius, const GridProducts& products);

  // All matrices. The lists below name places in it.
  const std::vector<double>& numbers() const { return numbers_; }

  struct Lists {
    RaggedProducts radius, polar, azimuth;
  };
  // For so many nodes at a time, the unknowns of which follow each other at BallSpace::unknowns().size().
  Lists to_points(Index n_nodes) const;
  Lists from_points(Index n_nodes) const;

  const GridSizes& sizes() const { return sizes_; }

 private:
  enum Polar { kValue, kAlong, kAround };
  // A slot of the stage: which function of r of which part.
  struct Slot {
    std::size_t part = 0;
    std::vector<std::int64_t> tables;  // by l: where it stands; -1: the part has no such l
  };
  // A share of a component, or of a slot on the way back: the table of theta times another row of orders.
  struct Share {
    std::size_t of = 0;  // slot, or component
    Polar polar = kValue;
    double sign = 1.0;
    bool turned = false;  // from the order that dY/dphi comes from
  };
  using Shares = std::vector<std::vector<Share>>;

  Slot make_slot(std::size_t part, RadialFunction function, double factor, int power_of_degrees, bool test);
  std::int64_t keep(const Matrix& matrix);
  void add_fields(double radius);
  void add_targets(double radius);
  void add_polar_tables();
  Index first_l(std::size_t part, Index c) const;
  // [component][n_from][theta][row] -> [component][n_to][theta][row] by a table n_to x n_from.
  RaggedProducts along_azimuth(std::int64_t table, Index n_to, Index n_from, Index n_components, Index row) const;

  const BallSpace& space_;
  const GridProducts& products_;
  Degrees degrees_;
  Orders orders_;
  GridSizes sizes_;
  std::vector<double> numbers_;
  std::vector<Slot> field_slots_, target_slots_;
  Shares field_shares_, target_shares_;  // by component; by slot
  // By sign (+, -), kind, place of m: theta x l to points, l x theta back.
  std::array<std::array<std::vector<std::int64_t>, 3>, 2> polar_, polar_tests_;
  std::int64_t azimuth_ = 0, azimuth_test_ = 0;
};

}  // namespace gwrm::ball
