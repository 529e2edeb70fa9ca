// What a shared window reads: its leaves, and the atoms of each of its evaluations by way of tables of the exchange.
#include <algorithm>
#include <functional>

#include "core/errors.hpp"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

// Coordinates and data at the points: of the former all, of the latter as planes ask for them.
std::vector<SharedWindow::Leaf> SharedWindow::make_leaves(const std::vector<WindowSystem::Leaf>& sources) const {
  const Model& model = system_.model();
  std::vector<Leaf> leaves;
  for (const WindowSystem::Leaf& source : sources) {
    Leaf& leaf = leaves.emplace_back();
    leaf.value = source.value;
    if (source.data != nullptr)
      leaf.data = std::make_unique<PlaneData>(model, system_.discretisation(), source.data, model.time_axis(),
                                              static_cast<int>(z_));
    else
      leaf.fixed = source.fixed;
  }
  return leaves;
}

void SharedWindow::find_used_coefficients() {
  for (std::vector<bool>& used : used_)
    used.assign(static_cast<std::size_t>(system_.plan().jacobian_tape.n_outputs()), false);
  for (std::size_t row = 0; row < system_.rows().size(); ++row)
    for (const RowTerm& term : system_.rows()[row].terms)
      if (term.coefficient >= 0) used_[row_at_edge(row) ? 1 : 0][at(term.coefficient)] = true;
}

void SharedWindow::prepare(Atoms& atoms, const AtomValues& values, const std::vector<bool>& used,
                           bool with_state) const {
  atoms.values = &values;
  atoms.with_state = with_state;
  atoms.at_edge.assign(static_cast<std::size_t>(values.size()), false);
  std::vector<const AtomValues::Node*> chain;
  for (std::size_t root = 0; root < values.roots().size(); ++root) {
    const std::function<void(const AtomValues::Node&)> descend = [&](const AtomValues::Node& node) {
      if (node.output >= 0 && used[at(node.output)]) add_atom(atoms, node.output, static_cast<int>(root), chain);
      for (const auto& child : node.children) {
        chain.push_back(child.get());
        descend(*child);
        chain.pop_back();
      }
    };
    descend(values.roots()[root]->space);
  }
  std::vector<SharedTable> tables;
  for (const Source& source : atoms.sources)
    tables.push_back(table_of_planes(n_times_, source.at_edge ? 1 : n_points_,
                                     unknowns_.parts()[at(values.roots()[at(source.root)]->field)].n_columns,
                                     ranks_.size()));
  atoms.exchange = std::make_unique<WindowExchange>(std::move(tables));
}

// What is done along z comes first here, whatever its place in the chain: products along different axes commute.
void SharedWindow::add_atom(Atoms& atoms, int output, int root,
                            const std::vector<const AtomValues::Node*>& chain) const {
  const auto along_z =
      std::find_if(chain.begin(), chain.end(), [&](const AtomValues::Node* node) { return node->axis == z_; });
  if (along_z == chain.end()) throw ShapeError("SharedWindow: an atom without the first modal axis");
  const BlockMatrix& matrix = (*along_z)->matrix;
  auto source = std::find_if(atoms.sources.begin(), atoms.sources.end(), [&](const Source& one) {
    return one.root == root && one.tree->operation->key == (*along_z)->key &&
           one.tree->operation->point == (*along_z)->point;
  });
  if (source == atoms.sources.end()) {
    Source made;
    made.root = root;
    made.at_edge = matrix.rows == 1;
    made.along_z = matrix;
    made.tree = std::make_unique<PlaneNode>();
    made.tree->operation = *along_z;
    atoms.sources.push_back(std::move(made));
    source = atoms.sources.end() - 1;
  }
  PlaneNode* node = source->tree.get();
  for (const AtomValues::Node* step : chain) {
    if (step->axis == z_) continue;
    const auto known = std::find_if(node->children.begin(), node->children.end(), [&](const auto& child) {
      return child->axis == step->axis && child->operation->key == step->key && child->operation->point == step->point;
    });
    if (known != node->children.end()) {
      node = known->get();
      continue;
    }
    auto made = std::make_unique<PlaneNode>();
    made->number = atoms.n_nodes++;
    made->axis = step->axis;
    made->operation = step;
    node->children.push_back(std::move(made));
    node = node->children.back().get();
  }
  node->outputs.push_back(output);
  atoms.at_edge[at(output)] = source->at_edge;
}

void SharedWindow::take_state() {
  const int rank = ranks_.rank();
  for (std::size_t field = 0; field < system_.state().size(); ++field) {
    states_.emplace_back();
    for (const Array& start : system_.state()[field]) {
      const SharedVectors::Part& part = unknowns_.parts()[field];
      std::vector<double>& own = states_.back().emplace_back();
      unknowns_.for_each_block(field, rank, [&](Index first, Index, Index width) {
        for (Index line = 0; line < part.n_lines / n_times_; ++line) {
          const auto from = start.data.begin() + line * part.n_columns + first;
          own.insert(own.end(), from, from + width);
        }
      });
    }
  }
}

// The initial state's share of the integrals in time, in a block of columns `place` behind the field's first.
void SharedWindow::add_state(const AtomValues::Root& root, Index place, Index width, double* in_time) const {
  const Index n_z = unknowns_.parts()[at(root.field)].n_lines / n_times_;
  for (const auto& [m, column] : root.state) {
    const double* from = states_[at(root.field)][at(m)].data() + place / n_times_;
    for (Index time = 0; time < n_times_; ++time)
      for (Index i = 0; i < n_z * width; ++i) in_time[time * n_z * width + i] += column(time, 0) * from[i];
  }
}

}  // namespace gwrm
