#include "weighted_residual/preconditioner/sparse_solver.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "weighted_residual/preconditioner/sparse_lu_status.hpp"
#include "weighted_residual/window/jacobian_blocks.hpp"

namespace gwrm {

using SparseMatrix = Eigen::SparseMatrix<double>;  // by columns

class SparseFactors {
 public:
  LuStatus factor(const WindowSystem& system, const Linearisation& at_x) {
    std::vector<Eigen::Triplet<double>> entries;
    bool finite = true;
    for_each_jacobian_block(system, at_x, [&](const JacobianBlock& block) {
      for (Index j = 0; j < block.n_columns; ++j)
        for (Index i = 0; i < block.n_rows; ++i) {
          const double value = block.values[static_cast<std::size_t>(i + j * block.n_rows)];
          finite = finite && std::isfinite(value);
          entries.emplace_back(static_cast<int>(block.row + i), static_cast<int>(block.column + j), value);
        }
    });
    if (!finite) return LuStatus::not_finite;
    SparseMatrix matrix(system.size(), system.size());
    matrix.setFromTriplets(entries.begin(), entries.end());  // keeps zeros: the pattern is that of the equations
    if (!has_pattern_of(matrix)) {
      lu_.analyzePattern(matrix);
      columns_.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1);
      rows_.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    }
    lu_.factorize(matrix);
    return sparse_lu_status(lu_);
  }

  void solve(std::span<double> v) {
    Eigen::Map<Vector> x(v.data(), static_cast<Index>(v.size()));
    const Vector right = x;
    x = lu_.solve(right);
  }

 private:
  bool has_pattern_of(const SparseMatrix& matrix) const {
    return columns_.size() == static_cast<std::size_t>(matrix.cols()) + 1 &&
           rows_.size() == static_cast<std::size_t>(matrix.nonZeros()) &&
           std::equal(columns_.begin(), columns_.end(), matrix.outerIndexPtr()) &&
           std::equal(rows_.begin(), rows_.end(), matrix.innerIndexPtr());
  }

  Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<int>> lu_;
  std::vector<int> columns_, rows_;  // of the matrix that was ordered
};

std::shared_ptr<SparseFactors> make_sparse_factors() {
  return std::make_shared<SparseFactors>();
}

std::string sparse_unsupported_reason(const Model& model, const SystemPlan& plan) {
  if (model.n_modal_axes() > 0) return "the equations are no ordinary differential equations";
  if (plan.series) return "products of series have a dense Jacobian";
  if (!plan.integrals.empty()) return "the equations hold an integral";
  return {};
}

double sparse_entries(const Model& model, const SystemPlan& plan, double n_times) {
  const int time = model.time_axis();
  const auto unknowns = [&](const FieldModel& field) { return time >= 0 && field.depends_on(time) ? n_times : 1.0; };
  double entries = 0.0;
  for (const RowPlan& row : plan.rows) {
    std::set<int> fields;
    for (const DirectionTerm& term : row.terms) fields.insert(term.atom.field);
    for (int field : fields)
      entries += unknowns(model.fields[model.equations[row.index].field]) * unknowns(model.fields[field]);
  }
  return entries;
}

LinearOutcome SparseSolver::linearise(std::span<const double> x, bool) {
  if (factored_ && system_.is_linear()) return {};
  ++n_factorisations_;
  factored_ = true;
  return factorisation_outcome(factors_.factor(system_, system_.linearise(x)), [] {
    return std::string("the sparse Jacobian is singular: some equations depend on each other");
  });
}

LinearOutcome SparseSolver::solve(std::span<double> v, const KrylovTolerance&) {
  factors_.solve(v);
  return {};
}

void SparseSolver::apply_preconditioner(std::span<double> v) {
  factors_.solve(v);
}

}  // namespace gwrm
