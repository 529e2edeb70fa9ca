// What a shared window reads: its leaves, and the atoms of each of its evaluations by way of tables of the exchange, in
// the planes of the rows that read them.
#include <algorithm>
#include <functional>

#include "weighted_residual/window/shared_rows.hpp"
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

std::size_t SharedWindow::kind_with(Index n_points) {
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
    if (kinds_[kind].n_points == n_points) return kind;
  kinds_.push_back({n_points, Shares::even(n_times_ * n_points, ranks_.size()), false,
                    std::vector<bool>(static_cast<std::size_t>(system_.plan().jacobian_tape.n_outputs()), false),
                    std::vector<bool>(system_.plan().integrals.size(), false)});
  return kinds_.size() - 1;
}

void SharedWindow::find_kinds() {
  kind_with(n_points_);
  for (const RowBlock& row : system_.rows()) {
    std::size_t number = 0;
    if (is_closed(system_.model(), row, static_cast<int>(z_))) number = kind_with(1);
    if (row.line_axis == static_cast<int>(z_)) number = kind_with(row.extents[z_]);
    row_kinds_.push_back(number);
    Kind& kind = kinds_[number];
    kind.evaluates |= row.value < 0;
    const std::function<void(const std::vector<RowTerm>&)> look = [&](const std::vector<RowTerm>& terms) {
      for (const RowTerm& term : terms) {
        if (term.coefficient >= 0) kind.coefficients[at(term.coefficient)] = true;
        if (term.integral < 0) continue;
        kind.integrals[at(term.integral)] = true;
        look(system_.integral_terms()[at(term.integral)]);
      }
    };
    look(row.terms);
  }
}

void SharedWindow::note(PlaneReads& reads, int output, const expression::Atom& atom, int line_axis,
                        std::size_t row) const {
  const bool is_mean = is_closed(system_.model(), system_.rows()[row], static_cast<int>(z_)) &&
                       line_axis != static_cast<int>(z_) && !atom.restricted[z_];
  (is_mean ? reads.means : reads.values)[at(output)] = true;
}

PlaneReads SharedWindow::read_by_residual() const {
  const expression::Tape& tape = system_.plan().residual_tape;
  const auto n = static_cast<std::size_t>(system_.values().size());
  PlaneReads reads{std::vector<bool>(n, false), std::vector<bool>(n, false)};
  for (std::size_t leaf = 0; leaf < residual_leaves_.size(); ++leaf) {
    if (residual_leaves_[leaf].value < 0) continue;
    std::vector<bool> this_one(residual_leaves_.size(), false);
    this_one[leaf] = true;
    const std::vector<bool> depend = tape.depends_on(this_one);
    for (std::size_t row = 0; row < system_.plan().rows.size(); ++row)
      if (depend[row])
        note(reads, residual_leaves_[leaf].value, expression::atom_of(*system_.model().pool, tape.leaves()[leaf]), -1,
             row);
  }
  for (const RowBlock& row : system_.rows())
    for (int value : {row.value, row.other_value})
      if (value >= 0) reads.values[at(value)] = true;
  return reads;
}

PlaneReads SharedWindow::read_by_coefficients() const {
  const auto n = static_cast<std::size_t>(system_.values().size());
  PlaneReads reads{std::vector<bool>(n, false), std::vector<bool>(n, false)};
  for (const Leaf& leaf : jacobian_leaves_)
    if (leaf.value >= 0) reads.values[at(leaf.value)] = true;
  return reads;
}

PlaneReads SharedWindow::read_by_directions() const {
  const auto n = static_cast<std::size_t>(system_.directions().size());
  PlaneReads reads{std::vector<bool>(n, false), std::vector<bool>(n, false)};
  for (std::size_t row = 0; row < system_.rows().size(); ++row) {
    const std::function<void(const std::vector<RowTerm>&)> look = [&](const std::vector<RowTerm>& terms) {
      for (const RowTerm& term : terms)
        if (term.integral >= 0)
          look(system_.integral_terms()[at(term.integral)]);
        else
          note(reads, term.direction, term.atom, term.line_axis, row);
    };
    look(system_.rows()[row].terms);
  }
  return reads;
}

void SharedWindow::prepare(Atoms& atoms, const AtomValues& values, const PlaneReads& reads, bool with_state) {
  atoms.values = &values;
  atoms.with_state = with_state;
  atoms.trees = plane_trees(values, z_, reads);
  std::vector<SharedTable> tables;
  for (const PlaneSource& tree : atoms.trees.sources) {
    Source source;
    source.along_z = tree.along_z->matrix;
    if (tree.is_mean) {
      const Vector& weights = system_.discretisation().weights()[z_];
      source.along_z = Matrix((weights / weights.sum()).transpose() * source.along_z.dense());
    }
    source.kind = kind_with(source.along_z.rows);
    tables.push_back(table_of_planes(n_times_, kinds_[source.kind].n_points,
                                     unknowns_.parts()[at(values.roots()[tree.root]->field)].n_columns, ranks_.size()));
    atoms.sources.push_back(std::move(source));
  }
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
