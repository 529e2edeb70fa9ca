// A window prepared for its evaluation by series: how long each series is, the matrices behind the atoms, data as
// coefficients, and where the rows find their modes.
#include <algorithm>

#include "basis/axis_basis.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/window/series_evaluation.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {

using expression::Atom;

namespace {

bool same(const Atom& a, const Atom& b) {
  return a.field == b.field && a.orders == b.orders && a.restricted == b.restricted && a.points == b.points;
}

// Of Chebyshev series of this degree, from values on so many of the points that an undivided axis has.
Matrix coefficients_from_values(Index degree, Index n_points) {
  return make_basis({static_cast<int>(degree), {-1.0, 1.0}})->analysis(n_points).dense();
}

}  // namespace

SeriesEvaluation::SeriesEvaluation(const WindowSystem& system)
    : system_(system),
      model_(system.model()),
      plan_(*system.plan().series),
      memory_(make_series_memory(system.context())) {
  describe_axes();
  for (const SeriesStep& step : plan_.steps) {
    Step& made = steps_.emplace_back();
    if (step.kind == SeriesStep::Kind::atom) made.atom = atom_of(step.atom);
  }
  find_extents();
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (plan_.steps[i].kind == SeriesStep::Kind::data && (steps_[i].of_residual || steps_[i].of_jacobian))
      steps_[i].data = data_of(plan_.steps[i], steps_[i].extents);
  add_rows();
}

void SeriesEvaluation::describe_axes() {
  const TimeBasis* time = system_.discretisation().time();
  for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
    nodes_.push_back(!model_.is_modal(axis) && (axis != model_.time_axis() || time->nodal()));
    unknowns_.push_back(system_.discretisation().n_unknowns(axis));
  }
}

int SeriesEvaluation::transform_of(int field, int parent, std::size_t axis, const Atom& atom, const Shape& from) {
  const int order = atom.orders[axis];
  const bool restricted = atom.restricted[axis];
  const double point = restricted ? atom.points[axis] : 0.0;
  for (std::size_t i = 0; i < transforms_.size(); ++i) {
    const Transform& t = transforms_[i];
    if (t.field == field && t.parent == parent && t.axis == axis && t.order == order && t.restricted == restricted &&
        t.point == point)
      return static_cast<int>(i);
  }
  const Discretisation& discretisation = system_.discretisation();
  const FieldModel& unknown = model_.fields[field];
  Matrix matrix;
  if (static_cast<int>(axis) == model_.time_axis()) {
    matrix = restricted || nodes_[axis] ? discretisation.time_trial(atom, unknown).dense()
                                        : discretisation.time()->coefficients(unknown.time_order - order);
  } else if (restricted) {
    matrix = discretisation.trial(static_cast<int>(axis), atom, unknown).dense();
  } else {
    matrix = discretisation.basis(static_cast<int>(axis)).derivative(order);
  }
  Transform made{field, parent, axis, order, restricted, point, {}, from};
  made.extents[axis] = matrix.rows();
  made.matrix = memory_->keep(std::move(matrix));
  transforms_.push_back(std::move(made));
  return static_cast<int>(transforms_.size()) - 1;
}

// Restrictions first: they shrink the tensor.
int SeriesEvaluation::atom_of(const Atom& atom) {
  for (std::size_t i = 0; i < atom_keys_.size(); ++i)
    if (same(atom_keys_[i], atom)) return static_cast<int>(i);
  const FieldModel& field = model_.fields[atom.field];
  AtomSource source{atom.field, -1, system_.layouts()[atom.field].extents, nullptr};
  for (bool restricted : {true, false}) {
    for (int axis : field.axes) {
      if (atom.restricted[axis] != restricted || model_.is_collocated(axis)) continue;
      const bool is_time = axis == model_.time_axis();
      const bool as_it_is = !restricted && atom.orders[axis] == (is_time ? field.time_order : 0);
      if (as_it_is) continue;
      source.transform = transform_of(atom.field, source.transform, at(axis), atom, source.extents);
      source.extents = transforms_[source.transform].extents;
    }
  }
  source.state = state_of(atom, source.transform);
  atom_keys_.push_back(atom);
  atoms_.push_back(std::move(source));
  return static_cast<int>(atoms_.size()) - 1;
}

std::vector<int> SeriesEvaluation::transform_chain(int transform) const {
  std::vector<int> chain;
  for (; transform >= 0; transform = transforms_[transform].parent) chain.push_back(transform);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// The integrals in time start from the initial state: u^(r) = .. + sum_m I^(m-r) u0^(m), r <= m < s.
SeriesEvaluation::Numbers SeriesEvaluation::state_of(const Atom& atom, int transform) {
  const FieldModel& field = model_.fields[atom.field];
  const int time = model_.time_axis();
  if (time < 0 || !field.depends_on(time) || atom.orders[time] >= field.time_order) return nullptr;
  const Discretisation& discretisation = system_.discretisation();
  const int order = atom.orders[time];
  Array sum;
  for (int m = order; m < field.time_order; ++m) {
    const Matrix column = atom.restricted[time] || nodes_[time]
                              ? discretisation.state_trial(atom, m)
                              : Matrix(discretisation.time()->state_coefficients(m - order));
    Array share = block_transform(system_.context().without_device(), system_.state()[atom.field][m], at(time),
                                  BlockMatrix(column));
    if (sum.shape.empty())
      sum = std::move(share);
    else
      add_to(sum, share);
  }
  for (int i : transform_chain(transform)) {
    const Transform& along = transforms_[i];
    if (static_cast<int>(along.axis) == time) continue;
    const Matrix matrix = along.restricted ? discretisation.trial(static_cast<int>(along.axis), atom, field).dense()
                                           : discretisation.basis(static_cast<int>(along.axis)).derivative(along.order);
    sum = block_transform(system_.context().without_device(), sum, along.axis, BlockMatrix(matrix));
  }
  return memory_->sent(sum.data.data(), sum.size());
}

// Bounds of the degrees upwards, then what is needed of each series downwards (series_evaluation.hpp).
void SeriesEvaluation::find_extents() {
  const std::size_t n_axes = model_.axes.size();
  const Discretisation& discretisation = system_.discretisation();
  std::vector<Shape> bounds, needs(steps_.size(), Shape(n_axes, -1));
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const SeriesStep& step = plan_.steps[i];
    Shape bound(n_axes, 0);
    for (std::size_t axis = 0; axis < n_axes; ++axis) {
      const auto of = [&](int argument) { return bounds[argument][axis]; };
      switch (step.kind) {
        case SeriesStep::Kind::atom:
          bound[axis] = atoms_[steps_[i].atom].extents[axis] - 1;
          break;
        case SeriesStep::Kind::data: {
          if ((step.data->facts.axes >> axis & 1u) == 0) break;
          bound[axis] = discretisation.n_points(static_cast<int>(axis)) - 1;
          if (!nodes_[axis] && step.data_degrees[axis] >= 0)
            bound[axis] = std::min<Index>(bound[axis], step.data_degrees[axis]);
          break;
        }
        case SeriesStep::Kind::scaled:
          bound[axis] = of(step.first);
          break;
        case SeriesStep::Kind::sum:
          bound[axis] = std::max(of(step.first), of(step.second));
          break;
        case SeriesStep::Kind::product:
          bound[axis] = nodes_[axis] ? std::max(of(step.first), of(step.second)) : of(step.first) + of(step.second);
          break;
      }
    }
    bounds.push_back(std::move(bound));
  }
  const auto raise = [&](int step, std::size_t axis, Index need) {
    needs[step][axis] = std::max(needs[step][axis], need);
  };
  for (std::size_t r = 0; r < plan_.rows.size(); ++r) {
    const SeriesRow& row = plan_.rows[r];
    steps_[row.residual].of_residual = true;
    for (std::size_t axis = 0; axis < n_axes; ++axis) {
      const std::vector<Index>& modes = system_.rows()[r].modes[axis];
      const Index highest = *std::max_element(modes.begin(), modes.end());
      raise(row.residual, axis, highest);
      for (const SeriesTerm& term : row.terms) {
        if (term.coefficient < 0) continue;
        steps_[term.coefficient].of_jacobian = true;
        raise(term.coefficient, axis, highest + atoms_[atom_of(term.direction)].extents[axis] - 1);
      }
    }
  }
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const SeriesStep& step = plan_.steps[i];
    for (int argument : {step.first, step.second}) {
      if (argument < 0) continue;
      const int other = step.kind != SeriesStep::Kind::product ? -1 : argument == step.first ? step.second : step.first;
      Step& used = steps_[argument];
      used.of_residual = used.of_residual || steps_[i].of_residual;
      used.of_jacobian = used.of_jacobian || steps_[i].of_jacobian;
      for (std::size_t axis = 0; axis < n_axes; ++axis)
        if (needs[i][axis] >= 0) raise(argument, axis, needs[i][axis] + (other < 0 ? 0 : bounds[other][axis]));
    }
    steps_[i].extents = bounds[i];
    for (std::size_t axis = 0; axis < n_axes; ++axis) {
      Index& extent = steps_[i].extents[axis];
      if (!nodes_[axis] && steps_[i].atom < 0) extent = std::max<Index>(0, std::min(extent, needs[i][axis]));
      ++extent;
    }
  }
}

SeriesEvaluation::Numbers SeriesEvaluation::data_of(const SeriesStep& step, const Shape& extents) const {
  Array values = system_.discretisation().data_at_points(*model_.pool, step.data);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (nodes_[axis] || values.shape[axis] == 1) continue;
    values = block_transform(system_.context().without_device(), values, axis,
                             BlockMatrix(coefficients_from_values(extents[axis] - 1, values.shape[axis])));
  }
  Array series(extents);
  cpu::move_parts({series_places(values.shape, extents, nodes_).data(), series.size()}, values.data.data(),
                  series.data.data());
  return memory_->sent(series.data.data(), series.size());
}

void SeriesEvaluation::add_rows() {
  for (std::size_t r = 0; r < plan_.rows.size(); ++r) {
    const RowBlock& block = system_.rows()[r];
    Row row{block.offset, element_count(block.extents), block.scale, plan_.rows[r].residual, {}, {}};
    const auto places_in = [&](const Shape& extents) {
      return memory_->keep(series_places(extents, block.extents, nodes_, block.modes));
    };
    row.residual_places = places_in(steps_[row.residual].extents);
    for (const SeriesTerm& planned : plan_.rows[r].terms) {
      Term term;
      term.atom = atom_of(planned.direction);
      const AtomSource& direction = atoms_[term.atom];
      term.field = direction.field;
      term.coefficient = planned.coefficient;
      term.factor = planned.factor;
      term.product = direction.extents;
      if (term.coefficient >= 0) {
        const Shape& coefficient = steps_[term.coefficient].extents;
        for (std::size_t axis = 0; axis < coefficient.size(); ++axis) {
          const Index highest = *std::max_element(block.modes[axis].begin(), block.modes[axis].end());
          const Index longest = coefficient[axis] + direction.extents[axis] - 1;  // of the whole product
          Index& extent = term.product[axis];
          extent = std::max(coefficient[axis], extent);
          if (!nodes_[axis]) extent = std::max(extent, std::min(longest, highest + 1));
        }
        term.coefficient_places = places(coefficient, term.product);
        term.direction_places = places(direction.extents, term.product);
        term.direction_fits = direction.extents == term.product;
      }
      term.row_places = places_in(term.product);
      row.terms.push_back(std::move(term));
    }
    rows_.push_back(std::move(row));
  }
}

}  // namespace gwrm
