#include "weighted_residual/window/window_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "basis/banded_form.hpp"
#include "core/weighted_sum.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/window/averaged_rows.hpp"
#include "weighted_residual/window/boundary_modes.hpp"
#include "weighted_residual/window/series_evaluation.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
using expression::Atom;
using expression::Expr;
using expression::Op;

namespace {

constexpr Index kWorthALoop = 1000;  // unknowns in space: below, all points in time together take less time

// All but the last n of each subdomain.
std::vector<Index> lowest_modes(const AxisBasis& basis, Index n) {
  const Index all = basis.n_per_subdomain();
  std::vector<Index> modes;
  for (Index k = 0; k < basis.n_coefficients(); ++k)
    if (k % all < all - n) modes.push_back(k);
  return modes;
}

// The last n of each subdomain: n n_subdomains() x coefficients.
BlockMatrix highest_coefficients(const AxisBasis& basis, Index n) {
  const Index all = basis.n_per_subdomain();
  const auto last = std::make_shared<const Matrix>(Matrix(Matrix::Identity(all, all).bottomRows(n)));
  BlockMatrix result(n * basis.n_subdomains(), basis.n_coefficients());
  for (Index p = 0; p < basis.n_subdomains(); ++p) result.blocks.push_back({p * n, p * all, last, 1.0});
  return result;
}

constexpr int kSomeEdges = 16;  // above the order of every derivative that is continuous

// The inner edges at which no condition takes the place of the continuity of the equation's order-th derivative.
std::vector<Index> edges_without_conditions(const Model& model, int equation, int axis, int order,
                                            const AxisBasis& basis) {
  const std::vector<double>& edges = basis.description().edges;
  std::vector<Index> rows(static_cast<std::size_t>(basis.n_subdomains() - 1));
  std::iota(rows.begin(), rows.end(), 0);
  for (const ConditionModel& condition : model.conditions) {
    if (!condition.inner_edge || condition.axis != axis || condition.equation != equation || condition.order != order)
      continue;
    const auto edge = std::find(edges.begin(), edges.end(), *condition.inner_edge);
    if (edge == edges.begin() || edge == edges.end())
      throw ShapeError("no inner edge for the condition " + condition.text.text);
    std::erase(rows, edge - edges.begin() - 1);
  }
  return rows;
}

// These rows of a matrix whose blocks have one row each.
BlockMatrix rows_at(const BlockMatrix& all, const std::vector<Index>& rows) {
  if (static_cast<Index>(rows.size()) == all.rows) return all;
  BlockMatrix result(static_cast<Index>(rows.size()), all.cols);
  for (const MatrixBlock& block : all.blocks) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), block.row);
    if (row == rows.end() || *row != block.row) continue;
    result.blocks.push_back(block);
    result.blocks.back().row = row - rows.begin();
  }
  return result;
}

}  // namespace

WindowSystem::WindowSystem(const Context& context, const Model& model, const SystemPlan& plan,
                           const Discretisation& discretisation, const State& state)
    : context_(context),
      model_(model),
      plan_(plan),
      discretisation_(discretisation),
      state_(state),
      values_(model, discretisation),
      directions_(model, discretisation),
      cpu_values_(model, discretisation),
      cpu_coefficients_(model, discretisation),
      cpu_directions_(model, discretisation) {
  lay_out_fields();
  lay_out_rows();
  make_leaves(plan_.residual_tape, values_, residual_leaves_);
  make_leaves(plan_.jacobian_tape, values_, jacobian_leaves_);
  make_leaves(cpu_residual_tape(), cpu_values_, cpu_residual_leaves_);
  make_leaves(plan_.jacobian_tape, cpu_coefficients_, cpu_jacobian_leaves_);
  time_by_time_ = can_go_time_by_time();
  if (plan_.series) series_ = std::make_shared<SeriesEvaluation>(*this);
}

bool WindowSystem::can_go_time_by_time() const {
  const int time = model_.time_axis();
  if (time != 0 || !averaging_unsupported_reason(model_, plan_).empty()) return false;
  if (integrates_over(model_, time)) return false;
  if (model_.n_modal_axes() < 2) return false;  // on one axis the points in time make the matrix products worth calling
  if (size_ / discretisation_.n_points(time) < kWorthALoop) return false;
  return std::all_of(rows_.begin(), rows_.end(), [](const RowBlock& row) { return row.tests.front().identity; });
}

void WindowSystem::lay_out_fields() {
  const int n_axes = static_cast<int>(model_.axes.size());
  for (const FieldModel& field : model_.fields) {
    FieldLayout layout{Shape(at(n_axes), 1), size_};
    for (int axis : field.axes) layout.extents[axis] = discretisation_.n_unknowns(axis);
    size_ += element_count(layout.extents);
    layouts_.push_back(std::move(layout));
  }
}

void WindowSystem::lay_out_rows() {
  for (std::size_t i = 0; i < plan_.rows.size(); ++i) {
    const RowPlan& plan = plan_.rows[i];
    RowBlock block;
    block.kind = plan.is_condition ? RowBlock::Kind::condition : RowBlock::Kind::equation;
    block.index = plan.index;
    block.equation = plan.is_condition ? model_.conditions[plan.index].equation : plan.index;
    block.terms = row_terms(plan.terms, directions_);
    block.cpu_terms = row_terms(plan_.symbols ? plan_.symbols->rows[i].rest : plan.terms, cpu_directions_);
    if (plan_.symbols) take_symbols(block, plan_.symbols->rows[i]);
    if (plan.is_condition && !model_.conditions[plan.index].mean_axes.empty()) {
      add_mean(std::move(block), model_.conditions[plan.index].mean_axes);
      continue;
    }
    const int closed = plan.is_condition ? model_.conditions[plan.index].axis : -1;
    add_row(std::move(block), closed);
    if (plan_.banded_axis >= 0 && !plan.is_condition &&
        model_.fields[model_.equations[plan.index].field].depends_on(plan_.banded_axis))
      write_in_banded_form(rows_.back(), plan);
  }
  for (const IntegralPlan& integral : plan_.integrals) {
    integral_terms_.push_back(row_terms(integral.terms, directions_));
    cpu_integral_terms_.push_back(row_terms(integral.terms, cpu_directions_));
  }
  add_continuity();
  add_degrees();
  scale_rows();
  const Index n_rows = next_offset();
  if (n_rows != size_) throw ShapeError(fmt::format("{} rows for {} unknowns", n_rows, size_));
}

const std::vector<std::vector<Index>>& WindowSystem::modes_left(int axis) {
  modes_left_.resize(model_.axes.size());
  std::vector<std::vector<Index>>& modes = modes_left_[at(axis)];
  if (modes.empty()) modes = interior_modes(model_, plan_, axis, discretisation_.basis(axis));
  return modes;
}

// closed_axis: the axis along which the rows are not projected (-1: none).
void WindowSystem::add_row(RowBlock block, int closed_axis) {
  const EquationModel& equation = model_.equations[block.equation];
  const FieldModel& field = model_.fields[equation.field];
  block.extents.assign(model_.axes.size(), 1);
  for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
    if (axis == block.line_axis) {
      const Index n = block.terms.front().line.rows;
      block.extents[axis] = n;
      block.modes.emplace_back(static_cast<std::size_t>(n));
      std::iota(block.modes.back().begin(), block.modes.back().end(), 0);
      block.tests.push_back(BlockMatrix::unit(n));
      continue;
    }
    if (!field.depends_on(axis) || axis == closed_axis) {
      block.modes.push_back({0});
      block.tests.push_back(BlockMatrix::unit(1));
      continue;
    }
    std::vector<Index> modes(static_cast<std::size_t>(discretisation_.n_unknowns(axis)));
    std::iota(modes.begin(), modes.end(), 0);
    const bool gives_way = closed_axis < 0 || equation.corner_ranks[axis] > equation.corner_ranks[closed_axis];
    if (gives_way && equation.n_conditions[axis] > 0)
      modes = modes_left(axis)[at(block.equation)];
    else if (gives_way && field.n_lower[axis] > 0)
      modes = lowest_modes(discretisation_.basis(axis), field.n_lower[axis]);
    block.extents[axis] = static_cast<Index>(modes.size());
    // In banded form another test takes its place.
    const bool banded = axis == plan_.banded_axis && block.kind == RowBlock::Kind::equation;
    block.tests.push_back(banded ? BlockMatrix() : discretisation_.test(axis, modes));
    block.tests.back().split_parity();
    block.modes.push_back(std::move(modes));
  }
  block.offset = next_offset();
  rows_.push_back(std::move(block));
}

Index WindowSystem::next_offset() const {
  Index offset = 0;
  for (const RowBlock& row : rows_)
    if (row.kind != RowBlock::Kind::mean) offset = row.offset + element_count(row.extents);
  return offset;
}

// As the equation along the other axes, equations come first: rows_[e] is that of equation e.
void WindowSystem::add_mean(RowBlock block, const std::vector<int>& axes) {
  const RowBlock& equation = rows_[at(block.equation)];
  block.kind = RowBlock::Kind::mean;
  block.offset = equation.offset;
  block.extents = equation.extents;
  block.tests = equation.tests;
  block.modes = equation.modes;
  for (int axis : axes) {
    block.extents[axis] = 1;
    block.tests[axis] = BlockMatrix::unit(1);
    block.modes[axis] = {0};
  }
  Shape own = block.extents, all = equation.extents;
  if (const int time = model_.time_axis(); time >= 0) own[time] = all[time] = 1;
  for (Index i = 0; i < element_count(own); ++i) {
    const std::vector<Index> indices = unravel(own, i);
    Index place = 0;
    for (std::size_t axis = 0; axis < all.size(); ++axis) place = place * all[axis] + indices[axis];
    block.places.push_back(place);
  }
  rows_.push_back(std::move(block));
}

void WindowSystem::add_continuity() {
  const bool crossed = has_cross_points(model_, discretisation_.subdomains());
  for (std::size_t e = 0; e < model_.equations.size(); ++e)
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      if (!model_.is_modal(axis) || discretisation_.subdomains(axis).n_subdomains() == 1) continue;
      const EquationModel& equation = model_.equations[e];
      const int multiplier = multiplier_differentiated_in(model_, static_cast<int>(e), axis);
      for (int order = 0; order < equation.n_conditions[axis]; ++order) {
        // The constraint makes the normal derivative of the normal velocity continuous by itself: pressure instead.
        const bool of_multiplier = multiplier >= 0 && order == equation.n_conditions[axis] - 1;
        const int jump = of_multiplier ? 0 : order;
        const AxisBasis& basis = discretisation_.basis(axis);
        const std::vector<Index> edges = edges_without_conditions(model_, static_cast<int>(e), axis, order, basis);
        if (edges.empty()) continue;
        add_line_rows(RowBlock::Kind::continuity, static_cast<int>(e),
                      of_multiplier ? multiplier : equation.closing_fields[axis], axis, jump,
                      rows_at(basis.jump(jump), edges), rows_at(basis.jump(1), edges),
                      of_multiplier && crossed ? stress_factor(model_, static_cast<int>(e), axis) : std::nullopt);
      }
    }
}

void WindowSystem::add_degrees() {
  for (const Multiplier& multiplier : model_.multipliers)
    for (int axis : model_.fields[multiplier.field].axes)
      if (const int n = model_.fields[multiplier.field].n_lower[axis]; n > 0)
        add_line_rows(RowBlock::Kind::degree, multiplier.equation, multiplier.field, axis, -n,
                      highest_coefficients(discretisation_.basis(axis), n), {}, {});
}

// key: order of the jump, minus the number of highest coefficients. Jumps at some of the inner edges only are other
// matrices: kSomeEdges is added to their key. stress: that times `slope`, the jump of the first derivative, of the
// equation's own unknown is added.
void WindowSystem::add_line_rows(RowBlock::Kind kind, int equation, int field, int axis, int key,
                                 const BlockMatrix& line, BlockMatrix slope, std::optional<double> stress) {
  RowBlock block;
  block.kind = kind;
  block.index = block.equation = equation;
  block.line_axis = axis;
  const bool at_all =
      kind == RowBlock::Kind::degree || line.rows == discretisation_.subdomains(axis).n_subdomains() - 1;
  block.value = add_line_term(block, field, at_all ? key : key + kSomeEdges, line, at_all ? 1.0 : equation);
  if (stress) {
    for (MatrixBlock& one : slope.blocks) one.factor *= *stress;
    block.other_value =
        add_line_term(block, model_.equations[equation].field, at_all ? 1 : 1 + kSomeEdges, slope, *stress);
  }
  add_row(std::move(block), axis);
}

// line: `factor` times what `key` says. The index among the field values.
int WindowSystem::add_line_term(RowBlock& block, int field, int key, const BlockMatrix& line, double factor) {
  const std::size_t n_axes = model_.axes.size();
  const int axis = block.line_axis;
  values_.add_line(field, axis, key, line, factor);
  const int value = cpu_values_.add_line(field, axis, key, line, factor);
  RowTerm term;
  term.direction = directions_.add_line(field, axis, key, line, factor);
  term.power = model_.fields[field].time_order;
  term.line_axis = axis;
  term.line = line;
  term.atom = Atom{field, true, std::vector<int>(n_axes, 0), std::vector<bool>(n_axes, false),
                   std::vector<double>(n_axes, 0.0)};
  term.atom.orders[axis] = std::max(0, key % kSomeEdges);
  block.terms.push_back(term);
  term.direction = cpu_directions_.add_line(field, axis, key, line, factor);
  block.cpu_terms.push_back(std::move(term));
  return value;
}

// The rows of each subdomain become the first ones of the banded form, as many as there were modes.
void WindowSystem::write_in_banded_form(RowBlock& row, const RowPlan& plan) {
  const int axis = plan_.banded_axis, m = basis_order(model_, plan, axis);
  const AxisBasis& basis = discretisation_.basis(axis);
  const BandedForm& form = *basis.banded_form();
  const Index n = basis.n_per_subdomain();
  std::vector<Index> n_rows(static_cast<std::size_t>(basis.n_subdomains()), 0);
  for (Index mode : row.modes[axis]) ++n_rows[static_cast<std::size_t>(mode / n)];
  row.modes[axis].clear();
  for (Index p = 0; p < basis.n_subdomains(); ++p)
    for (Index k = 0; k < n_rows[static_cast<std::size_t>(p)]; ++k) row.modes[axis].push_back(p * n + k);

  row.tests[axis] = form.form_of_values(discretisation_.n_points(axis) / basis.n_subdomains(), m, n_rows);
  const int time = model_.time_axis();
  for (const BandedTerm& banded : plan.banded) {
    BandedRowTerm term;
    term.term.coefficient = banded.coefficient;
    term.term.atom = banded.atom;
    term.term.power = model_.fields[banded.atom.field].time_order - (time >= 0 ? banded.atom.orders[time] : 0);
    term.term.direction = cpu_directions_.add_coefficients(banded.atom, axis);
    term.value = cpu_values_.add_coefficients(banded.atom, axis);
    term.coefficient = static_cast<int>(plan_.rows.size()) + banded.value;
    term.operation = form.form_of_derivative(banded.atom.orders[axis], m, n_rows);
    row.banded.push_back(std::move(term));
  }
}

int basis_order(const Model& model, const RowPlan& row, int axis) {
  int order = model.equations[row.index].orders[axis];
  for (const DirectionTerm& term : row.terms)
    if (term.integral < 0 && !term.atom.restricted[axis]) order = std::max(order, term.atom.orders[axis]);
  for (const BandedTerm& term : row.banded) order = std::max(order, term.atom.orders[axis]);
  return order;
}

std::vector<RowTerm> WindowSystem::row_terms(const std::vector<DirectionTerm>& terms, AtomValues& directions) const {
  const int time = model_.time_axis();
  std::vector<RowTerm> result;
  for (const DirectionTerm& term : terms) {
    RowTerm row;
    row.coefficient = term.coefficient;
    row.integral = term.integral;
    if (term.integral < 0) {
      row.atom = term.atom;
      row.direction = directions.add(term.atom);
      row.power = model_.fields[term.atom.field].time_order - (time >= 0 ? term.atom.orders[time] : 0);
    }
    result.push_back(std::move(row));
  }
  return result;
}

void WindowSystem::scale_rows() {
  if (discretisation_.time() == nullptr) return;
  const double half = discretisation_.time()->length() / 2.0;
  for (RowBlock& row : rows_) {
    if (row.kind == RowBlock::Kind::equation) continue;
    const auto least = [&](auto&& self, const std::vector<RowTerm>& terms) -> int {
      int power = 4;
      for (const RowTerm& term : terms)
        power = std::min(power, term.integral < 0 ? term.power : self(self, integral_terms_[term.integral]));
      return power;
    };
    row.scale = std::pow(half, -least(least, row.terms));
  }
}

void WindowSystem::make_leaves(const expression::Tape& tape, AtomValues& values, Leaves& leaves) const {
  for (Expr e : tape.leaves()) {
    Leaf& leaf = leaves.all.emplace_back();
    if (e->op == Op::coordinate)
      leaf.fixed = discretisation_.data_at_points(*model_.pool, e);
    else if (e->op == Op::data)
      leaf.data = e;
    else
      leaf.value = values.add(expression::atom_of(*model_.pool, e));
  }
}

const std::vector<WindowSystem::Leaf>& WindowSystem::with_data(const Leaves& leaves) const {
  std::call_once(leaves.found, [&] {
    for (Leaf& leaf : leaves.all)
      if (leaf.data != nullptr) leaf.fixed = discretisation_.data_at_points(*model_.pool, leaf.data);
  });
  return leaves.all;
}

namespace {

double root_mean_square_of(std::span<const double> v) {
  const double sum = sum_of_products(v.data(), v.data(), static_cast<Index>(v.size()));
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, v.size())));
}

}  // namespace

// A correction counts by what it changes in the field: with dt of order s the unknowns are u^(s), whose size is at
// least that of the initial state times (2/h)^s. Fields that vanish, and are not small by their units
// alone, are judged against a millionth of the largest.
std::vector<double> WindowSystem::field_weights(std::vector<double> sizes) const {
  double largest = 0.0;
  const auto per_derivative = [&](std::size_t f) {
    const int order = model_.fields[f].time_order;
    return order == 0 ? 1.0 : std::pow(2.0 / discretisation_.time()->length(), order);
  };
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    const int order = model_.fields[f].time_order;
    for (int m = 0; m < order; ++m)
      sizes[f] = std::max(sizes[f], root_mean_square_of(state_[f][m].data) *
                                        std::pow(2.0 / discretisation_.time()->length(), order - m));
    largest = std::max(largest, sizes[f]);
  }
  if (largest == 0.0) largest = 1.0;
  constexpr double kLeastShare = 1e-6;
  std::vector<double> of_fields = sizes;
  for (std::size_t f = 0; f < sizes.size(); ++f) of_fields[f] /= per_derivative(f);
  const double length = discretisation_.time() == nullptr ? 0.0 : discretisation_.time()->length();
  const std::vector<bool> by_units = plan_.coupling.small_by_units(of_fields, kLeastShare, length);
  for (std::size_t f = 0; f < sizes.size(); ++f)
    if (!by_units[f]) sizes[f] = std::max(sizes[f], kLeastShare * largest);
  return sizes;
}

void WindowSystem::weights(std::span<const double> x, std::span<double> w) const {
  std::vector<double> sizes;
  for (const FieldLayout& layout : layouts_)
    sizes.push_back(root_mean_square_of(
        x.subspan(static_cast<std::size_t>(layout.offset), static_cast<std::size_t>(element_count(layout.extents)))));
  sizes = field_weights(std::move(sizes));
  for (std::size_t f = 0; f < sizes.size(); ++f)
    std::fill_n(w.begin() + layouts_[f].offset, element_count(layouts_[f].extents), sizes[f]);
}

}  // namespace gwrm
