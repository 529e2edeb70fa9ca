#include "weighted_residual/preconditioner/cell_rows.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "weighted_residual/window/linear_block.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

// What a term has along one axis: rows and columns of one subdomain, test . diag(g) . trial with g at some points.
struct AxisPiece {
  Index first_row = 0;
  Index subdomain = 0;
  Index first_point = 0;  // of the coefficient where it varies along the axis
  AxisFactors factors;
};

// a b, with extents 1 broadcast.
Array broadcast_product(const Array& a, const Array& b) {
  Shape shape(a.shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = std::max(a.shape[d], b.shape[d]);
  Array product(shape);
  for (Index i = 0; i < product.size(); ++i) {
    const std::vector<Index> index = unravel(shape, i);
    Index in_a = 0, in_b = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      in_a = in_a * a.shape[d] + (a.shape[d] > 1 ? index[d] : 0);
      in_b = in_b * b.shape[d] + (b.shape[d] > 1 ? index[d] : 0);
    }
    product.data[at(i)] = a.data[at(in_a)] * b.data[at(in_b)];
  }
  return product;
}

// Whether integrals are over axes along which the row is a single number, and no equation holds values elsewhere.
bool integrates_over_own_axes(const Model& model, const SystemPlan& plan, const RowPlan& row,
                              const std::vector<DirectionTerm>& terms) {
  return std::all_of(terms.begin(), terms.end(), [&](const DirectionTerm& term) {
    if (term.integral < 0)
      return row.is_condition || std::none_of(term.atom.restricted.begin(), term.atom.restricted.end(),
                                              [](bool restricted) { return restricted; });
    const IntegralPlan& integral = plan.integrals[at(term.integral)];
    if (!row.is_condition) return false;
    const ConditionModel& condition = model.conditions[at(row.index)];
    const bool is_own =
        integral.axis == condition.axis ||
        std::find(condition.mean_axes.begin(), condition.mean_axes.end(), integral.axis) != condition.mean_axes.end();
    return is_own && integrates_over_own_axes(model, plan, row, integral.terms);
  });
}

class CellBuilder {
 public:
  CellBuilder(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& coefficients)
      : system_(system),
        model_(system.model()),
        discretisation_(system.discretisation()),
        layout_(layout),
        coefficients_(coefficients) {
    for (int axis = 0; axis < n_axes(); ++axis) {
      const bool modal = model_.is_modal(axis);
      per_subdomain_.push_back(modal ? discretisation_.basis(axis).n_per_subdomain() : 1);
      counts_.push_back(modal ? discretisation_.subdomains(axis).n_subdomains() : 1);
      n_cell_ *= per_subdomain_.back();
      if (modal) result_.n_subdomains.push_back(counts_.back());
    }
  }

  RowsOfCells build() {
    lay_out_unknowns();
    for (const RowBlock& row : system_.rows())
      if (row.kind == RowBlock::Kind::mean)
        for (Index place : row.places) replaced_.insert(layout_.rows[at(row.equation)] + place);
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      const RowBlock& row = system_.rows()[i];
      for (const RowTerm& term : row.terms) add_term(i, term, Array(Shape(at(n_axes()), 1), row.scale), 0);
    }
    for (std::size_t c = 0; c < result_.cells.size(); ++c) {
      CellRows& cell = result_.cells[c];
      cell.values = Eigen::Map<const Matrix>(values_[c].data(), std::ssize(cell.rows), std::ssize(cell.unknowns));
      values_[c] = {};
    }
    return std::move(result_);
  }

 private:
  int n_axes() const { return static_cast<int>(model_.axes.size()); }

  void lay_out_unknowns() {
    const Index n_cells = element_count(Shape(counts_.begin(), counts_.end()));
    result_.cells.resize(static_cast<std::size_t>(n_cells));
    values_.resize(result_.cells.size());
    row_of_.resize(result_.cells.size());
    for (Index c = 0; c < n_cells; ++c) {
      const std::vector<Index> cell = unravel(Shape(counts_.begin(), counts_.end()), c);
      for (std::size_t f = 0; f < model_.fields.size(); ++f)
        for (Index k = 0; k < n_cell_; ++k) {
          const std::vector<Index> mode = unravel(Shape(per_subdomain_.begin(), per_subdomain_.end()), k);
          Index place = 0;
          for (std::size_t d = 0; d < cell.size(); ++d)
            place = place * counts_[d] * per_subdomain_[d] + cell[d] * per_subdomain_[d] + mode[d];
          result_.cells[at(c)].unknowns.push_back(layout_.fields[f] + place);
        }
    }
  }

  // The term times `factor`; under integrals over these axes (bits).
  void add_term(std::size_t i, const RowTerm& term, const Array& factor, std::uint32_t integrated) {
    const Array coefficient =
        term.coefficient < 0 ? factor : broadcast_product(factor, coefficients_[at(term.coefficient)]);
    if (term.integral >= 0) {
      const std::uint32_t more = 1u << system_.plan().integrals[at(term.integral)].axis;
      for (const RowTerm& inner : system_.integral_terms()[at(term.integral)])
        add_term(i, inner, coefficient, integrated | more);
      return;
    }
    std::vector<std::vector<AxisPiece>> pieces;
    for (int axis = 0; axis < n_axes(); ++axis)
      pieces.push_back(pieces_along(axis, system_.rows()[i], term, (integrated >> axis & 1u) != 0));
    std::vector<const AxisPiece*> chosen(pieces.size());
    const std::function<void(std::size_t)> choose = [&](std::size_t axis) {
      if (axis == pieces.size()) return add_piece(i, term, coefficient, chosen);
      for (const AxisPiece& piece : pieces[axis]) {
        chosen[axis] = &piece;
        choose(axis + 1);
      }
    };
    choose(0);
  }

  std::vector<AxisPiece> pieces_along(int axis, const RowBlock& row, const RowTerm& term, bool integrated) const {
    const Index n = per_subdomain_[at(axis)];
    if (!model_.is_modal(axis)) return {{0, 0, 0, {Matrix::Ones(1, 1), Matrix::Ones(1, 1)}}};
    const auto scaled = [](const MatrixBlock& block) { return Matrix(block.factor * *block.matrix); };
    std::vector<AxisPiece> pieces;
    if (axis == term.line_axis) {
      for (const MatrixBlock& block : term.line.blocks) {
        const Index n_rows = block.matrix->rows();
        pieces.push_back({block.row, block.column / n, 0, {Matrix::Identity(n_rows, n_rows), scaled(block)}});
      }
      return pieces;
    }
    const BlockMatrix trial = discretisation_.trial(axis, term.atom, model_.fields[at(term.atom.field)]);
    const bool at_point = trial.rows == 1;
    if (integrated) {
      const Vector& weights = discretisation_.weights()[at(axis)];
      for (const MatrixBlock& block : trial.blocks) {
        const Index first = at_point ? 0 : block.row, count = at_point ? weights.size() : block.matrix->rows();
        pieces.push_back({0, block.column / n, first, {weights.segment(first, count).transpose(), scaled(block)}});
      }
      return pieces;
    }
    if (row.tests[at(axis)].identity) {  // a condition along this axis
      for (const MatrixBlock& block : trial.blocks)
        pieces.push_back({0, block.column / n, 0, {Matrix::Ones(1, 1), scaled(block)}});
      return pieces;
    }
    for (const MatrixBlock& test : row.tests[at(axis)].blocks)
      for (const MatrixBlock& block : trial.blocks)
        if (at_point || block.row == test.column)
          pieces.push_back({test.row, block.column / n, test.column, {scaled(test), scaled(block)}});
    return pieces;
  }

  void add_piece(std::size_t i, const RowTerm& term, const Array& coefficient,
                 const std::vector<const AxisPiece*>& pieces) {
    const RowBlock& row = system_.rows()[i];
    Index cell = 0;
    Shape own;
    std::vector<AxisFactors> factors;
    Shape part(pieces.size(), 1);
    for (std::size_t d = 0; d < pieces.size(); ++d) {
      cell = cell * counts_[d] + pieces[d]->subdomain;
      factors.push_back(pieces[d]->factors);
      own.push_back(factors.back().test.rows());
      if (coefficient.shape[d] > 1) part[d] = std::max(factors.back().test.cols(), factors.back().trial.rows());
    }
    Array values(part);  // of the coefficient on the points of the piece
    for (Index j = 0; j < values.size(); ++j) {
      const std::vector<Index> index = unravel(part, j);
      Index place = 0;
      for (std::size_t d = 0; d < part.size(); ++d)
        place = place * coefficient.shape[d] + (coefficient.shape[d] > 1 ? pieces[d]->first_point + index[d] : 0);
      values.data[at(j)] = coefficient.data[at(place)];
    }
    const Index n_rows = element_count(own);
    block_.assign(static_cast<std::size_t>(n_rows * n_cell_), 0.0);
    add_linear_block(system_.context(), values, factors, block_.data(), n_rows, 0, 0);
    const Index first_column = term.atom.field * n_cell_;
    for (Index r = 0; r < n_rows; ++r) {
      const std::vector<Index> index = unravel(own, r);
      Index place = 0;
      for (std::size_t d = 0; d < own.size(); ++d) place = place * row.extents[d] + pieces[d]->first_row + index[d];
      const bool is_mean = row.kind == RowBlock::Kind::mean;
      const Index global = is_mean ? layout_.rows[at(row.equation)] + row.places[at(place)] : layout_.rows[i] + place;
      if (!is_mean && replaced_.contains(global)) continue;
      double* const target = row_in(cell, global) + first_column;
      for (Index c = 0; c < n_cell_; ++c) target[c] += block_[static_cast<std::size_t>(r + c * n_rows)];
    }
  }

  double* row_in(Index cell, Index row) {
    const auto c = at(cell);
    const auto [found, is_new] = row_of_[c].emplace(row, std::ssize(result_.cells[c].rows));
    const std::size_t n_columns = result_.cells[c].unknowns.size();
    if (is_new) {
      result_.cells[c].rows.push_back(row);
      values_[c].resize(values_[c].size() + n_columns, 0.0);
    }
    return values_[c].data() + static_cast<std::size_t>(found->second) * n_columns;
  }

  const WindowSystem& system_;
  const Model& model_;
  const Discretisation& discretisation_;
  const SpatialLayout& layout_;
  const std::vector<Array>& coefficients_;
  std::vector<Index> per_subdomain_, counts_;  // per axis; 1 along collocated parameters
  Index n_cell_ = 1;                           // coefficients of one field in a cell
  std::unordered_set<Index> replaced_;         // rows in whose place a condition on a mean holds
  std::vector<std::unordered_map<Index, Index>> row_of_;
  std::vector<std::vector<double>> values_;
  std::vector<double> block_;
  RowsOfCells result_;
};

}  // namespace

std::string cells_unsupported_reason(const Model& model, const SystemPlan& plan) {
  if (model.time_axis() >= 0) return "the equations depend on time";
  if (model.n_modal_axes() < 2) return "there is not more than one axis of space";
  if (plan.series) return "products of series have a dense Jacobian";
  if (plan.banded_axis >= 0) return "the equations are written in banded form";
  for (const FieldModel& field : model.fields)
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
      if (model.is_modal(axis) && !field.depends_on(axis))
        return "the unknown " + field.name + " does not depend on " + model.axes[at(axis)].name;
  for (const RowPlan& row : plan.rows)
    if (!integrates_over_own_axes(model, plan, row, row.terms))
      return "an equation or condition holds an integral along a side, or values elsewhere";
  return {};
}

RowsOfCells rows_of_cells(const WindowSystem& system, const SpatialLayout& layout,
                          const std::vector<Array>& coefficients) {
  return CellBuilder(system, layout, coefficients).build();
}

}  // namespace gwrm
