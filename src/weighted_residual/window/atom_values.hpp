// Values of many atoms (derivatives and restrictions of the fields) at the points of a window, from its unknowns.
//
// The transforms along the axes form a tree, so that u, dx(u), dx(u,2) share the one along t, and u_xy the one along y
// with u_y. Where a state is given, its share of the time integrals is added at the root, before any transform in
// space. On the device: weighted_residual/device/device_atoms.cuh.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/buffer.hpp"
#include "expression/lowering.hpp"
#include "weighted_residual/window/discretisation.hpp"
#include "weighted_residual/window/field_layout.hpp"

namespace gwrm {

class AtomValues {
 public:
  AtomValues(const Model& model, const Discretisation& discretisation)
      : model_(model), discretisation_(discretisation) {}

  // The place of the atom's values in the result of evaluate(); equal atoms share one.
  int add(const expression::Atom& atom);
  // The atom's coefficients along an axis (no derivative there) in place of its values: extent n_unknowns.
  int add_coefficients(const expression::Atom& atom, int axis);
  // The coefficients of its field in space, with the atom's derivative in time; where it is not restricted.
  int add_coefficients(const expression::Atom& atom);
  // What a matrix makes of the coefficients of a field along an axis, as jumps at the inner edges: extent line.rows.
  // key: its number, from -1000 to 999, and factor: both equal for equal matrices only.
  int add_line(int field, int axis, int key, const BlockMatrix& line, double factor = 1.0);
  int size() const { return n_outputs_; }

  // The fields at the points in time, still coefficients in space: what the trees start from.
  // state: null for a direction, which has no initial values.
  std::vector<Array> in_time(const std::vector<FieldLayout>& layouts, std::span<const double> x,
                             const State* state) const;

  // Where values of atoms are kept; used again, it allocates nothing.
  struct Memory {
    std::vector<ArrayView> values;  // one per atom
    std::vector<Buffer> buffers;    // one per node of the trees
  };
  // One tensor per atom, at one of the points in time (which must be the first axis) or at all of them (-1): extents
  // n_points along the axes of its field, 1 where restricted or absent. They live as long as `starts` and `memory`.
  void in_space(const std::vector<Array>& starts, Index time, Memory& memory) const;

  // The tree: what is done along time at a root, then along the axes of space from node to node.
  struct Node {
    std::size_t number = 0;
    std::size_t axis = 0;
    int key = 0;  // derivative order; restrictions and lines have numbers of their own
    double point = 0.0;
    BlockMatrix matrix;
    std::vector<std::unique_ptr<Node>> children;
    int output = -1;

    void set(BlockMatrix operation) {
      matrix = std::move(operation);
      matrix.split_parity();
    }
  };
  struct Root {
    int field = -1;
    bool restricted = false;
    int order = 0;
    double point = 0.0;
    BlockMatrix time;
    std::vector<std::pair<int, Matrix>> state;  // order m of the state and its matrix
    Node space;
  };
  const std::vector<std::unique_ptr<Root>>& roots() const { return roots_; }

 private:
  Root& root_of(const expression::Atom& atom);
  Node& child_of(Node& node, std::size_t axis, int key, double point, bool& is_new);
  static int output_of(Node& node, int& count);
  Array time_values(const Root& root, const std::vector<FieldLayout>& layouts, std::span<const double> x,
                    const State* state) const;
  static void descend(const Node& node, const ArrayView& values, Memory& memory);

  const Model& model_;
  const Discretisation& discretisation_;
  std::vector<std::unique_ptr<Root>> roots_;
  int n_outputs_ = 0;
  std::size_t n_nodes_ = 0;
};

}  // namespace gwrm
