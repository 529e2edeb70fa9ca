// What a shared window reads: its leaves, and the atoms of each of its evaluations by way of tables of the exchange, in
// the planes of the rows that read them.
#include <algorithm>
#include <functional>

#include "core/errors.hpp"
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

void SharedWindow::note(Reads& reads, int output, const expression::Atom& atom, int line_axis, std::size_t row) const {
  const bool is_mean = is_closed(system_.model(), system_.rows()[row], static_cast<int>(z_)) &&
                       line_axis != static_cast<int>(z_) && !atom.restricted[z_];
  (is_mean ? reads.means : reads.values)[at(output)] = true;
}

SharedWindow::Reads SharedWindow::read_by_residual() const {
  const expression::Tape& tape = system_.plan().residual_tape;
  const auto n = static_cast<std::size_t>(system_.values().size());
  Reads reads{std::vector<bool>(n, false), std::vector<bool>(n, false)};
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

SharedWindow::Reads SharedWindow::read_by_coefficients() const {
  const auto n = static_cast<std::size_t>(system_.values().size());
  Reads reads{std::vector<bool>(n, false), std::vector<bool>(n, false)};
  for (const Leaf& leaf : jacobian_leaves_)
    if (leaf.value >= 0) reads.values[at(leaf.value)] = true;
  return reads;
}

SharedWindow::Reads SharedWindow::read_by_directions() const {
  const auto n = static_cast<std::size_t>(system_.directions().size());
  Reads reads{std::vector<bool>(n, false), std::vector<bool>(n, false)};
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

void SharedWindow::prepare(Atoms& atoms, const AtomValues& values, const Reads& reads, bool with_state) {
  atoms.values = &values;
  atoms.with_state = with_state;
  std::vector<const AtomValues::Node*> chain;
  for (std::size_t root = 0; root < values.roots().size(); ++root) {
    const std::function<void(const AtomValues::Node&)> descend = [&](const AtomValues::Node& node) {
      if (node.output >= 0)
        for (const bool is_mean : {false, true})
          if ((is_mean ? reads.means : reads.values)[at(node.output)])
            add_atom(atoms, node.output, static_cast<int>(root), chain, is_mean);
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
    tables.push_back(table_of_planes(n_times_, kinds_[source.kind].n_points,
                                     unknowns_.parts()[at(values.roots()[at(source.root)]->field)].n_columns,
                                     ranks_.size()));
  atoms.exchange = std::make_unique<WindowExchange>(std::move(tables));
}

// What is done along z comes first here, whatever its place in the chain: products along different axes commute.
void SharedWindow::add_atom(Atoms& atoms, int output, int root, const std::vector<const AtomValues::Node*>& chain,
                            bool is_mean) {
  const auto along_z =
      std::find_if(chain.begin(), chain.end(), [&](const AtomValues::Node* node) { return node->axis == z_; });
  if (along_z == chain.end()) throw ShapeError("SharedWindow: an atom without the first modal axis");
  const BlockMatrix& matrix = (*along_z)->matrix;
  auto source = std::find_if(atoms.sources.begin(), atoms.sources.end(), [&](const Source& one) {
    return one.root == root && one.is_mean == is_mean && one.tree->operation->key == (*along_z)->key &&
           one.tree->operation->point == (*along_z)->point;
  });
  if (source == atoms.sources.end()) {
    Source made;
    made.root = root;
    made.is_mean = is_mean;
    if (is_mean) {
      const Vector& weights = system_.discretisation().weights()[z_];
      made.along_z = Matrix((weights / weights.sum()).transpose() * matrix.dense());
    } else {
      made.along_z = matrix;
    }
    made.kind = kind_with(made.along_z.rows);
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
