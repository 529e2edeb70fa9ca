// Products of fields on the points of a grid in the sphere, on the device: unknowns of all nodes to points, products,
// and what the equations are tested with back.
//
// Contract: problems/ball/grid_tables.hpp, problems/ball/grid_products.hpp
//
// Some nodes of time are treated together: few enough for the arrays between the steps to stay small (and in the
// device's cache), enough of them to fill it. Everything goes to the stream; nothing waits.
#pragma once

#include "weighted_residual/device/device_atoms.cuh"
//
#include <vector>

#include "kernels/transform/device_ragged_products.cuh"
#include "problems/ball/grid_tables.hpp"

namespace gwrm::cuda {

// Arrays between the steps, of several grids that take turns.
struct GridRoom {
  DeviceArray stage, rows, values;
};
// Numbers of each for `n_nodes` nodes at a time.
struct GridRoomSizes {
  std::size_t stage = 0, rows = 0, values = 0;
  void enlarge(const ball::GridSizes& of_node, Index n_nodes);
  std::size_t all() const { return stage + rows + values; }
};

inline constexpr int kMaxGridProducts = 16;

class DeviceGrid {
 public:
  // n_together: nodes at a time. Its tables are there after matrices.send().
  DeviceGrid(DeviceTools& tools, DeviceMatrices& matrices, const ball::BallSpace& space, double radius,
             const ball::GridProducts& products, Index n_together);

  void enlarge(GridRoomSizes& sizes) const { sizes.enlarge(tables_.sizes(), n_together_); }
  // rates (nodes x unknowns) += <phi, products> of the fields x, both on the device.
  void add_products(const GridRoom& room, const double* x, double* rates);
  // Keeps the fields at x; afterwards rates += the derivative there along v. Products with given vectors keep nothing.
  void linearise(const GridRoom& room, const double* x);
  void add_derivative(const GridRoom& room, const double* v, double* rates);

  // By value to the kernel. Places count in components.
  struct List {
    struct Product {
      int left, right;
      int right_components, target;
      double factor;
    };
    Product products[kMaxGridProducts];
    int n_products = 0, n_targets = 0;
  };

 private:
  enum class What { of_given, square, derivative };
  struct Transforms {
    DeviceRaggedProducts radius, polar, azimuth;
  };
  // For this many nodes.
  struct Pass {
    Index n_nodes = 0;
    Transforms to_points, from_points;
  };
  Transforms make(const ball::GridTables::Lists& lists, DeviceMatrices& matrices) const;
  const Pass& pass_of(Index n_nodes) const {
    return n_nodes == passes_.front().n_nodes ? passes_.front() : passes_.back();
  }
  template <class Visit>
  void in_passes(const Visit& visit) const;
  void to_points(const Pass& pass, const GridRoom& room, const double* x, double* values) const;
  void test(const Pass& pass, const GridRoom& room, What what, const double* at, double* rates) const;

  DeviceTools& tools_;
  ball::GridProducts products_;
  ball::GridTables tables_;
  Index n_nodes_, n_together_, n_unknowns_;
  bool of_given_;
  List list_;
  const double *numbers_ = nullptr, *given_ = nullptr;
  std::vector<Pass> passes_;  // of n_together_ nodes, and of what is left
  DeviceArray at_;            // values, pass by pass
};

}  // namespace gwrm::cuda
