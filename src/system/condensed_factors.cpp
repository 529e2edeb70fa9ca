// Static condensation along one axis of space.
//
// In subdomain d the equations alone are a wide system A_d u_d + C_d g = r_d (g: unknowns without that axis). Its solutions are
//   u_d = A_d^+ (r_d - C_d g) + N_d c_d          (kernels/wide_lu.hpp)
// with as many free numbers c_d as the subdomain gave up modes. Conditions and continuity, sum_d E_d u_d + E_g g = r_c, then
// are a sparse system for (c_1, c_2, .., g), block bidiagonal but for conditions that reach further. Nothing is assumed about
// which conditions close a subdomain, so that any order and any kind of condition will do.
#include <Eigen/LU>
#include <Eigen/SparseLU>

#include "system/spatial_factors.hpp"
#include "system/tensor_helpers.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;
using Sparse = Eigen::SparseMatrix<Complex>;

// Interface systems up to this size are factored as dense ones.
constexpr Index kDenseInterface = 48;

// The one axis of space, or -1.
int condensed_axis(const Model& model) {
  int found = -1;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    if (found >= 0) return -1;
    found = axis;
  }
  return found;
}

// A block of rows of piece d: its columns, or all global columns.
struct Block {
  Index row = 0, column = 0;
  Matrix values;
};

// Real blocks B_p of one piece.
struct Piece {
  std::vector<Index> rows;      // spatial row of each local row
  std::vector<Index> unknowns;  // spatial unknown of each local column
  std::vector<Matrix> local;          // per p: rows x unknowns
  std::vector<Matrix> global;         // per p: rows x n_global
  std::vector<Index> coupling_rows;   // of the coupling rows that hold unknowns of this piece
  std::vector<Matrix> coupling;       // per p: coupling_rows x unknowns
};

struct Condensed {
  std::vector<Piece> pieces;
  std::vector<Index> coupling_rows;    // spatial row of each
  std::vector<Index> global_unknowns;  // spatial unknown of each
  std::vector<Matrix> coupling_global;  // per p: coupling_rows x n_global
};

class Builder {
 public:
  Builder(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages)
      : system_(system),
        model_(system.model()),
        discretisation_(system.discretisation()),
        layout_(layout),
        averages_(averages),
        axis_(condensed_axis(model_)),
        n_powers_(highest_power(system) + 1),
        per_piece_(discretisation_.pieces(axis_).degree + 1),
        n_pieces_(discretisation_.pieces(axis_).n_pieces()),
        points_(discretisation_.n_points(axis_) / n_pieces_) {}

  Condensed build() {
    lay_out();
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      if (is_local(system_.rows()[i]))
        add_equation(i);
      else
        add_coupling(i);
    }
    for (Piece& piece : result_.pieces) compress(piece);
    return std::move(result_);
  }

 private:
  bool has_axis(int field) const { return model_.fields[at(field)].depends_on(axis_); }
  // An equation on the points of the axis.
  bool is_local(const RowBlock& row) const {
    return row.kind == RowBlock::Kind::equation && has_axis(model_.equations[at(row.equation)].field);
  }

  void lay_out() {
    column_of_.assign(model_.fields.size(), 0);
    Index n_columns = 0;
    for (std::size_t f = 0; f < model_.fields.size(); ++f) {
      if (has_axis(static_cast<int>(f))) {
        column_of_[f] = n_columns;
        n_columns += per_piece_;
      } else {
        column_of_[f] = static_cast<Index>(result_.global_unknowns.size());
        result_.global_unknowns.push_back(layout_.fields[f]);
      }
    }
    result_.pieces.resize(static_cast<std::size_t>(n_pieces_));
    first_row_.assign(system_.rows().size(), {});
    for (Index d = 0; d < n_pieces_; ++d) {
      Piece& piece = piece_of(d);
      for (std::size_t f = 0; f < model_.fields.size(); ++f)
        if (has_axis(static_cast<int>(f)))
          for (Index k = 0; k < per_piece_; ++k) piece.unknowns.push_back(layout_.fields[f] + d * per_piece_ + k);
    }
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      const RowBlock& row = system_.rows()[i];
      const Index count = layout_.rows[i + 1] - layout_.rows[i];
      if (!is_local(row)) {
        first_row_[i].push_back(static_cast<Index>(result_.coupling_rows.size()));
        for (Index r = 0; r < count; ++r) result_.coupling_rows.push_back(layout_.rows[i] + r);
        continue;
      }
      for (const MatrixBlock& test : row.tests[at(axis_)].blocks) {
        Piece& piece = piece_of(test.column / points_);
        first_row_[i].push_back(static_cast<Index>(piece.rows.size()));
        for (Index r = 0; r < test.matrix->rows(); ++r) piece.rows.push_back(layout_.rows[i] + test.row + r);
      }
    }
    const Index n_global = static_cast<Index>(result_.global_unknowns.size());
    const Index n_coupling = static_cast<Index>(result_.coupling_rows.size());
    for (Piece& piece : result_.pieces) {
      const Index p = static_cast<Index>(piece.rows.size()), q = static_cast<Index>(piece.unknowns.size());
      piece.local.assign(at(n_powers_), Matrix::Zero(p, q));
      piece.global.assign(at(n_powers_), Matrix::Zero(p, n_global));
      piece.coupling.assign(at(n_powers_), Matrix(0, q));
      touched_.emplace_back();
    }
    result_.coupling_global.assign(at(n_powers_), Matrix::Zero(n_coupling, n_global));
  }

  Piece& piece_of(Index d) { return result_.pieces[static_cast<std::size_t>(d)]; }

  // A coefficient at the points of piece d (one value if it does not vary along the axis).
  Vector on_piece(const RowTerm& term, Index d) const {
    if (term.coefficient < 0) return Vector::Ones(1);
    const Array& average = averages_[at(term.coefficient)];
    const Eigen::Map<const Vector> values(average.data.data(), average.size());
    return average.size() == 1 ? Vector(values) : Vector(values.segment(d * points_, points_));
  }

  // Trial matrix of a term on piece d: points x unknowns of the field there.
  const MatrixBlock& trial_block(const BlockMatrix& trial, Index d) const {
    return trial.blocks[static_cast<std::size_t>(d)];
  }

  void add_equation(std::size_t i) {
    const RowBlock& row = system_.rows()[i];
    const std::vector<MatrixBlock>& tests = row.tests[at(axis_)].blocks;
    for (const RowTerm& term : row.terms) {
      const bool has = has_axis(term.atom.field);
      const BlockMatrix trial = has ? discretisation_.trial(axis_, term.atom, model_.fields[at(term.atom.field)]) : BlockMatrix();
      for (std::size_t t = 0; t < tests.size(); ++t) {
        const MatrixBlock& test = tests[t];
        const Index d = test.column / points_;
        const Vector g = on_piece(term, d);
        Piece& piece = piece_of(d);
        const Index first = first_row_[i][t], n_rows = test.matrix->rows();
        if (!has) {
          const Vector column = g.size() == 1 ? Vector(g(0) * test.matrix->rowwise().sum()) : Vector(*test.matrix * g);
          piece.global[at(term.power)].col(column_of_[at(term.atom.field)]).segment(first, n_rows) += column;
          continue;
        }
        const MatrixBlock& block = trial_block(trial, d);
        auto target = piece.local[at(term.power)].block(first, column_of_[at(term.atom.field)], n_rows, per_piece_);
        if (g.size() == 1)
          target.noalias() += (g(0) * block.factor) * (*test.matrix * *block.matrix);
        else
          target.noalias() += *test.matrix * Matrix((block.factor * g).asDiagonal() * *block.matrix);
      }
    }
    for (const BandedRowTerm& banded : row.banded)
      for (std::size_t t = 0; t < tests.size(); ++t) {
        const Index d = tests[t].column / points_;
        const MatrixBlock& block = banded.operation.blocks[static_cast<std::size_t>(d)];
        piece_of(d).local[at(banded.term.power)].block(first_row_[i][t], column_of_[at(banded.term.atom.field)],
                                                       block.matrix->rows(), per_piece_) +=
            on_piece(banded.term, d)(0) * block.factor * *block.matrix;
      }
  }

  // Conditions, continuity and the equations of unknowns without the axis: rows over all pieces.
  void add_coupling(std::size_t i) {
    const RowBlock& row = system_.rows()[i];
    for (const RowTerm& term : row.terms) add_coupling_term(i, row, term, row.scale, nullptr);
  }

  // integral: the plan of the integral along the axis that the term stands in, null outside.
  void add_coupling_term(std::size_t i, const RowBlock& row, const RowTerm& term, double factor,
                         const IntegralPlan* integral) {
    const Index first = first_row_[i].front();
    if (term.integral >= 0) {
      const double outer = factor * on_piece(term, 0)(0);
      for (const RowTerm& inner : system_.integral_terms()[at(term.integral)])
        add_coupling_term(i, row, inner, outer, &system_.plan().integrals[at(term.integral)]);
      return;
    }
    if (!has_axis(term.atom.field)) {
      double g = 0.0;
      if (integral != nullptr) {
        const Vector& weights = discretisation_.weights()[at(axis_)];
        for (Index d = 0; d < n_pieces_; ++d) {
          const Vector values = on_piece(term, d);
          for (Index j = 0; j < points_; ++j) g += weights(d * points_ + j) * values(values.size() == 1 ? 0 : j);
        }
      } else {
        g = on_piece(term, 0)(0);
      }
      result_.coupling_global[at(term.power)](first, column_of_[at(term.atom.field)]) += factor * g;
      return;
    }
    const FieldModel& field = model_.fields[at(term.atom.field)];
    if (integral != nullptr && !term.atom.restricted[at(axis_)]) {
      const BlockMatrix trial = discretisation_.trial(axis_, term.atom, field);
      for (Index d = 0; d < n_pieces_; ++d) {
        const Vector g = on_piece(term, d);
        Vector weights = discretisation_.weights()[at(axis_)].segment(d * points_, points_);
        weights = g.size() == 1 ? Vector(g(0) * weights) : Vector(weights.cwiseProduct(g));
        const MatrixBlock& block = trial_block(trial, d);
        add_coupling_row(d, first, term, factor * block.factor * (weights.transpose() * *block.matrix));
      }
      return;
    }
    double g = on_piece(term, 0)(0);
    if (integral != nullptr) {  // a restricted value under the integral
      g = 0.0;
      const Vector& weights = discretisation_.weights()[at(axis_)];
      for (Index d = 0; d < n_pieces_; ++d) {
        const Vector values = on_piece(term, d);
        for (Index j = 0; j < points_; ++j) g += weights(d * points_ + j) * values(values.size() == 1 ? 0 : j);
      }
    }
    const BlockMatrix rows = term.jump_axis == axis_
                                 ? discretisation_.jump(axis_, term.atom.orders[at(axis_)])
                                 : discretisation_.trial(axis_, term.atom, field);
    for (const MatrixBlock& block : rows.blocks)
      add_coupling_row(block.column / per_piece_, first + block.row, term, factor * g * block.factor * block.matrix->row(0));
  }

  void add_coupling_row(Index d, Index coupling_row, const RowTerm& term, const RowVector& values) {
    touched_[static_cast<std::size_t>(d)].push_back({coupling_row, term.power, column_of_[at(term.atom.field)], values});
  }

  // The coupling rows that hold anything of the piece, as small dense matrices.
  void compress(Piece& piece) {
    const auto& entries = touched_[static_cast<std::size_t>(&piece - result_.pieces.data())];
    for (const Entry& entry : entries)
      if (std::find(piece.coupling_rows.begin(), piece.coupling_rows.end(), entry.row) == piece.coupling_rows.end())
        piece.coupling_rows.push_back(entry.row);
    for (Matrix& coupling : piece.coupling)
      coupling = Matrix::Zero(static_cast<Index>(piece.coupling_rows.size()), static_cast<Index>(piece.unknowns.size()));
    for (const Entry& entry : entries) {
      const auto row = std::find(piece.coupling_rows.begin(), piece.coupling_rows.end(), entry.row);
      piece.coupling[at(entry.power)].row(row - piece.coupling_rows.begin()).segment(entry.column, entry.values.size()) +=
          entry.values;
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
  Index per_piece_, n_pieces_, points_;
  std::vector<Index> column_of_;               // per field: its first local column, or its global column
  std::vector<std::vector<Index>> first_row_;  // per row block: first local row of each test block, or first coupling row
  std::vector<std::vector<Entry>> touched_;    // per piece
  Condensed result_;
};

ComplexMatrix at_z(const std::vector<Matrix>& powers, Complex z) {
  ComplexMatrix sum = powers.front().cast<Complex>();
  Complex power = 1.0;
  for (std::size_t p = 1; p < powers.size(); ++p) {
    power *= z;
    sum += power * powers[p].cast<Complex>();
  }
  return sum;
}

// Everything of one z.
struct Factored {
  struct Local {
    WideLu lu;
    ComplexMatrix null_space;   // N_d
    ComplexMatrix global_part;  // A_d^+ C_d
    ComplexMatrix coupling;     // E_d
    Index first = 0;            // of c_d among the interface unknowns
  };
  std::vector<Local> pieces;
  Index n_interface = 0;
  Eigen::PartialPivLU<Eigen::MatrixXcd> dense;
  std::unique_ptr<Eigen::SparseLU<Sparse>> sparse;

  ComplexVector solve_interface(const ComplexVector& right) const {
    if (n_interface == 0) return right;
    return sparse ? ComplexVector(sparse->solve(right)) : ComplexVector(dense.solve(right));
  }
};

LuStatus factor(const Condensed& what, Complex z, Precision precision, Factored& result) {
  const std::size_t n = what.pieces.size();
  const Index n_global = static_cast<Index>(what.global_unknowns.size());
  result.pieces.resize(n);
  std::vector<Eigen::Triplet<Complex>> entries;
  Index first = 0;
  for (std::size_t d = 0; d < n; ++d) {
    const Piece& piece = what.pieces[d];
    Factored::Local& local = result.pieces[d];
    const LuStatus status = local.lu.factor(at_z(piece.local, z), precision);
    if (status != LuStatus::regular) return status;
    local.null_space = local.lu.null_space();
    local.coupling = at_z(piece.coupling, z);
    local.first = first;
    first += local.null_space.cols();
    if (n_global > 0) {
      const ComplexMatrix columns = at_z(piece.global, z);
      local.global_part.resize(static_cast<Index>(piece.unknowns.size()), n_global);
      ComplexVector x(local.global_part.rows());
      for (Index g = 0; g < n_global; ++g) {
        const ComplexVector b = columns.col(g);
        local.lu.solve({b.data(), static_cast<std::size_t>(b.size())}, {x.data(), static_cast<std::size_t>(x.size())});
        local.global_part.col(g) = x;
      }
    }
  }
  result.n_interface = first + n_global;
  if (result.n_interface != static_cast<Index>(what.coupling_rows.size()))
    throw ShapeError("condensation: interface rows and unknowns differ");
  if (result.n_interface == 0) return LuStatus::regular;

  ComplexMatrix global = at_z(what.coupling_global, z);
  for (std::size_t d = 0; d < n; ++d) {
    const Factored::Local& local = result.pieces[d];
    const ComplexMatrix block = local.coupling * local.null_space;
    for (Index r = 0; r < block.rows(); ++r) {
      const Index row = what.pieces[d].coupling_rows[static_cast<std::size_t>(r)];
      for (Index c = 0; c < block.cols(); ++c) entries.emplace_back(row, local.first + c, block(r, c));
      if (n_global > 0) global.row(row) -= local.coupling.row(r) * local.global_part;
    }
  }
  for (Index r = 0; r < global.rows(); ++r)
    for (Index g = 0; g < n_global; ++g)
      if (global(r, g) != 0.0) entries.emplace_back(r, first + g, global(r, g));
  Sparse matrix(result.n_interface, result.n_interface);
  matrix.setFromTriplets(entries.begin(), entries.end());
  if (result.n_interface <= kDenseInterface) {
    const Eigen::MatrixXcd whole(matrix);
    if (!whole.allFinite()) return LuStatus::not_finite;
    result.dense.compute(whole);
    const auto pivots = result.dense.matrixLU().diagonal().cwiseAbs();
    const double tiny = precision == Precision::single_complex ? 1e-6 : 1e-13;
    return pivots.minCoeff() > tiny * pivots.maxCoeff() ? LuStatus::regular : LuStatus::singular;
  }
  result.sparse = std::make_unique<Eigen::SparseLU<Sparse>>();
  result.sparse->compute(matrix);
  return result.sparse->info() == Eigen::Success ? LuStatus::regular : LuStatus::singular;
}

class CondensedFactors : public SpatialFactors {
 public:
  Condensed what;
  std::vector<Factored> factored;

  void solve(std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override {
    const Factored& f = factored[k];
    const Index n_global = static_cast<Index>(what.global_unknowns.size());
    ComplexVector right(static_cast<Index>(what.coupling_rows.size()));
    for (Index r = 0; r < right.size(); ++r)
      right(r) = b[static_cast<std::size_t>(what.coupling_rows[static_cast<std::size_t>(r)])];
    std::vector<ComplexVector> particular(what.pieces.size());
    for (std::size_t d = 0; d < what.pieces.size(); ++d) {
      const Piece& piece = what.pieces[d];
      std::vector<Complex> local(piece.rows.size());
      for (std::size_t r = 0; r < local.size(); ++r) local[r] = b[static_cast<std::size_t>(piece.rows[r])];
      particular[d].resize(static_cast<Index>(piece.unknowns.size()));
      f.pieces[d].lu.solve(local, {particular[d].data(), piece.unknowns.size()});
      const ComplexVector share = f.pieces[d].coupling * particular[d];
      for (Index r = 0; r < share.size(); ++r) right(piece.coupling_rows[static_cast<std::size_t>(r)]) -= share(r);
    }
    const ComplexVector c = f.solve_interface(right);
    const ComplexVector g = c.tail(n_global);
    for (std::size_t d = 0; d < what.pieces.size(); ++d) {
      const Factored::Local& local = f.pieces[d];
      ComplexVector& u = particular[d];
      u.noalias() += local.null_space * c.segment(local.first, local.null_space.cols());
      if (n_global > 0) u.noalias() -= local.global_part * g;
      for (Index j = 0; j < u.size(); ++j)
        x[static_cast<std::size_t>(what.pieces[d].unknowns[static_cast<std::size_t>(j)])] = u(j);
    }
    for (Index j = 0; j < n_global; ++j)
      x[static_cast<std::size_t>(what.global_unknowns[static_cast<std::size_t>(j)])] = g(j);
  }

  void apply(int p, std::span<const Complex> x, std::span<Complex> y) const override {
    const Index n_global = static_cast<Index>(what.global_unknowns.size());
    ComplexVector g(n_global);
    for (Index j = 0; j < n_global; ++j)
      g(j) = x[static_cast<std::size_t>(what.global_unknowns[static_cast<std::size_t>(j)])];
    ComplexVector coupled = what.coupling_global[at(p)] * g;
    for (const Piece& piece : what.pieces) {
      ComplexVector u(static_cast<Index>(piece.unknowns.size()));
      for (Index j = 0; j < u.size(); ++j) u(j) = x[static_cast<std::size_t>(piece.unknowns[static_cast<std::size_t>(j)])];
      const ComplexVector local = piece.local[at(p)] * u + piece.global[at(p)] * g;
      for (Index r = 0; r < local.size(); ++r)
        y[static_cast<std::size_t>(piece.rows[static_cast<std::size_t>(r)])] = local(r);
      const ComplexVector share = piece.coupling[at(p)] * u;
      for (Index r = 0; r < share.size(); ++r) coupled(piece.coupling_rows[static_cast<std::size_t>(r)]) += share(r);
    }
    for (Index r = 0; r < coupled.size(); ++r)
      y[static_cast<std::size_t>(what.coupling_rows[static_cast<std::size_t>(r)])] = coupled(r);
  }
};

}  // namespace

std::string condensation_obstacle(const Model& model, const SystemPlan& plan) {
  const int axis = condensed_axis(model);
  if (axis < 0) return "there is not exactly one axis of space";
  for (const RowPlan& row : plan.rows) {
    if (row.is_condition || !model.fields[at(model.equations[at(row.index)].field)].depends_on(axis)) continue;
    for (const DirectionTerm& term : row.terms)
      if (term.integral >= 0 || term.atom.restricted[at(axis)]) return "an equation couples distant points of space";
  }
  return {};
}

FactorResult condensed_factors(const WindowSystem& system, const SpatialLayout& layout,
                               const std::vector<Array>& averages, const std::vector<Complex>& z, Precision precision) {
  auto factors = std::make_unique<CondensedFactors>();
  factors->what = Builder(system, layout, averages).build();
  factors->factored.resize(z.size());
  std::vector<LuStatus> status(z.size(), LuStatus::regular);
#pragma omp parallel for schedule(dynamic) num_threads(system.context().n_threads())
  for (std::size_t k = 0; k < z.size(); ++k) {
    status[k] = factor(factors->what, z[k], precision, factors->factored[k]);
    // Nearly singular in single precision: double precision tells.
    if (status[k] == LuStatus::singular && precision == Precision::single_complex)
      status[k] = factor(factors->what, z[k], Precision::double_complex, factors->factored[k] = Factored());
  }
  for (LuStatus one : status)
    if (one != LuStatus::regular) return {nullptr, one};
  return {std::move(factors), LuStatus::regular};
}

}  // namespace gwrm
