#include "weighted_residual/window/shared_window.hpp"

#include <algorithm>
#include <functional>

#include "weighted_residual/window/averaged_rows.hpp"
#include "weighted_residual/window/shared_planes.hpp"
#include "weighted_residual/window/shared_rows.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr double kZero = 0.0;
constexpr Index kPlanesAtOnce = 8;  // are transformed one after the other: what that takes stays in the cache
// Numbers that a formula is evaluated at together, in as many planes as that takes: in fewer what each operation takes
// beside its numbers is most of it, of more they would not stay in the cache.
constexpr Index kNumbersTogether = 4096;

// A power of two, so that it divides those that are transformed at once, or these it. What integrates over the
// dimension that counts the planes takes one at a time.
Index n_together(const WindowSystem& system, std::size_t z) {
  Index plane = 1, n = 1;
  if (integrates_over(system.model(), 0)) return n;
  for (std::size_t axis = z + 1; axis < system.model().axes.size(); ++axis)
    plane *= system.discretisation().n_points(static_cast<int>(axis));
  while (2 * n * plane <= kNumbersTogether) n *= 2;
  return n;
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

// Of a mean none, as it stands in rows of its equation.
SharedVectors rows_of(const WindowSystem& system, std::size_t z, int n_ranks) {
  std::vector<SharedVectors::Part> parts;
  for (const RowBlock& row : system.rows())
    parts.push_back({lines_of(row.extents, z), row.kind == RowBlock::Kind::mean ? 0 : columns_of(row.extents, z)});
  return {std::move(parts), n_ranks};
}

}  // namespace

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
      n_together_(n_together(system, z_)),
      unknowns_(unknowns_of(system, z_, ranks.size())),
      rows_(rows_of(system, z_, ranks.size())),
      residual_leaves_(make_leaves(system.residual_sources())),
      jacobian_leaves_(make_leaves(system.jacobian_sources())),
      rooms_(std::move(rooms)),
      nothing_(Shape(system.model().axes.size(), 1), &kZero),
      one_(nothing_.shape, 1.0) {
  take_state();
  find_kinds();
  prepare(values_, system.values(), read_by_residual(), true);
  prepare(coefficients_, system.values(), read_by_coefficients(), true);
  prepare(directions_, system.directions(), read_by_directions(), false);
  row_exchange_ = std::make_unique<WindowExchange>(tables_of_rows());
  formed_.resize(system.rows().size());
}

SharedWindow::~SharedWindow() = default;

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
        const BlockMatrix& along_z = atoms.sources[s].along_z;
        const Index own_lines = n_times_ * along_z.rows;
        cpu::block_transform(
            in_time, block, 1, along_z,
            by_columns + atoms.exchange->by_columns_before(s, rank) + (place - begin) / n_lines * own_lines);
      }
    });
  }
  atoms.exchange->move_to_lines(ranks_, by_columns, by_lines);
  bytes_off_rank_ += sizeof(double) * static_cast<std::size_t>(atoms.exchange->n_off_rank());
}

template <class Body>
void SharedWindow::for_each_planes(const Atoms& atoms, const Body& body) {
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
  const Index at_once = std::max(kPlanesAtOnce, n_together_);
  std::size_t number = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const Shares& lines = kinds_[kind].lines;
    for (Index first = lines.begin(rank); first < lines.end(rank); first += at_once) {
      const Index n_lines = std::min(at_once, lines.end(rank) - first);
      std::fill(of_chunk.begin(), of_chunk.end(), nothing_);
      for (std::size_t s = 0; s < atoms.sources.size(); ++s) {
        if (atoms.sources[s].kind != kind) continue;
        const PlaneSource& source = atoms.trees.sources[s];
        const int field = atoms.values->roots()[source.root]->field;
        Shape shape = system_.layouts()[at(field)].extents;
        shape.front() = shape[z_] = 1;
        const double* plane =
            by_lines + atoms.exchange->by_lines_before(s, rank) + (first - lines.begin(rank)) * element_count(shape);
        shape.front() = n_lines;
        descend(source.tree, {std::move(shape), plane});
      }
      for (Index line = first; line < first + n_lines; line += n_together_) {
        const Index n = std::min(n_together_, first + n_lines - line);
        for (std::size_t atom = 0; atom < values.size(); ++atom) {
          values[atom] = of_chunk[atom].at_first(line - first);
          if (of_chunk[atom].shape.front() > 1) values[atom].shape.front() = n;
        }
        body(Planes{number++, kind, line, n}, values);
      }
      put_rows(lines, first, n_lines);
    }
  }
}

std::size_t SharedWindow::n_planes_before(std::size_t kind) const {
  Index n = 0;
  for (std::size_t before = 0; before < kind; ++before)
    n += (kinds_[before].lines.count(ranks_.rank()) + n_together_ - 1) / n_together_;
  return static_cast<std::size_t>(n);
}

std::vector<ArrayView> SharedWindow::leaf_values(std::vector<Leaf>& leaves, const std::vector<ArrayView>& values,
                                                 const Planes& planes) const {
  const bool at_points = planes.kind == 0;
  const Index n_points = kinds_[planes.kind].n_points;
  const auto in_plane = [&](const Leaf& leaf, Index line) -> ArrayView {
    const Index time = line / n_points, point = line % n_points;
    if (leaf.data != nullptr) return !at_points && leaf.data->varies_along_z() ? nothing_ : leaf.data->at(time, point);
    ArrayView view(leaf.fixed);
    if (z_ > 0) view = view.at_first(time);
    if (view.shape[z_] == 1) return view;
    if (!at_points) return nothing_;
    view.data += point * columns_of(view.shape, z_);
    view.shape[z_] = 1;
    return view;
  };
  const auto varies = [&](const Leaf& leaf) {
    if (leaf.data != nullptr) return leaf.data->varies_in_planes();
    return leaf.fixed.shape.front() > 1 || leaf.fixed.shape[z_] > 1;
  };
  std::vector<ArrayView> result;
  for (Leaf& leaf : leaves) {
    if (leaf.value >= 0) {
      result.push_back(values[at(leaf.value)]);
      continue;
    }
    result.push_back(in_plane(leaf, planes.first));
    if (planes.n == 1 || !varies(leaf) || result.back().data == nothing_.data) continue;
    leaf.gathered.data.clear();
    for (Index line = planes.first; line < planes.first + planes.n; ++line) {
      const ArrayView one = in_plane(leaf, line);
      leaf.gathered.data.insert(leaf.gathered.data.end(), one.data, one.data + one.size());
    }
    leaf.gathered.shape = result.back().shape;
    leaf.gathered.shape.front() = planes.n;
    result.back() = leaf.gathered;
  }
  return result;
}

void SharedWindow::residual(std::span<const double> x, std::span<double> f) {
  to_planes(values_, x);
  rooms_->rows.reserve(row_exchange_->room(ranks_.rank()));
  expression::Tape::Memory memory;
  for_each_planes(values_, [&](const Planes& planes, const std::vector<ArrayView>& values) {
    std::vector<Array> rows;
    if (kinds_[planes.kind].evaluates)
      rows = system_.plan().residual_tape.evaluate(leaf_values(residual_leaves_, values, planes),
                                                   system_.discretisation().weights(), memory);
    for (std::size_t row = 0; row < system_.rows().size(); ++row) {
      const RowBlock& block = system_.rows()[row];
      if (row_kinds_[row] != planes.kind) continue;
      put_row(row, planes, block.value < 0 ? ArrayView(rows[row]) : values[at(block.value)]);
      if (block.other_value >= 0) add_to_row(row, planes, values[at(block.other_value)]);
    }
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
  at_x.coefficients.resize(n_planes_before(kinds_.size()));
  expression::Tape::Memory memory;
  for_each_planes(coefficients_, [&](const Planes& planes, const std::vector<ArrayView>& values) {
    if (!kinds_[planes.kind].evaluates) return;
    std::vector<Array> all = system_.plan().jacobian_tape.evaluate(leaf_values(jacobian_leaves_, values, planes),
                                                                   system_.discretisation().weights(), memory);
    std::vector<Array>& kept = at_x.coefficients[planes.number];
    kept.resize(all.size());
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (!kinds_[planes.kind].coefficients[c]) continue;
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
  const std::vector<IntegralPlan>& plans = system_.plan().integrals;
  to_planes(directions_, v);
  rooms_->rows.reserve(row_exchange_->room(ranks_.rank()));
  Buffer room;
  std::vector<Array> integrals(plans.size());
  for_each_planes(directions_, [&](const Planes& planes, const std::vector<ArrayView>& values) {
    const auto form = [&](const std::vector<RowTerm>& terms) {
      return linear_form(terms, at_x.coefficients[planes.number], values, integrals, room);
    };
    for (std::size_t i = 0; i < plans.size(); ++i)  // an inner one comes before the one that holds it
      if (const auto axis = at(plans[i].axis); kinds_[planes.kind].integrals[i])
        integrals[i] =
            weighted_sum(form(system_.integral_terms()[i]).copy(), axis, system_.discretisation().weights()[axis]);
    for (std::size_t row = 0; row < system_.rows().size(); ++row)
      if (row_kinds_[row] == planes.kind) put_row(row, planes, form(system_.rows()[row].terms));
  });
  from_planes(result);
}

ArrayView SharedWindow::linear_form(const std::vector<RowTerm>& terms, const std::vector<Array>& coefficients,
                                    const std::vector<ArrayView>& directions, const std::vector<Array>& integrals,
                                    Buffer& room) const {
  const auto coefficient = [&](const RowTerm& term) {
    return ArrayView(term.coefficient < 0 ? one_ : coefficients[at(term.coefficient)]);
  };
  const auto direction = [&](const RowTerm& term) {
    return term.integral < 0 ? directions[at(term.direction)] : ArrayView(integrals[at(term.integral)]);
  };
  Shape extents = nothing_.shape;
  for (const RowTerm& term : terms)
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
      extents[axis] = std::max({extents[axis], coefficient(term).shape[axis], direction(term).shape[axis]});
  double* sum = room.reserve(element_count(extents));
  std::fill_n(sum, element_count(extents), 0.0);
  for (const RowTerm& term : terms) add_product(sum, extents, coefficient(term), direction(term));
  return {std::move(extents), sum};
}

}  // namespace gwrm
