#include "weighted_residual/window/plane_trees.hpp"

#include <algorithm>
#include <functional>

#include "core/errors.hpp"

namespace gwrm {
namespace {

using Chain = std::vector<const AtomValues::Node*>;  // from a root to an atom

bool same(const AtomValues::Node& a, const AtomValues::Node& b) {
  return a.axis == b.axis && a.key == b.key && a.point == b.point;
}

PlaneSource& source_of(PlaneTrees& trees, std::size_t root, const AtomValues::Node& along_z, bool is_mean) {
  for (PlaneSource& source : trees.sources)
    if (source.root == root && source.is_mean == is_mean && same(*source.along_z, along_z)) return source;
  return trees.sources.emplace_back(PlaneSource{root, &along_z, is_mean, {}});
}

PlaneNode& child_of(PlaneTrees& trees, PlaneNode& node, const AtomValues::Node& step) {
  for (PlaneNode& child : node.children)
    if (same(*child.operation, step)) return child;
  PlaneNode& made = node.children.emplace_back();
  made.operation = &step;
  made.number = trees.n_nodes++;
  return made;
}

void add_atom(PlaneTrees& trees, std::size_t root, int output, const Chain& chain, std::size_t z, bool is_mean) {
  const auto along_z =
      std::find_if(chain.begin(), chain.end(), [&](const AtomValues::Node* step) { return step->axis == z; });
  if (along_z == chain.end()) throw ShapeError("plane_trees: an atom without the first modal axis");
  PlaneNode* node = &source_of(trees, root, **along_z, is_mean).tree;
  for (const AtomValues::Node* step : chain)
    if (step->axis != z) node = &child_of(trees, *node, *step);
  node->outputs.push_back(output);
}

}  // namespace

PlaneTrees plane_trees(const AtomValues& atoms, std::size_t z, const PlaneReads& reads) {
  PlaneTrees trees;
  Chain chain;
  for (std::size_t root = 0; root < atoms.roots().size(); ++root) {
    const std::function<void(const AtomValues::Node&)> descend = [&](const AtomValues::Node& node) {
      if (node.output >= 0)
        for (const bool is_mean : {false, true})
          if ((is_mean ? reads.means : reads.values)[at(node.output)])
            add_atom(trees, root, node.output, chain, z, is_mean);
      for (const auto& child : node.children) {
        chain.push_back(child.get());
        descend(*child);
        chain.pop_back();
      }
    };
    descend(atoms.roots()[root]->space);
  }
  return trees;
}

}  // namespace gwrm
