// How a shared window goes from columns to planes and on: the trees of AtomValues, regrouped.
//
// Products along different axes commute. What is done along the first modal axis z comes first, whatever its place in
// the chain of an atom: of a root, each operation along z is a source, one table of the exchange to planes
// (window_layouts.hpp). Behind it lies the tree of what is done in the planes, in which atoms share the steps that
// they begin with.
#pragma once

#include <vector>

#include "weighted_residual/window/atom_values.hpp"

namespace gwrm {

struct PlaneNode {                              // a tree as AtomValues', without time and z
  const AtomValues::Node* operation = nullptr;  // null: the root
  std::size_t number = 0;                       // among all nodes but roots
  std::vector<PlaneNode> children;
  std::vector<int> outputs;  // the atoms that have these values
};

// What is read of each atom: its values, and means along z of those at the points.
struct PlaneReads {
  std::vector<bool> values, means;
};

struct PlaneSource {
  std::size_t root = 0;  // among those of the AtomValues
  const AtomValues::Node* along_z = nullptr;
  bool is_mean = false;
  PlaneNode tree;

  bool at_edge() const { return along_z->matrix.rows == 1; }  // of z: there is one plane for each point in time
};

struct PlaneTrees {
  std::vector<PlaneSource> sources;
  std::size_t n_nodes = 0;
};

// Of the atoms that are read, in the order of their trees. `atoms` outlives the result, whose operations are its own.
// ShapeError where nothing is done along z to an atom.
PlaneTrees plane_trees(const AtomValues& atoms, std::size_t z, const PlaneReads& reads);

}  // namespace gwrm
