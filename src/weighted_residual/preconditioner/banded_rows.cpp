#include "weighted_residual/preconditioner/banded_rows.hpp"

#include <algorithm>
#include <cmath>

#include "basis/banded_form.hpp"
#include "weighted_residual/window/averaged_rows.hpp"

namespace gwrm {
namespace {

// A term of an equation: operators along the axis (one per time node, or one for all) and the matrix in time.
struct Term {
  int equation = 0, field = 0;
  std::vector<BandRows> operators;
  Matrix time;

  const BandRows& at_node(Index i) const { return operators[operators.size() == 1 ? 0 : static_cast<std::size_t>(i)]; }
};

class BandedRowsBuilder {
 public:
  BandedRowsBuilder(const WindowSystem& system, const BandedLayout& layout, const Linearisation& linearisation)
      : system_(system),
        model_(system.model()),
        layout_(layout),
        linearisation_(linearisation),
        axis_(system.plan().banded_axis) {}

  std::optional<BandedRows> build() {
    BandedRows rows;
    Index n_conditions = 0;
    for (const RowBlock& block : system_.rows()) {
      if (block.kind == RowBlock::Kind::condition) {
        for (const RowTerm& term : block.terms) rows.conditions.push_back(condition_term(block, term, n_conditions));
        n_conditions += layout_.n_times();
        continue;
      }
      for (const RowTerm& term : block.terms)
        if (!add_term(block, term)) return std::nullopt;
      for (const BandedRowTerm& banded : block.banded)
        if (!add_term(block, banded.term)) return std::nullopt;
    }
    allocate(rows);
    for (const Term& term : terms_) add_entries(term, rows);
    return rows;
  }

 private:
  // The values of a coefficient at the points of the axis, one row if it does not depend on time, else one per node.
  Matrix values_of(const RowTerm& term) const {
    const Array& values = linearisation_.coefficients[term.coefficient];
    const Index n_points = values.shape[axis_];
    return Eigen::Map<const Matrix>(values.data.data(), values.size() / n_points, n_points);
  }

  Matrix time_matrix(const RowTerm& term) const {
    return system_.discretisation().time_trial(term.atom, model_.fields[term.atom.field]).dense();
  }

  bool add_term(const RowBlock& block, const RowTerm& row_term) {
    const BandedForm& form = *system_.discretisation().basis(axis_).banded_form();
    const Matrix series = form.coefficient_series(values_of(row_term), kHighestCoefficientDegree);
    if (series.cols() == 0) return false;
    const int order = row_term.atom.orders[axis_];
    const int m = basis_order(model_, system_.plan().rows[block.index], axis_);
    Term term{block.index, row_term.atom.field, {}, time_matrix(row_term)};
    for (Index i = 0; i < series.rows(); ++i) {
      const std::span<const double> coefficient(series.data() + i * series.cols(),
                                                static_cast<std::size_t>(series.cols()));
      term.operators.push_back(form.form_of_product(coefficient, order, m, block.extents[axis_]));
    }
    terms_.push_back(std::move(term));
    return true;
  }

  BandedConditionTerm condition_term(const RowBlock& block, const RowTerm& term, Index first) const {
    const FieldModel& field = model_.fields[term.atom.field];
    BandedConditionTerm result{first, term.atom.field,
                               system_.discretisation().trial(axis_, term.atom, field).dense().row(0),
                               time_matrix(term)};
    const Matrix coefficient = values_of(term);
    for (Index i = 0; i < layout_.n_times(); ++i)
      result.time.row(i) *= block.scale * coefficient(coefficient.rows() == 1 ? 0 : i, 0);
    return result;
  }

  // visit(r, first column, end of columns) for the rows of an operator.
  template <class Visit>
  void for_each_row(const BandRows& band, Visit visit) const {
    for (Index r = 0; r < band.n_rows(); ++r) {
      const Index first = std::max<Index>(0, r + band.first_offset);
      const Index end = std::min(layout_.n_modes(), r + band.last_offset() + 1);
      if (first < end) visit(r, first, end);
    }
  }

  void allocate(BandedRows& rows) const {
    Index lower = 0, upper = 0, border_rows = 0;
    for (const Term& term : terms_) {
      const Index border_modes = layout_.n_border_modes(term.field);
      for_each_row(term.operators.front(), [&](Index r, Index first, Index end) {
        const Index row = layout_.row(term.equation, r);
        if (first < border_modes) border_rows = std::max(border_rows, row + layout_.n_times());
        if (end <= border_modes) return;
        lower = std::max(lower, row - layout_.column(term.field, std::max(first, border_modes)));
        upper = std::max(upper, layout_.column(term.field, end - 1) - row);
      });
    }
    const Index within = layout_.n_times() - 1;
    rows.core = BandedMatrix(layout_.core_size(), lower + within, upper + within);
    rows.border = Matrix::Zero(border_rows, layout_.border_size());
  }

  void add_entries(const Term& term, BandedRows& rows) const {
    const Index border_modes = layout_.n_border_modes(term.field), n_times = layout_.n_times();
    for_each_row(term.operators.front(), [&](Index r, Index first, Index end) {
      const Index row = layout_.row(term.equation, r);
      for (Index k = first; k < end; ++k) {
        const bool in_border = k < border_modes;
        const Index column = in_border ? layout_.border(term.field, k) : layout_.column(term.field, k);
        for (Index i = 0; i < n_times; ++i) {
          const double entry = term.at_node(i)(r, k);
          if (entry == 0.0) continue;
          for (Index j = 0; j < n_times; ++j)
            (in_border ? rows.border(row + i, column + j) : rows.core(row + i, column + j)) += entry * term.time(i, j);
        }
      }
    });
  }

  const WindowSystem& system_;
  const Model& model_;
  const BandedLayout& layout_;
  const Linearisation& linearisation_;
  int axis_;
  std::vector<Term> terms_;
};

}  // namespace

std::optional<BandedRows> banded_rows(const WindowSystem& system, const BandedLayout& layout,
                                      const Linearisation& linearisation) {
  return BandedRowsBuilder(system, layout, linearisation).build();
}

}  // namespace gwrm
