#include "weighted_residual/preconditioner/static_condensation_rows.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

// test x: with the symmetry of the test matrix.
Matrix product(const MatrixBlock& test, const Matrix& x) {
  BlockMatrix one(test.matrix->rows(), test.matrix->cols());
  one.blocks.push_back({0, 0, test.matrix, 1.0, test.split});
  Matrix y(one.rows, x.cols());
  cpu::block_transform(x.data(), {x.rows(), x.cols()}, 0, one, y.data());
  return y;
}

class CondensationBuilder {
 public:
  CondensationBuilder(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages)
      : system_(system),
        model_(system.model()),
        discretisation_(system.discretisation()),
        layout_(layout),
        averages_(averages),
        axis_(condensed_axis(model_)),
        n_powers_(highest_power(system) + 1),
        per_subdomain_(discretisation_.basis(axis_).n_per_subdomain()),
        n_subdomains_(discretisation_.subdomains(axis_).n_subdomains()),
        points_(discretisation_.n_points(axis_) / n_subdomains_) {}

  StaticCondensationRows build() {
    lay_out();
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      if (is_local(system_.rows()[i]))
        add_equation(i);
      else
        add_coupling(i);
    }
    for (CondensedSubdomain& subdomain : result_.subdomains) compress(subdomain);
    return std::move(result_);
  }

 private:
  bool has_axis(int field) const { return model_.fields[field].depends_on(axis_); }
  // test trial, which most subdomains share.
  const Matrix& constant_product(const MatrixBlock& test, const MatrixBlock& trial) {
    Matrix& known = constant_products_[{test.matrix, trial.matrix}];
    if (known.size() == 0) known = product(test, *trial.matrix);
    return known;
  }
  // An equation on the points of the axis.
  bool is_local(const RowBlock& row) const {
    return row.kind == RowBlock::Kind::equation && has_axis(model_.equations[row.equation].field);
  }

  void lay_out() {
    // Columns of a subdomain: its modes of every field that has the axis, field after field. Fields without the axis
    // are the global unknowns g, one column each.
    column_of_.assign(model_.fields.size(), 0);
    Index n_columns = 0;
    for (std::size_t f = 0; f < model_.fields.size(); ++f) {
      if (has_axis(static_cast<int>(f))) {
        column_of_[f] = n_columns;
        n_columns += per_subdomain_;
      } else {
        column_of_[f] = static_cast<Index>(result_.global_unknowns.size());
        result_.global_unknowns.push_back(layout_.fields[f]);
      }
    }
    // Rows: those of an equation on one subdomain belong to the subdomain; all others couple.
    result_.subdomains.resize(static_cast<std::size_t>(n_subdomains_));
    result_.n_modes = per_subdomain_;
    first_row_.assign(system_.rows().size(), {});
    for (Index d = 0; d < n_subdomains_; ++d) {
      CondensedSubdomain& subdomain = subdomain_of(d);
      for (std::size_t f = 0; f < model_.fields.size(); ++f)
        if (has_axis(static_cast<int>(f)))
          for (Index k = 0; k < per_subdomain_; ++k)
            subdomain.unknowns.push_back(layout_.fields[f] + d * per_subdomain_ + k);
    }
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      const RowBlock& row = system_.rows()[i];
      const Index count = layout_.rows[i + 1] - layout_.rows[i];
      if (!is_local(row)) {
        first_row_[i].push_back(static_cast<Index>(result_.coupling_rows.size()));
        for (Index r = 0; r < count; ++r) result_.coupling_rows.push_back(layout_.rows[i] + r);
        continue;
      }
      for (const MatrixBlock& test : row.tests[axis_].blocks) {
        CondensedSubdomain& subdomain = subdomain_of(test.column / points_);
        first_row_[i].push_back(static_cast<Index>(subdomain.rows.size()));
        for (Index r = 0; r < test.matrix->rows(); ++r) subdomain.rows.push_back(layout_.rows[i] + test.row + r);
      }
    }
    const Index n_global = static_cast<Index>(result_.global_unknowns.size());
    const Index n_coupling = static_cast<Index>(result_.coupling_rows.size());
    for (CondensedSubdomain& subdomain : result_.subdomains) {
      const Index p = static_cast<Index>(subdomain.rows.size()), q = static_cast<Index>(subdomain.unknowns.size());
      subdomain.local.assign(at(n_powers_), Matrix::Zero(p, q));
      subdomain.global.assign(at(n_powers_), Matrix::Zero(p, n_global));
      subdomain.coupling.assign(at(n_powers_), Matrix(0, q));
      touched_.emplace_back();
    }
    result_.coupling_global.assign(at(n_powers_), Matrix::Zero(n_coupling, n_global));
  }

  CondensedSubdomain& subdomain_of(Index d) { return result_.subdomains[static_cast<std::size_t>(d)]; }

  // A coefficient at the points of subdomain d (one value if it does not vary along the axis).
  Vector on_subdomain(const RowTerm& term, Index d) const {
    if (term.coefficient < 0) return Vector::Ones(1);
    const Array& average = averages_[term.coefficient];
    const Eigen::Map<const Vector> values(average.data.data(), average.size());
    return average.size() == 1 ? Vector(values) : Vector(values.segment(d * points_, points_));
  }

  // Trial matrix of a term on subdomain d: points x unknowns of the field there.
  const MatrixBlock& trial_block(const BlockMatrix& trial, Index d) const {
    return trial.blocks[static_cast<std::size_t>(d)];
  }

  // A term g(x) d^j u/dx^j of an equation, on every subdomain: P diag(g) E f^j, P the test and E the reference trial
  // matrix, f = 2/length (MatrixBlock::factor is f^j). Of a field without the axis: P g, a column of C_d.
  void add_equation(std::size_t i) {
    const RowBlock& row = system_.rows()[i];
    const std::vector<MatrixBlock>& tests = row.tests[axis_].blocks;
    for (const RowTerm& term : row.terms) {
      const bool has = has_axis(term.atom.field);
      const BlockMatrix trial =
          has ? discretisation_.trial(axis_, term.atom, model_.fields[term.atom.field]) : BlockMatrix();
      for (std::size_t t = 0; t < tests.size(); ++t) {
        const MatrixBlock& test = tests[t];
        const Index d = test.column / points_;
        const Vector g = on_subdomain(term, d);
        CondensedSubdomain& subdomain = subdomain_of(d);
        const Index first = first_row_[i][t], n_rows = test.matrix->rows();
        if (!has) {
          const Vector column = g.size() == 1 ? Vector(g(0) * test.matrix->rowwise().sum()) : Vector(*test.matrix * g);
          subdomain.global[term.power].col(column_of_[term.atom.field]).segment(first, n_rows) += column;
          continue;
        }
        const MatrixBlock& block = trial_block(trial, d);
        auto target = subdomain.local[term.power].block(first, column_of_[term.atom.field], n_rows, per_subdomain_);
        if (g.size() == 1)
          target += (g(0) * block.factor) * constant_product(test, block);
        else
          target += product(test, (block.factor * g).asDiagonal() * *block.matrix);
      }
    }
    // Ultraspherical rows: the operation takes coefficients to coefficients, the constant coefficient is all that is
    // left.
    for (const BandedRowTerm& banded : row.banded)
      for (std::size_t t = 0; t < tests.size(); ++t) {
        const Index d = tests[t].column / points_;
        const MatrixBlock& block = banded.operation.blocks[static_cast<std::size_t>(d)];
        subdomain_of(d).local[banded.term.power].block(first_row_[i][t], column_of_[banded.term.atom.field],
                                                       block.matrix->rows(), per_subdomain_) +=
            on_subdomain(banded.term, d)(0) * block.factor * *block.matrix;
      }
  }

  // Conditions, continuity and the equations of unknowns without the axis: rows over all subdomains.
  void add_coupling(std::size_t i) {
    const RowBlock& row = system_.rows()[i];
    for (const RowTerm& term : row.terms) add_coupling_term(i, row, term, row.scale, nullptr);
  }

  // integral: the plan of the integral along the axis that the term stands in, null outside.
  void add_coupling_term(std::size_t i, const RowBlock& row, const RowTerm& term, double factor,
                         const IntegralPlan* integral) {
    const Index first = first_row_[i].front();
    if (term.integral >= 0) {
      const double outer = factor * on_subdomain(term, 0)(0);
      for (const RowTerm& inner : system_.integral_terms()[term.integral])
        add_coupling_term(i, row, inner, outer, &system_.plan().integrals[term.integral]);
      return;
    }
    // g, or under an integral sum_j w_j g_j: a number times an unknown without the axis.
    if (!has_axis(term.atom.field)) {
      double g = 0.0;
      if (integral != nullptr) {
        const Vector& weights = discretisation_.weights()[axis_];
        for (Index d = 0; d < n_subdomains_; ++d) {
          const Vector values = on_subdomain(term, d);
          for (Index j = 0; j < points_; ++j) g += weights(d * points_ + j) * values(values.size() == 1 ? 0 : j);
        }
      } else {
        g = on_subdomain(term, 0)(0);
      }
      result_.coupling_global[term.power](first, column_of_[term.atom.field]) += factor * g;
      return;
    }
    const FieldModel& field = model_.fields[term.atom.field];
    // int g(x) d^j u/dx^j dx = sum_d (w g)^T E_d u_d over the points of the subdomains, w the weights of the
    // quadrature.
    if (integral != nullptr && !term.atom.restricted[axis_]) {
      const BlockMatrix trial = discretisation_.trial(axis_, term.atom, field);
      for (Index d = 0; d < n_subdomains_; ++d) {
        const Vector g = on_subdomain(term, d);
        Vector weights = discretisation_.weights()[axis_].segment(d * points_, points_);
        weights = g.size() == 1 ? Vector(g(0) * weights) : Vector(weights.cwiseProduct(g));
        const MatrixBlock& block = trial_block(trial, d);
        add_coupling_row(d, first, term, factor * block.factor * (weights.transpose() * *block.matrix));
      }
      return;
    }
    double g = on_subdomain(term, 0)(0);
    if (integral != nullptr) {  // a restricted value under the integral
      g = 0.0;
      const Vector& weights = discretisation_.weights()[axis_];
      for (Index d = 0; d < n_subdomains_; ++d) {
        const Vector values = on_subdomain(term, d);
        for (Index j = 0; j < points_; ++j) g += weights(d * points_ + j) * values(values.size() == 1 ? 0 : j);
      }
    }
    // Continuity: the jump of the derivative at every inner edge, a row each; else its value at one point.
    const BlockMatrix rows = term.line_axis == axis_ ? term.line : discretisation_.trial(axis_, term.atom, field);
    for (const MatrixBlock& block : rows.blocks)
      add_coupling_row(block.column / per_subdomain_, first + block.row, term,
                       factor * g * block.factor * block.matrix->row(0));
  }

  void add_coupling_row(Index d, Index coupling_row, const RowTerm& term, const RowVector& values) {
    touched_[static_cast<std::size_t>(d)].push_back({coupling_row, term.power, column_of_[term.atom.field], values});
  }

  // The coupling rows that hold anything of the subdomain, as small dense matrices.
  void compress(CondensedSubdomain& subdomain) {
    const auto& entries = touched_[static_cast<std::size_t>(&subdomain - result_.subdomains.data())];
    for (const Entry& entry : entries)
      if (std::find(subdomain.coupling_rows.begin(), subdomain.coupling_rows.end(), entry.row) ==
          subdomain.coupling_rows.end())
        subdomain.coupling_rows.push_back(entry.row);
    for (Matrix& coupling : subdomain.coupling)
      coupling = Matrix::Zero(static_cast<Index>(subdomain.coupling_rows.size()),
                              static_cast<Index>(subdomain.unknowns.size()));
    for (const Entry& entry : entries) {
      const auto row = std::find(subdomain.coupling_rows.begin(), subdomain.coupling_rows.end(), entry.row);
      subdomain.coupling[entry.power]
          .row(row - subdomain.coupling_rows.begin())
          .segment(entry.column, entry.values.size()) += entry.values;
    }
  }

  struct Entry {
    Index row;
    int power;
    Index column;
    RowVector values;
  };

  const WindowSystem& system_;
  const Model& model_;
  const Discretisation& discretisation_;
  const SpatialLayout& layout_;
  const std::vector<Array>& averages_;
  int axis_, n_powers_;
  Index per_subdomain_, n_subdomains_, points_;
  std::vector<Index> column_of_;  // per field: its first local column, or its global column
  std::vector<std::vector<Index>>
      first_row_;                            // per row block: first local row of each test block, or first coupling row
  std::vector<std::vector<Entry>> touched_;  // per subdomain
  using SharedMatrix = std::shared_ptr<const Matrix>;  // shared: an address may not be used again
  std::map<std::pair<SharedMatrix, SharedMatrix>, Matrix> constant_products_;
  StaticCondensationRows result_;
};

}  // namespace

int condensed_axis(const Model& model) {
  int found = -1;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    if (found >= 0) return -1;
    found = axis;
  }
  return found;
}

StaticCondensationRows static_condensation_rows(const WindowSystem& system, const SpatialLayout& layout,
                                                const std::vector<Array>& averages) {
  return CondensationBuilder(system, layout, averages).build();
}

}  // namespace gwrm
