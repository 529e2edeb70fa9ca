#include "weighted_residual/window/atom_values.hpp"

#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {

using expression::Atom;

namespace {

constexpr int kRestricted = 1000;  // + derivative order
constexpr int kLine = 3000;

}  // namespace

AtomValues::Root& AtomValues::root_of(const Atom& atom) {
  const int time = model_.time_axis();
  const FieldModel& field = model_.fields[atom.field];
  const bool timed = time >= 0 && field.depends_on(time);
  const int order = timed ? atom.orders[time] : 0;
  const bool restricted = timed && atom.restricted[time];
  const double point = restricted ? atom.points[time] : 0.0;
  for (const auto& root : roots_)
    if (root->field == atom.field && root->order == order && root->restricted == restricted && root->point == point)
      return *root;
  auto root = std::make_unique<Root>();
  root->field = atom.field;
  root->order = order;
  root->restricted = restricted;
  root->point = point;
  root->time = timed ? discretisation_.time_trial(atom, field) : BlockMatrix::unit(1);
  for (int m = order; timed && m < field.time_order; ++m)
    root->state.emplace_back(m, discretisation_.state_trial(atom, m));
  roots_.push_back(std::move(root));
  return *roots_.back();
}

AtomValues::Node& AtomValues::child_of(Node& node, std::size_t axis, int key, double point, bool& is_new) {
  for (const auto& child : node.children)
    if (child->axis == axis && child->key == key && child->point == point) {
      is_new = false;
      return *child;
    }
  node.children.push_back(std::make_unique<Node>());
  Node& child = *node.children.back();
  child.number = n_nodes_++;
  child.axis = axis;
  child.key = key;
  child.point = point;
  is_new = true;
  return child;
}

int AtomValues::output_of(Node& node, int& count) {
  if (node.output < 0) node.output = count++;
  return node.output;
}

int AtomValues::add(const Atom& atom) {
  const FieldModel& field = model_.fields[atom.field];
  Node* node = &root_of(atom).space;
  // Restrictions first: they shrink the tensor.
  for (bool restricted : {true, false}) {
    for (int axis : field.axes) {
      if (!model_.is_modal(axis) || atom.restricted[axis] != restricted) continue;
      bool is_new = false;
      const int order = atom.orders[axis];
      node = &child_of(*node, at(axis), order + (restricted ? kRestricted : 0), restricted ? atom.points[axis] : 0.0,
                       is_new);
      if (is_new) node->set(discretisation_.trial(axis, atom, field));
    }
  }
  return output_of(*node, n_outputs_);
}

int AtomValues::add_coefficients(const Atom& atom, int axis) {
  const FieldModel& field = model_.fields[atom.field];
  Node* node = &root_of(atom).space;
  for (int other : field.axes) {
    if (!model_.is_modal(other) || other == axis) continue;
    bool is_new = false;
    const bool restricted = atom.restricted[other];
    node = &child_of(*node, at(other), atom.orders[other] + (restricted ? kRestricted : 0),
                     restricted ? atom.points[other] : 0.0, is_new);
    if (is_new) node->set(discretisation_.trial(other, atom, field));
  }
  return output_of(*node, n_outputs_);
}

int AtomValues::add_coefficients(const Atom& atom) {
  return output_of(root_of(atom).space, n_outputs_);
}

int AtomValues::add_line(int field, int axis, int key, const BlockMatrix& line, double factor) {
  const std::size_t n = model_.axes.size();
  const Atom atom{field, false, std::vector<int>(n, 0), std::vector<bool>(n, false), std::vector<double>(n, 0.0)};
  Node* node = &root_of(atom).space;
  bool is_new = false;
  node = &child_of(*node, at(axis), key + kLine, factor, is_new);
  if (is_new) node->set(line);
  for (int other : model_.fields[field].axes) {
    if (!model_.is_modal(other) || other == axis) continue;
    node = &child_of(*node, at(other), 0, 0.0, is_new);
    if (is_new) node->set(discretisation_.trial(other, atom, model_.fields[field]));
  }
  return output_of(*node, n_outputs_);
}

Array AtomValues::time_values(const Root& root, const std::vector<FieldLayout>& layouts, std::span<const double> x,
                              const State* state) const {
  const FieldLayout& layout = layouts[root.field];
  const ArrayView unknowns(layout.extents, x.data() + layout.offset);
  const int time = model_.time_axis();
  if (time < 0 || !model_.fields[root.field].depends_on(time)) return unknowns.copy();
  Shape shape = layout.extents;
  shape[time] = root.time.rows;
  Array values(std::move(shape));
  cpu::block_transform(unknowns.data, unknowns.shape, at(time), root.time, values.data.data());
  if (state == nullptr) return values;
  for (const auto& [m, column] : root.state) {
    const Array& start = (*state)[root.field][m];  // time comes first: one block of numbers per point in time
    const std::size_t width = start.data.size();
    for (Index i = 0; i < column.rows(); ++i) {
      double* target = values.data.data() + static_cast<std::size_t>(i) * width;
      for (std::size_t k = 0; k < width; ++k) target[k] += column(i, 0) * start.data[k];
    }
  }
  return values;
}

std::vector<Array> AtomValues::in_time(const std::vector<FieldLayout>& layouts, std::span<const double> x,
                                       const State* state) const {
  std::vector<Array> starts;
  for (const auto& root : roots_) starts.push_back(time_values(*root, layouts, x, state));
  return starts;
}

void AtomValues::in_space(const std::vector<Array>& starts, Index time, Memory& memory) const {
  memory.values.resize(at(n_outputs_));
  if (memory.buffers.size() < n_nodes_) memory.buffers.resize(n_nodes_);
  for (std::size_t i = 0; i < roots_.size(); ++i)
    descend(roots_[i]->space, time < 0 ? ArrayView(starts[i]) : ArrayView(starts[i]).at_first(time), memory);
}

void AtomValues::descend(const Node& node, const ArrayView& values, Memory& memory) {
  if (node.output >= 0) memory.values[node.output] = values;
  for (const auto& child : node.children) {
    if (child->matrix.identity) {
      descend(*child, values, memory);
      continue;
    }
    Shape shape = values.shape;
    shape[child->axis] = child->matrix.rows;
    double* y = memory.buffers[child->number].reserve(element_count(shape));
    cpu::block_transform(values.data, values.shape, child->axis, child->matrix, y);
    descend(*child, {std::move(shape), y}, memory);
  }
}

}  // namespace gwrm
