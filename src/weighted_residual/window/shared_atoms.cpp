// What a shared window reads: its leaves, and the atoms of each of its evaluations by way of tables of the exchange.
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
  atoms.trees = plane_trees(values, z_, used);
  std::vector<SharedTable> tables;
  for (const PlaneSource& source : atoms.trees.sources)
    tables.push_back(table_of_planes(n_times_, source.at_edge() ? 1 : n_points_,
                                     unknowns_.parts()[at(values.roots()[source.root]->field)].n_columns,
                                     ranks_.size()));
  atoms.exchange = std::make_unique<WindowExchange>(std::move(tables));
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
