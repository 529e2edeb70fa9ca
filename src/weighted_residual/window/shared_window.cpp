#include "weighted_residual/window/shared_window.hpp"

#include <algorithm>
#include <functional>

#include "core/errors.hpp"
#include "weighted_residual/window/averaged_rows.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr double kZero = 0.0;
constexpr Index kPlanesAtOnce = 8;

// A transform of planes that follow each other along the first dimension. A product is one of a single plane, whose
// bits do not depend on how many there are. In two dimensions a plane is a single line: a fast transform takes eight
// such lines in the time of one, and they do not see each other (a ninth would be the imaginary part of the first).
void transform_planes(const double* x, const Shape& shape, std::size_t axis, const BlockMatrix& matrix, double* y) {
  Shape one = shape;
  one.front() = 1;
  const Index n = element_count(one), n_made = n / shape[axis] * matrix.rows;
  const bool fast = matrix.blocks.size() == 1 && matrix.blocks.front().series != nullptr;
  if (fast && n == shape[axis]) {
    cpu::block_transform(x, shape, axis, matrix, y);
    return;
  }
  for (Index plane = 0; plane < shape.front(); ++plane)
    cpu::block_transform(x + plane * n, one, axis, matrix, y + plane * n_made);
}

int first_modal_axis(const Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis)) return axis;
  return -1;
}

bool is_at_edge(const Model& model, const RowBlock& row) {
  return row.kind == RowBlock::Kind::condition && model.conditions[row.index].axis == first_modal_axis(model);
}

// Columns of a tensor: what lies behind the first modal axis.
Index columns_of(const Shape& extents, std::size_t z) {
  return element_count(Shape(extents.begin() + static_cast<std::ptrdiff_t>(z) + 1, extents.end()));
}
// Its lines: what lies before, and the axis itself.
Index lines_of(const Shape& extents, std::size_t z) {
  return element_count(extents) / columns_of(extents, z);
}

Index n_times_of(const WindowSystem& system) {
  return system.discretisation().time() == nullptr ? 1 : system.discretisation().n_points(0);
}

SharedVectors unknowns_of(const WindowSystem& system, std::size_t z, int n_ranks) {
  std::vector<SharedVectors::Part> parts;
  for (const FieldLayout& layout : system.layouts())
    parts.push_back({lines_of(layout.extents, z), columns_of(layout.extents, z)});
  return {std::move(parts), n_ranks};
}

SharedVectors rows_of(const WindowSystem& system, std::size_t z, int n_ranks) {
  std::vector<SharedVectors::Part> parts;
  for (const RowBlock& row : system.rows()) parts.push_back({lines_of(row.extents, z), columns_of(row.extents, z)});
  return {std::move(parts), n_ranks};
}

}  // namespace

std::string shared_unsupported_reason(const WindowSystem& system) {
  const Model& model = system.model();
  const int z = first_modal_axis(model);
  if (model.n_modal_axes() < 2) return "it has fewer than two dimensions of space";
  if (system.discretisation().n_points(z) < 2) return "it has one point along its first dimension of space";
  if (std::string reason = averaging_unsupported_reason(model, system.plan()); !reason.empty()) return reason;
  if (system.plan().series) return "its products are those of series";
  if (!system.plan().integrals.empty() || system.plan().residual_tape.has_integral()) return "it holds an integral";
  for (const FieldModel& field : model.fields)
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
      if ((axis == model.time_axis() || model.is_modal(axis)) && !field.depends_on(axis))
        return "the unknown " + field.name + " does not depend on all dimensions";
  for (const RowBlock& row : system.rows()) {
    if (row.kind == RowBlock::Kind::mean) return "a condition fixes a mean";
    if (row.kind != RowBlock::Kind::equation && row.kind != RowBlock::Kind::condition) return "it has subdomains";
    if (!row.banded.empty()) return "an axis is written in banded form";
    if (model.time_axis() >= 0 && !row.tests.front().identity) return "its weighting couples all times";
    for (const RowTerm& term : row.terms)
      if (term.atom.restricted[z] != is_at_edge(model, row)) return "an equation holds values at an edge";
  }
  return {};
}

SharedWindow::SharedWindow(const WindowSystem& system, Communicator& ranks, const WindowSystem* fewer_points)
    : SharedWindow(system, ranks, std::make_shared<SharedRooms>()) {
  if (fewer_points != nullptr && fewer_points != &system)
    fewer_.reset(new SharedWindow(*fewer_points, ranks, rooms_));  // its constructor is private
}

SharedWindow::SharedWindow(const WindowSystem& system, Communicator& ranks, std::shared_ptr<SharedRooms> rooms)
    : system_(system),
      ranks_(ranks),
      z_(at(first_modal_axis(system.model()))),
      n_times_(n_times_of(system)),
      n_points_(system.discretisation().n_points(static_cast<int>(z_))),
      planes_(Shares::even(n_times_ * n_points_, ranks.size())),
      edges_(Shares::even(n_times_, ranks.size())),
      unknowns_(unknowns_of(system, z_, ranks.size())),
      rows_(rows_of(system, z_, ranks.size())),
      residual_leaves_(make_leaves(system.residual_sources())),
      jacobian_leaves_(make_leaves(system.jacobian_sources())),
      rooms_(std::move(rooms)),
      nothing_(Shape(system.model().axes.size(), 1), &kZero) {
  const auto read_by = [&](const std::vector<Leaf>& leaves) {
    std::vector<bool> used(static_cast<std::size_t>(system.values().size()), false);
    for (const Leaf& leaf : leaves)
      if (leaf.value >= 0) used[at(leaf.value)] = true;
    return used;
  };
  take_state();
  prepare(values_, system.values(), read_by(residual_leaves_), true);
  prepare(coefficients_, system.values(), read_by(jacobian_leaves_), true);
  prepare(directions_, system.directions(),
          std::vector<bool>(static_cast<std::size_t>(system.directions().size()), true), false);
  find_used_coefficients();
  std::vector<SharedTable> tables;
  for (std::size_t row = 0; row < system.rows().size(); ++row)
    tables.push_back(
        table_of_planes(n_times_, row_at_edge(row) ? 1 : n_points_, rows_.parts()[row].n_columns, ranks.size()));
  row_exchange_ = std::make_unique<WindowExchange>(std::move(tables));
  formed_.resize(system.rows().size());
}

SharedWindow::~SharedWindow() = default;

bool SharedWindow::row_at_edge(std::size_t row) const {
  return is_at_edge(system_.model(), system_.rows()[row]);
}

void SharedWindow::to_planes(Atoms& atoms, std::span<const double> x) {
  if (atoms.trees.sources.empty()) return;
  const int rank = ranks_.rank();
  double* by_columns = rooms_->columns.reserve(atoms.exchange->room(rank));
  double* by_lines = rooms_->lines.reserve(atoms.exchange->room(rank));
  Buffer room;
  for (std::size_t root = 0; root < atoms.values->roots().size(); ++root) {
    const AtomValues::Root& what = *atoms.values->roots()[root];
    const auto is_of_root = [&](const PlaneSource& source) { return source.root == root; };
    if (std::none_of(atoms.trees.sources.begin(), atoms.trees.sources.end(), is_of_root)) continue;
    const auto field = static_cast<std::size_t>(what.field);
    const Index begin = unknowns_.begin(field, rank), n_lines = unknowns_.parts()[field].n_lines;
    unknowns_.for_each_block(field, rank, [&](Index, Index place, Index width) {
      const Shape block{n_times_, n_lines / n_times_, width};
      double* in_time = room.reserve(n_lines * width);
      cpu::block_transform(x.data() + place, block, 0, what.time, in_time);
      if (atoms.with_state) add_state(what, place - begin, width, in_time);
      for (std::size_t s = 0; s < atoms.trees.sources.size(); ++s) {
        const PlaneSource& source = atoms.trees.sources[s];
        if (!is_of_root(source)) continue;
        // As far behind the first one as among the unknowns, but with other lines.
        const Index own_lines = n_times_ * source.along_z->matrix.rows;
        cpu::block_transform(
            in_time, block, 1, source.along_z->matrix,
            by_columns + atoms.exchange->by_columns_before(s, rank) + (place - begin) / n_lines * own_lines);
      }
    });
  }
  atoms.exchange->move_to_lines(ranks_, by_columns, by_lines);
  bytes_off_rank_ += sizeof(double) * static_cast<std::size_t>(atoms.exchange->n_off_rank());
}

template <class Body>
void SharedWindow::for_each_plane(const Atoms& atoms, const Body& body) {
  const int rank = ranks_.rank();
  std::vector<Buffer> buffers(atoms.trees.n_nodes);
  std::vector<ArrayView> of_chunk(static_cast<std::size_t>(atoms.values->size()), nothing_), values(of_chunk);
  const std::function<void(const PlaneNode&, const ArrayView&)> descend = [&](const PlaneNode& node,
                                                                              const ArrayView& view) {
    for (int output : node.outputs) of_chunk[at(output)] = view;
    for (const PlaneNode& child : node.children) {
      const std::size_t axis = child.operation->axis;
      const BlockMatrix& matrix = child.operation->matrix;
      if (matrix.identity) {
        descend(child, view);
        continue;
      }
      Shape shape = view.shape;
      shape[axis] = matrix.rows;
      double* y = buffers[child.number].reserve(element_count(shape));
      transform_planes(view.data, view.shape, axis, matrix, y);
      descend(child, {std::move(shape), y});
    }
  };
  const double* by_lines = rooms_->lines.reserve(0);
  std::size_t number = 0;
  for (const bool at_edge : {false, true}) {
    const Shares& lines = at_edge ? edges_ : planes_;
    for (Index first = lines.begin(rank); first < lines.end(rank); first += kPlanesAtOnce) {
      const Index n_lines = std::min(kPlanesAtOnce, lines.end(rank) - first);
      std::fill(of_chunk.begin(), of_chunk.end(), nothing_);
      for (std::size_t s = 0; s < atoms.trees.sources.size(); ++s) {
        const PlaneSource& source = atoms.trees.sources[s];
        if (source.at_edge() != at_edge) continue;
        const int field = atoms.values->roots()[source.root]->field;
        Shape shape = system_.layouts()[at(field)].extents;
        shape.front() = shape[z_] = 1;
        const double* plane =
            by_lines + atoms.exchange->by_lines_before(s, rank) + (first - lines.begin(rank)) * element_count(shape);
        shape.front() = n_lines;
        descend(source.tree, {std::move(shape), plane});
      }
      for (Index line = first; line < first + n_lines; ++line) {
        for (std::size_t atom = 0; atom < values.size(); ++atom) values[atom] = of_chunk[atom].at_first(line - first);
        const Plane plane{at_edge, at_edge ? line : line / n_points_, at_edge ? 0 : line % n_points_, line};
        body(number++, plane, values);
      }
      put_rows(lines, first, n_lines);
    }
  }
}

std::vector<ArrayView> SharedWindow::leaf_values(const std::vector<Leaf>& leaves, const std::vector<ArrayView>& values,
                                                 const Plane& plane) const {
  std::vector<ArrayView> result;
  for (const Leaf& leaf : leaves) {
    if (leaf.value >= 0) {
      result.push_back(values[at(leaf.value)]);
      continue;
    }
    if (leaf.data != nullptr) {
      result.push_back(plane.at_edge && leaf.data->varies_along_z() ? nothing_
                                                                    : leaf.data->at(plane.time, plane.point));
      continue;
    }
    ArrayView view(leaf.fixed);
    if (z_ > 0) view = view.at_first(plane.time);
    if (view.shape[z_] > 1) {
      if (plane.at_edge) {
        result.push_back(nothing_);
        continue;
      }
      view.data += plane.point * columns_of(view.shape, z_);
      view.shape[z_] = 1;
    }
    result.push_back(std::move(view));
  }
  return result;
}

// Kept until the planes that are transformed together have theirs.
void SharedWindow::put_row(std::size_t row, const ArrayView& values) {
  formed_[row].shape = values.shape;
  formed_[row].data.insert(formed_[row].data.end(), values.data, values.data + values.size());
}

void SharedWindow::put_rows(const Shares& lines, Index first, Index n_lines) {
  for (std::size_t row = 0; row < formed_.size(); ++row) {
    Array& formed = formed_[row];
    if (formed.data.empty()) continue;
    formed.shape.front() = n_lines;
    test_row(row, formed,
             rooms_->rows.reserve(0) + row_exchange_->by_lines_before(row, ranks_.rank()) +
                 (first - lines.begin(ranks_.rank())) * rows_.parts()[row].n_columns);
    formed.data.clear();
  }
}

// The tests along the axes behind z; what does not vary along one is tested as a constant.
void SharedWindow::test_row(std::size_t row, ArrayView values, double* target) {
  const RowBlock& block = system_.rows()[row];
  Buffer* const rooms = turns_;
  int turn = 0;
  for (std::size_t axis = z_ + 1; axis < block.tests.size(); ++axis) {
    const bool is_constant = values.shape[axis] == 1 && block.tests[axis].cols > 1;
    if (!is_constant && block.tests[axis].identity) continue;
    const BlockMatrix test = is_constant ? BlockMatrix(block.tests[axis].row_sums()) : block.tests[axis];
    Shape shape = values.shape;
    shape[axis] = test.rows;
    double* y = rooms[turn].reserve(element_count(shape));
    transform_planes(values.data, values.shape, axis, test, y);
    values = {std::move(shape), y};
    turn = 1 - turn;
  }
  std::copy_n(values.data, values.size(), target);
}

void SharedWindow::from_planes(std::span<double> f) {
  const int rank = ranks_.rank();
  double* by_columns = rooms_->columns.reserve(row_exchange_->room(rank));
  row_exchange_->move_to_columns(ranks_, rooms_->rows.reserve(0), by_columns);
  bytes_off_rank_ += sizeof(double) * static_cast<std::size_t>(row_exchange_->n_off_rank());
  for (std::size_t row = 0; row < system_.rows().size(); ++row) {
    const RowBlock& block = system_.rows()[row];
    const Index n_lines = rows_.parts()[row].n_lines, n_points = row_at_edge(row) ? 1 : n_points_;
    const double* from = by_columns + row_exchange_->by_columns_before(row, rank);
    rows_.for_each_block(row, rank, [&](Index, Index place, Index width) {
      double* to = f.data() + place;
      if (block.tests[z_].identity)
        std::copy_n(from, n_lines * width, to);
      else
        cpu::block_transform(from, {n_times_, n_points, width}, 1, block.tests[z_], to);
      for (Index i = 0; block.scale != 1.0 && i < n_lines * width; ++i) to[i] *= block.scale;
      from += n_times_ * n_points * width;
    });
  }
}

void SharedWindow::residual(std::span<const double> x, std::span<double> f) {
  to_planes(values_, x);
  rooms_->rows.reserve(row_exchange_->room(ranks_.rank()));
  expression::Tape::Memory memory;
  for_each_plane(values_, [&](std::size_t, const Plane& plane, const std::vector<ArrayView>& values) {
    std::vector<Array> rows = system_.plan().residual_tape.evaluate(leaf_values(residual_leaves_, values, plane),
                                                                    system_.discretisation().weights(), memory);
    for (std::size_t row = 0; row < system_.rows().size(); ++row)
      if (row_at_edge(row) == plane.at_edge) put_row(row, rows[row]);
    memory.give_back(std::move(rows));
  });
  from_planes(f);
}

void SharedWindow::linearise(std::span<const double> x, SharedLinearisation& at_x) {
  (fewer_ ? *fewer_ : *this).linearise_own(x, at_x);
}

// Copies of the length that they need: what the tape gives may have more room than numbers.
void SharedWindow::linearise_own(std::span<const double> x, SharedLinearisation& at_x) {
  to_planes(coefficients_, x);
  at_x.coefficients.resize(static_cast<std::size_t>(planes_.count(ranks_.rank()) + edges_.count(ranks_.rank())));
  expression::Tape::Memory memory;
  for_each_plane(coefficients_, [&](std::size_t number, const Plane& plane, const std::vector<ArrayView>& values) {
    std::vector<Array> all = system_.plan().jacobian_tape.evaluate(leaf_values(jacobian_leaves_, values, plane),
                                                                   system_.discretisation().weights(), memory);
    std::vector<Array>& kept = at_x.coefficients[number];
    kept.resize(all.size());
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (!used_[plane.at_edge ? 1 : 0][c]) continue;
      if (kept[c].shape == all[c].shape)
        std::copy(all[c].data.begin(), all[c].data.end(), kept[c].data.begin());
      else
        kept[c] = ArrayView(all[c]).copy();
    }
    memory.give_back(std::move(all));
  });
}

void SharedWindow::apply_jacobian(const SharedLinearisation& at_x, std::span<const double> v,
                                  std::span<double> result) {
  (fewer_ ? *fewer_ : *this).apply_own(at_x, v, result);
}

void SharedWindow::apply_own(const SharedLinearisation& at_x, std::span<const double> v, std::span<double> result) {
  to_planes(directions_, v);
  rooms_->rows.reserve(row_exchange_->room(ranks_.rank()));
  const Array one(nothing_.shape, 1.0);
  Buffer room;
  for_each_plane(directions_, [&](std::size_t number, const Plane& plane, const std::vector<ArrayView>& values) {
    for (std::size_t row = 0; row < system_.rows().size(); ++row) {
      if (row_at_edge(row) != plane.at_edge) continue;
      const auto coefficient = [&](const RowTerm& term) {
        return ArrayView(term.coefficient < 0 ? one : at_x.coefficients[number][at(term.coefficient)]);
      };
      Shape extents = nothing_.shape;
      for (const RowTerm& term : system_.rows()[row].terms)
        for (std::size_t axis = 0; axis < extents.size(); ++axis)
          extents[axis] =
              std::max({extents[axis], coefficient(term).shape[axis], values[at(term.direction)].shape[axis]});
      double* sum = room.reserve(element_count(extents));
      std::fill_n(sum, element_count(extents), 0.0);
      for (const RowTerm& term : system_.rows()[row].terms)
        add_product(sum, extents, coefficient(term), values[at(term.direction)]);
      put_row(row, {extents, sum});
    }
  });
  from_planes(result);
}

}  // namespace gwrm
